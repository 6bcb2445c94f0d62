internal import FullScreens
internal import LuaBindings
internal import Modeling
internal import Presentation
internal import RemoteConsole
internal import Session

/// A client at a socket, as a session sees it.
final class AttachedClient: SessionClient {
  private(set) var attachment: Attachment
  private(set) var hello: ClientRequest.Hello
  /// With what the client comes back after a lost connection.
  var token: String?
  /// What is shown of the running line.
  private(set) var events: HeldEvents
  var layout: Layout
  /// The window, as far as a full screen uses it; nil where the client shows none.
  private var window: TerminalSize?
  /// The full screens of the session whose client this is.
  var screens: SessionScreens?
  private(set) var output = OutputSink.inMemory()
  /// Whether what runs is to stop.
  var isInterrupted: () -> Bool = { false }

  /// The largest full screen, whose lines fit in a message.
  private static let (mostColumns, mostRows) = (400, 200)

  init(_ attachment: Attachment, _ hello: ClientRequest.Hello) {
    (self.attachment, self.hello) = (attachment, hello)
    (layout, events) = (Layout(hello), HeldEvents(attachment))
    openOutput()
    resize(hello.width, hello.height)
  }

  /// Goes on with a client that has come back.
  func resume(_ arrival: Clients.Arrival) {
    (attachment, hello) = (arrival.attachment, arrival.hello)
    (layout, events) = (Layout(hello), HeldEvents(attachment))
    openOutput()
    resize(hello.width, hello.height)
  }

  /// Takes the size of the client's window.
  func resize(_ width: Int?, _ height: Int?) {
    layout.width = width
    window = width.flatMap { width in height.map { TerminalSize(columns: width, rows: $0) } }
  }

  /// The part of the window that a full screen uses; nil where the client shows none.
  var screenSize: TerminalSize? {
    guard hello.showsScreens, let window else { return nil }
    return TerminalSize(
      columns: min(window.columns, Self.mostColumns), rows: min(window.rows, Self.mostRows))
  }

  private func openOutput() {
    output = OutputSink(capacity: 1 << 14) { [unowned self] bytes in
      events.send(String(decoding: bytes, as: UTF8.self), isMessage: false) ? nil : .brokenPipe
    }
  }

  var answersQuestions: Bool { hello.isInteractive }
  var isGone: Bool { attachment.isClosed }

  func flush() { output.flush() }

  func receive(_ event: SessionEvent) throws {
    output.flush()
    switch event {
    case .value(let answer):
      try answer.write(to: output)
      output.flush()
    case .printed(let stream, let bytes): try print(bytes, isMessage: stream == .error)
    case .diagnostic(let diagnostic): _ = events.send(text(of: diagnostic), isMessage: true)
    case .remark(let remark): _ = events.send(remark.text(layout, isAtPrompt: hello.isInteractive), isMessage: true)
    case .progress, .change: break
    }
  }

  private func print(_ bytes: [UInt8], isMessage: Bool) throws {
    for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
      var text = String(decoding: bytes[start..<min(start + 1 << 16, bytes.count)], as: UTF8.self)
      // What a script prints must not control the terminal of the client.
      if layout.isTerminal { text = DisplayText.picturingControls(in: text, layout.charset, keepingLines: true) }
      guard events.send(text, isMessage: isMessage) else { throw OutputFailure.brokenPipe }
    }
  }

  private func text(of diagnostic: Diagnostic) -> String {
    let shape = DiagnosticText(style: layout.messageStyle, charset: layout.charset, width: layout.width ?? 80)
    if hello.isInteractive { return shape.terminal(diagnostic) }
    var diagnostic = diagnostic
    diagnostic.file = diagnostic.file ?? "perilune"
    return shape.batch(diagnostic)
  }

  func confirms(_ question: String) -> Bool {
    release()
    guard attachment.send(.question(question)) else { return false }
    while !attachment.isClosed, !isInterrupted() {
      if let request = attachment.take() {
        if case .answer(let yes) = request { return yes }
        continue
      }
      _ = DescriptorWait.wait(for: [attachment.waker.descriptor], seconds: 1)
    }
    return false
  }

  /// Shows what is held back before what runs has ended.
  func release() {
    output.flush()
    events.release()
  }

  /// Shows a sentence before what runs has ended.
  func tellAtOnce(_ sentence: String) {
    release()
    let text = layout.wrapped(layout.messageStyle(.note, sentence)) + "\n"
    _ = attachment.send(.text(text, isMessage: true))
  }
}

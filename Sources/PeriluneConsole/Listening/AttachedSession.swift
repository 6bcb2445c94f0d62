internal import Glibc
internal import LuaBindings
internal import Modeling
internal import PeriluneKit
internal import Presentation
internal import RemoteConsole
internal import Session

/// The session of an attached client, on a thread and a connection to the store of its own.
final class AttachedSession: SessionClient {
  private let attachment: Attachment
  private let settings: ListenerSettings
  private let container: PersistentContainer
  private let hello: ClientRequest.Hello
  private(set) var layout: Layout
  private(set) var output = OutputSink.inMemory()
  /// Set once, when this is made.
  private(set) var session: Session!
  /// What is shown once the transcript has the line's outcome.
  private var held: [ServerEvent] = []
  private var heldBytes = 0
  private var isHolding = false
  private var hasDropped = false
  /// What the running line has saved.
  private var savedDiff = ""

  /// The bytes that wait for the transcript; of longer answers the beginning is shown while the line runs, which the transcript
  /// has from its beginning.
  private static let mostHeld = 1 << 20

  init(_ attachment: Attachment, _ hello: ClientRequest.Hello, _ settings: ListenerSettings) throws {
    (self.attachment, self.hello, self.settings) = (attachment, hello, settings)
    layout = Layout(hello)
    container = try settings.opening.open()
    container.viewContext.transactionAuthor = "console:\(settings.userName(attachment.peer.user))"
    output = OutputSink(capacity: 1 << 14) { [unowned self] bytes in
      send(String(decoding: bytes, as: UTF8.self), isMessage: false) ? nil : .brokenPipe
    }
    session = try Session(
      program: container, settings.limits, self, mode: hello.mode, isReadOnly: settings.access == .readOnly)
    session.isAtPrompt = hello.isInteractive
    for definition in settings.definitions { try definition.install(engine) }
    recordSaves()
  }

  private var engine: Engine { session.engine }

  func close() { session.close() }

  /// Keeps what each save changes, for the transcript.
  private func recordSaves() {
    let former = engine.host.willSave
    engine.host.willSave = { [unowned self] context in
      let text = DiffText().text(try context.diff())
      let done = try former?(context)
      return { [unowned self] in
        savedDiff += text
        done?()
      }
    }
  }

  // MARK: Requests

  /// Answers requests until the client leaves.
  func serve() {
    var welcome = ServerEvent.Welcome(banner: banner, prompt: prompt)
    welcome.unsavedCount = engine.stores.unsavedChangeCount
    _ = attachment.send(.welcome(welcome))
    while let request = nextRequest() { perform(request) }
  }

  /// Waits for a request, and serves timers and observers of the scripts meanwhile; nil once the client is gone.
  private func nextRequest() -> ClientRequest? {
    while !attachment.isClosed {
      if let request = attachment.take() { return request }
      let watched = [attachment.waker.descriptor] + engine.loop.descriptors
      let seconds = engine.loop.secondsToNextTimer
      guard let ready = DescriptorWait.wait(for: watched, seconds: seconds) else { continue }
      if ready == [attachment.waker.descriptor] { continue }
      limited { session.parts.runs.runLoopTurn(ready) }
    }
    return nil
  }

  private func perform(_ request: ClientRequest) {
    switch request {
    case .evaluate(let id, let text): evaluate(id, text)
    case .save(let id): end(id, recorded("save()") { session.guarding { try engine.save() } })
    case .complete(let id, let text, let offset):
      reply(id, limited { session.complete(text, at: offset) }.json)
    case .isComplete(let id, let text): reply(id, .bool(session.isComplete(text) != .incomplete))
    case .arguments(let id, let text):
      let hint = session.registry.arguments(behind: text) ?? ArgumentHint(engine).text(behind: text)
      reply(id, hint.map(JSON.string) ?? .null)
    case .colours(let id, let text, let offset):
      reply(id, .array(LuaColours(engine).marks(of: text, at: offset).map(Self.json)))
    case .resize(let width): layout.width = width
    case .hello, .interrupt, .answer: break
    }
  }

  private func evaluate(_ id: Int64, _ text: String) {
    let status = recorded(text) {
      hello.isInteractive ? session.evaluate(block: text) : session.enter(text, chunk: "=stdin")
    }
    end(id, status)
  }

  private func end(_ id: Int64, _ status: Int32) {
    var ending = ServerEvent.Ending(
      status: session.requestedExit ?? status, prompt: prompt, unsavedCount: engine.stores.unsavedChangeCount)
    ending.rowCount = session.parts.console.answeredRows
    ending.hasExited = session.requestedExit != nil
    session.requestedExit = nil
    session.parts.console.answeredRows = nil
    // What the line observes is watched before the client hears of its end.
    _ = engine.loop.descriptors
    _ = attachment.send(.end(id: id, ending))
  }

  private func reply(_ id: Int64, _ value: JSON) { _ = attachment.send(.reply(id: id, value)) }

  // MARK: The transcript

  /// Runs a line between its two entries in the transcript. A line that the transcript does not take does not run.
  private func recorded(_ line: String, _ body: () -> Int32) -> Int32 {
    var entry = settings.entry(.begun, of: attachment, line)
    savedDiff = ""
    do { try settings.record(entry) } catch { return refuse(error) }
    isHolding = true
    let start = monotonicSeconds()
    let status = limited(body)
    output.flush()
    entry = settings.entry(.ended, of: attachment, line)
    (entry.status, entry.rows) = (status, session.parts.console.answeredRows)
    entry.milliseconds = (monotonicSeconds() - start) * 1000
    entry.diff = savedDiff.isEmpty ? nil : savedDiff
    isHolding = false
    do { try settings.record(entry) } catch {
      (held, heldBytes) = ([], 0)
      return refuse(error)
    }
    sendHeld()
    return status
  }

  private func refuse(_ error: any Error) -> Int32 {
    _ = send("error: the transcript does not take the line: \(error)\n", isMessage: true)
    return ExitStatus.inputOutput
  }

  /// Runs `body` within the time limit; the client can stop it.
  private func limited<Result>(_ body: () -> Result) -> Result {
    try? engine.lua.setTimeLimit(seconds: settings.limits.seconds)
    defer { try? engine.lua.setTimeLimit(seconds: nil) }
    return attachment.running(engine, body)
  }

  private func sendHeld() {
    for event in held { _ = attachment.send(event) }
    (held, heldBytes) = ([], 0)
  }

  private func send(_ text: String, isMessage: Bool) -> Bool {
    let event = ServerEvent.text(text, isMessage: isMessage)
    guard isHolding else { return attachment.send(event) }
    held.append(event)
    heldBytes += text.utf8.count
    if heldBytes > Self.mostHeld { sendHeld() }
    return !attachment.isClosed
  }

  // MARK: The client

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
    case .diagnostic(let diagnostic): _ = send(text(of: diagnostic), isMessage: true)
    case .remark(let remark): _ = send(remark.text(layout, isAtPrompt: hello.isInteractive), isMessage: true)
    case .progress, .change: break
    }
  }

  private func print(_ bytes: [UInt8], isMessage: Bool) throws {
    for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
      var text = String(decoding: bytes[start..<min(start + 1 << 16, bytes.count)], as: UTF8.self)
      // What a script prints must not control the terminal of the client.
      if layout.isTerminal { text = DisplayText.picturingControls(in: text, layout.charset, keepingLines: true) }
      guard send(text, isMessage: isMessage) else { throw OutputFailure.brokenPipe }
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
    output.flush()
    sendHeld()
    guard attachment.send(.question(question)) else { return false }
    while !attachment.isClosed, !engine.lua.isInterrupted {
      if let request = attachment.take() {
        if case .answer(let yes) = request { return yes }
        continue
      }
      _ = DescriptorWait.wait(for: [attachment.waker.descriptor], seconds: 1)
    }
    return false
  }

  // MARK: Texts

  /// `shop · orders.sqlite (2 entities, 8 kB), read-only`
  private var banner: String {
    [settings.programName, session.parts.title.summary].compactMap(\.self)
      .joined(separator: " \(layout.charset.dot) ")
  }

  /// `orders:ro`
  private var prompt: String {
    let title = session.parts.title
    let count = engine.stores.unsavedChangeCount
    return title.name + (title.state.map { ":" + $0 } ?? "") + (count > 0 ? "*\(Quantity.grouped(count))" : "")
  }

  private static func json(_ mark: LuaColours.Mark) -> JSON {
    .array([.int(Int64(mark.range.lowerBound)), .int(Int64(mark.range.upperBound)), .string(mark.role.rawValue)])
  }
}

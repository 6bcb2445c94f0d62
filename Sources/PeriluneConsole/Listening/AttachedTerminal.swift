internal import FullScreens
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import RemoteConsole
internal import Session

/// The terminal of an attached client, for a full screen: keys come as messages, and frames go as messages.
///
/// The time limit is that of each thing that a person does there; waiting for a key does not count.
final class AttachedTerminal: ScreenTerminal {
  private let client: AttachedClient
  private let engine: Engine
  private let limits: ConsoleLimits
  private var typed: [UInt8] = []
  private var wasResized = false

  /// The most bytes of keys that wait; a client that sends more is cut off.
  private static let mostTyped = 1 << 16

  init(_ client: AttachedClient, _ engine: Engine, _ limits: ConsoleLimits) {
    (self.client, self.engine, self.limits) = (client, engine, limits)
  }

  private var attachment: Attachment { client.attachment }

  var size: TerminalSize? { client.screenSize }

  func begin() -> Bool {
    client.release()
    return true
  }

  func end(unread: [UInt8]) {
    _ = attachment.send(.screenEnd(unread + typed))
    // What called the screen stops, too.
    if attachment.isClosed { engine.interrupt() }
  }

  /// What is printed meanwhile comes after the screen.
  func enter() -> Bool { true }
  var isTaken: Bool { true }
  var hasEnded: Bool { attachment.isClosed }

  func show(_ frame: ScreenFrame) {
    let lines = frame.lines.map { ScreenContent.Line($0.text, width: $0.width) }
    _ = attachment.send(.screen(ScreenContent(lines, cursor: frame.cursor.map { ($0.row, $0.column) })))
  }

  /// The client has each frame whole.
  func forgetScreen() {}

  var hasInput: Bool {
    takeRequests()
    return !typed.isEmpty
  }

  var isPending: Bool { hasInput || wasResized || hasEnded }

  func read() -> [UInt8]? {
    defer { typed = [] }
    return typed
  }

  func wait(for descriptors: [Int32], seconds: Double?, isInterrupted: @escaping () -> Bool) -> ScreenEvent {
    let isSignalled = { [self] in isInterrupted() || wasResized || hasEnded }
    if isSignalled() { return .signal }
    try? engine.lua.setTimeLimit(seconds: nil)
    let waker = attachment.waker.descriptor
    let ready = DescriptorWait.wait(for: [waker] + descriptors, seconds: seconds)
    try? engine.lua.setTimeLimit(seconds: limits.seconds)
    takeRequests()
    if isSignalled() { return .signal }
    return typed.isEmpty ? .turn(ready?.filter { $0 != waker } ?? []) : .input
  }

  /// Ctrl-C interrupts the engine.
  func takeSignals() -> ScreenSignals {
    defer { wasResized = false }
    return ScreenSignals(interrupt: false, resize: wasResized)
  }

  private func takeRequests() {
    while let request = attachment.take() {
      switch request {
      case .keys(let bytes):
        typed += bytes
        guard typed.count <= Self.mostTyped else {
          _ = attachment.send(.refused("too many keys wait"))
          return attachment.close()
        }
      case .resize(let width, let height):
        client.resize(width, height)
        wasResized = true
      case .evaluate(let id, _), .save(let id): refuse(id)
      case .complete(let id, _, _), .isComplete(let id, _), .arguments(let id, _), .colours(let id, _, _):
        _ = attachment.send(.reply(id: id, .null))
      case .hello, .interrupt, .answer, .leave: break
      }
    }
  }

  private func refuse(_ id: Int64) {
    _ = attachment.send(.text("error: a full screen is shown, which is to be left first\n", isMessage: true))
    _ = attachment.send(.end(id: id, ServerEvent.Ending(status: ExitStatus.usage, prompt: "", unsavedCount: 0)))
  }
}

extension Screens {
  /// The full screens of an attached client, where it has a terminal.
  init(of client: @escaping () -> AttachedClient?) {
    func screens() throws -> SessionScreens {
      guard let screens = client()?.screens else {
        throw ArgumentFailure(function: "watch", message: "no client is there")
      }
      return screens
    }
    self.init(
      canBeShown: { client()?.screenSize != nil },
      watchRows: { try screens().watch($0, $1, search: $2) },
      watchPlot: { try screens().watch($0) },
      browse: { try screens().browse($0, in: $1) },
      browseDifferences: { _ = try screens().browse($0) },
      repl: { _ in throw ArgumentFailure(function: "repl", message: "it needs a terminal") })
  }
}

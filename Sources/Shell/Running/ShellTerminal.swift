internal import FullScreens
internal import Glibc
internal import Presentation
internal import Terminal

/// The program's own terminal, for a full screen.
///
/// What callbacks print goes to the screen below that one, which is there again afterwards.
final class ShellTerminal: ScreenTerminal {
  private let surroundings: Surroundings
  private let terminal = FullScreenTerminal()
  private var willPrint: (() -> Void)?
  private var wasResized = false
  /// The signal that ends the program.
  private var ended: TerminalSignals.Kind?

  private static let signals: [TerminalSignals.Kind] = [.suspend, .terminate, .hangup]

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  var size: TerminalSize? { TerminalSize.current(1) }

  func begin() -> Bool {
    guard terminal.enter() else { return false }
    TerminalSignals.install([.resize] + Self.signals)
    willPrint = surroundings.willPrint
    surroundings.isOnFullScreen = true
    surroundings.willPrint = { [terminal] in terminal.leave() }
    _ = TerminalSignals.take(.interrupt)
    return true
  }

  func end(unread: [UInt8]) {
    surroundings.willPrint = willPrint
    surroundings.isOnFullScreen = false
    terminal.leave()
    UnreadInput.giveBack(unread)
    TerminalSignals.uninstall(Self.signals)
    // The prompt needs the signal, too.
    if wasResized { raise(SIGWINCH) }
    if let ended { TerminalSignals.perform(ended) }
  }

  func enter() -> Bool { terminal.enter() }
  var isTaken: Bool { terminal.isTaken }

  var hasEnded: Bool {
    if terminal.hasFailed { ended = .hangup }
    return ended != nil
  }

  func show(_ frame: ScreenFrame) { terminal.show(frame) }
  func forgetScreen() { terminal.forgetScreen() }

  var hasInput: Bool { terminal.hasInput }
  var isPending: Bool { terminal.hasInput || TerminalSignals.isPending }

  func read() -> [UInt8]? {
    let bytes = terminal.read()
    if bytes == nil { ended = .hangup }
    return bytes
  }

  func wait(for descriptors: [Int32], seconds: Double?, isInterrupted: @escaping () -> Bool) -> ScreenEvent {
    let sources = EventSources(
      descriptors: { descriptors }, secondsToNextTimer: { seconds }, isInterrupted: isInterrupted)
    return switch EventLoop(sources: sources).next(input: terminal.input, acceptsTurns: true) {
    case .input: .input
    case .signal: .signal
    case .turn(let ready): .turn(ready)
    }
  }

  func takeSignals() -> ScreenSignals {
    var signals = ScreenSignals(interrupt: TerminalSignals.take(.interrupt), resize: TerminalSignals.take(.resize))
    if signals.resize { wasResized = true }
    if TerminalSignals.take(.suspend) {
      terminal.leave()
      TerminalSignals.perform(.suspend)
      // The program continues here after `fg`.
      TerminalSignals.install([.suspend])
      signals.resize = true
    }
    for kind in [TerminalSignals.Kind.terminate, .hangup] where TerminalSignals.take(kind) { ended = kind }
    return signals
  }
}

internal import FullScreens
internal import Presentation
internal import RemoteConsole
internal import Terminal

/// A full screen of a session in another program: frames come from there, and keys go there.
struct RemoteScreen {
  private let remote: RemoteSession
  private let terminal: ShellTerminal
  private let style: Style

  init(_ remote: RemoteSession, _ surroundings: Surroundings) {
    self.remote = remote
    terminal = ShellTerminal(surroundings)
    style = surroundings.outputStyle
  }

  /// Shows the screen until the session ends it, or the connection is lost.
  func run(_ first: ScreenContent) {
    guard terminal.begin() else { return remote.send(.interrupt) }
    var unread: [UInt8] = []
    defer { terminal.end(unread: unread) }
    var content = first
    // A message is shown below the screen, until that goes on.
    var isCovered = false
    while true {
      while let event = remote.wait(seconds: 0) {
        switch event {
        case .screen(let next): (content, isCovered) = (next, false)
        case .screenEnd(let rest): return unread = rest
        default:
          remote.show(event)
          isCovered = true
        }
      }
      guard remote.loss == nil, !terminal.hasEnded else { return }
      if !isCovered, terminal.enter() { terminal.show(frame(content)) }
      switch terminal.wait(for: remote.watched, seconds: nil, isInterrupted: { false }) {
      case .input: if let bytes = terminal.read() { remote.send(.keys(bytes)) }
      case .signal: attendToSignals()
      case .turn: break
      }
    }
  }

  private func attendToSignals() {
    let signals = terminal.takeSignals()
    if signals.interrupt { remote.send(.interrupt) }
    guard signals.resize else { return }
    terminal.forgetScreen()
    remote.resizeIfNeeded()
  }

  private func frame(_ content: ScreenContent) -> ScreenFrame {
    let size = terminal.size ?? TerminalSize(columns: 80, rows: 24)
    var frame = ScreenFrame(size)
    // Lines of a wider window come until the session knows of this one.
    frame.lines = content.lines.prefix(size.rows).map { line in
      line.width <= size.columns ? ScreenLine(styled: line.text, width: line.width, style) : ScreenLine(style)
    }
    if let cursor = content.cursor, cursor.row < size.rows, cursor.column < size.columns {
      frame.cursor = ScreenFrame.Place(row: cursor.row, column: cursor.column)
    }
    return frame
  }
}

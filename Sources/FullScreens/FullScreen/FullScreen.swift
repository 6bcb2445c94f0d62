internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import Session

/// A full screen and its loop, which waits for keys, signals and the events of the engine's loop, so that timers and commits
/// of other programs are handled as at the prompt.
///
/// A subclass draws (`draw`), obeys keys (`handle`), and does what is due (`dueTime`, `attend`). Ctrl-C leaves, if it does not mean
/// something else there (`interrupt`).
package class FullScreen {
  let session: Session
  let terminal: any ScreenTerminal
  let style: Style
  let charset: Charset
  final var engine: Engine { session.engine }

  final var size = TerminalSize(columns: 80, rows: 24)
  /// A remark for the user until the next key.
  final var remark: (text: String, role: Style.Role)? { didSet { needsDrawing = true } }
  final var isEnding = false
  /// The first line that is shown of a page that is longer than the window.
  final var pageTop = 0
  /// How many turns of the loop ran something, which may have changed what is shown.
  final private(set) var turns = 0
  /// The time of the last turn for a source of the loop, such as commits of other programs.
  private var lastSourceTurn = -Double.infinity

  /// The least time between two drawings of changes, and between two turns for sources of the loop: a program that commits a
  /// thousand times a second causes ten turns with a hundred commits each.
  static let interval = 0.1

  private var keys = KeyDecoder()
  private var keysReadTime = 0.0
  /// Whether the size of the window or the remark is another since this was set to false.
  final var needsDrawing = false

  /// The seconds after which Esc is the key and not the beginning of another.
  private static let escapeDelay = 0.05

  init(_ session: Session, _ terminal: any ScreenTerminal) {
    self.session = session
    self.terminal = terminal
    style = session.parts.console.layout.style
    charset = session.parts.console.layout.charset
  }

  // MARK: What a subclass does

  /// Shows the screen as it should be now.
  func draw() throws {}

  func handle(_ key: Key) {}

  /// The time of the next call of `attend` without an event; nil for never.
  var dueTime: Double? { nil }

  /// Does what is due.
  func attend(at now: Double) throws {}

  /// Ctrl-C, which has stopped nothing: leaves.
  func interrupt() { isEnding = true }

  /// Another size of the window.
  func sizeChanged() {}

  // MARK: The loop

  /// Shows the screen until the user leaves, and then restores the terminal.
  ///
  /// - Throws: the error of a script that ends the program.
  package final func run() throws {
    flush()
    guard terminal.begin() else { return }
    defer { terminal.end(unread: keys.takeRest()) }
    measure()
    repeat {
      try draw()
      try step()
    } while !isEnding && !terminal.hasEnded
  }

  private func flush() { session.parts.console.client.flush() }

  /// Shows a frame; a callback may have printed and left the screen.
  final func show(_ frame: ScreenFrame) {
    guard terminal.enter() else { return }
    terminal.show(frame)
  }

  /// Attends to one thing: keys, a signal, or what is due.
  private func step() throws {
    if terminal.hasInput { return readKeys() }
    let rest = sourcesRest
    let event = terminal.wait(
      for: rest > 0 ? [] : engine.loop.descriptors, seconds: secondsToNextTimer(rest: rest),
      isInterrupted: { [engine] in engine.lua.isInterrupted })
    switch event {
    case .input: readKeys()
    case .signal: try attendToSignals()
    case .turn(let ready):
      let now = monotonicSeconds()
      if keys.isWaiting, now >= keysReadTime + Self.escapeDelay { handleKeys(isComplete: true) }
      try attend(at: now)
      try runTurn(ready)
    }
  }

  /// The seconds until sources of the loop may have a turn again; not positive if they may.
  private var sourcesRest: Double { lastSourceTurn + Self.interval - monotonicSeconds() }

  private func secondsToNextTimer(rest: Double) -> Double? {
    let now = monotonicSeconds()
    let escape = keys.isWaiting ? keysReadTime + Self.escapeDelay - now : nil
    let loop = rest > 0 ? [engine.loop.secondsToNextScriptTimer, rest] : [engine.loop.secondsToNextTimer]
    return (loop + [escape, dueTime.map { $0 - now }]).compactMap(\.self).min().map { max($0, 0) }
  }

  /// Runs timers, and looks at what others committed.
  final func runTurn(_ ready: [Int32]) throws {
    let rests = sourcesRest > 0
    let timer = rests ? engine.loop.secondsToNextScriptTimer : engine.loop.secondsToNextTimer
    guard !ready.isEmpty || (timer ?? .infinity) <= 0 else { return }
    turns += 1
    if !rests { lastSourceTurn = monotonicSeconds() }
    engine.loop.runTurn(ready: ready)
    flush()
    if engine.lua.isInterrupted { try attendToSignals() }
  }

  private func readKeys() {
    guard let bytes = terminal.read() else { return isEnding = true }
    keys.feed(bytes)
    keysReadTime = monotonicSeconds()
    handleKeys(isComplete: false)
  }

  private func handleKeys(isComplete: Bool) {
    while !isEnding, let key = keys.next(isComplete: isComplete) {
      remark = nil
      handle(key)
    }
  }

  // MARK: Signals

  private func attendToSignals() throws {
    let signals = terminal.takeSignals()
    switch engine.lua.interruption {
    case .interrupted:
      engine.lua.clearInterrupt()
      takeInterrupt()
    case .timedOut, .exited: try engine.lua.checkInterrupt()
    case nil: if signals.interrupt { takeInterrupt() }
    }
    if signals.resize { measure() }
  }

  /// Ctrl-C: tells of the callback that it stopped, and otherwise means what it means on this screen.
  private func takeInterrupt() {
    keys.reset()
    guard let stopped = engine.turns.takeStoppedCallback() else { return interrupt() }
    let place = Diagnostic.innermostCall(engine.report(stopped)).map { " in \($0)" } ?? ""
    remark = ("stopped\(place)", .warning)
  }

  /// Takes notice of how large the window is now.
  private func measure() {
    let former = size
    size = terminal.size ?? size
    needsDrawing = true
    terminal.forgetScreen()
    if size != former { sizeChanged() }
  }
}

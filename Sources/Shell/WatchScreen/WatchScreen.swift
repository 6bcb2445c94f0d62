internal import Glibc
internal import LiveQueries
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Terminal

/// A full screen for live results: their rows as they are, with what changed last marked.
///
/// One loop waits for keys, signals and the events of the engine's loop; timers and commits of other programs are
/// handled as at the prompt. Keys sort, filter and fold by changing the results' own configuration.
final class WatchScreen {
  let session: EngineSession
  let watched: WatchedResults
  let terminal: FullScreenTerminal
  let columns: EntityColumns
  let style: Style
  let charset: Charset

  var results: FetchedResults { watched.results }
  var engine: Engine { session.engine }
  var entity: Entity { results.request.entity }

  /// The request before keys changed it.
  let original: FetchRequest
  var rows = WatchRows(count: 0)
  /// The sections of which only the headings are shown.
  var folded: Set<Value> = []
  /// The line that the arrows move.
  var selected = 0
  /// The object on that line, which it stays with.
  private var selectedObject: ObjectID?
  /// The first line that is shown.
  var top = 0
  /// The column that keys sort by, among those that are shown.
  var column = 0
  /// The typed filter for the rows.
  var filter: PredicateEditor?
  var isFiltering = false
  /// The time at which the typed filter takes effect; nil if it has.
  var filterTime: Double?
  /// The effects of the last changes on rows.
  private(set) var marks = WatchMarks()
  /// The cells of the rows that were drawn last.
  private var drawnCells: [ObjectID: [CellText]] = [:]
  /// A description of the last change.
  private(set) var news = ""
  /// A remark in the place of that, until the next key.
  var remark: (text: String, role: Style.Role)?
  var isEnding = false
  /// The signal that ends the program.
  var terminated: TerminalSignals.Kind?

  var size = TerminalSize(columns: 80, rows: 24)
  var keys = KeyDecoder()
  private var keysReadTime = 0.0
  var wasResized = false

  /// The seconds after which Esc is the key and not the beginning of another.
  private static let escapeDelay = 0.05

  init(_ session: EngineSession, _ watched: WatchedResults, columns: EntityColumns, _ terminal: FullScreenTerminal) {
    self.session = session
    self.watched = watched
    self.terminal = terminal
    self.columns = columns
    original = watched.results.request
    style = session.surroundings.outputStyle
    charset = session.surroundings.charset
  }

  /// Shows the screen until the user leaves, and then restores the terminal.
  ///
  /// - Throws: the error of a script that ends the program.
  func run() throws {
    session.surroundings.flushOutput()
    guard terminal.enter() else { return }
    let token = results.onChange(name: "watch") { [unowned self] in note($0) }
    TerminalSignals.install([.resize, .suspend, .terminate, .hangup])
    // What callbacks print goes to the screen below this one, which is there again afterwards.
    let willPrint = session.surroundings.willPrint
    session.surroundings.willPrint = { [terminal] in terminal.leave() }
    defer {
      token.cancel()
      session.surroundings.willPrint = willPrint
      terminal.leave()
      UnreadInput.giveBack(keys.takeRest())
      TerminalSignals.uninstall([.suspend, .terminate, .hangup])
      // The prompt needs the signal, too.
      if wasResized { raise(SIGWINCH) }
    }
    _ = TerminalSignals.take(.interrupt)
    measure()
    rebuild()
    repeat {
      try draw()
      try step()
      if terminal.hasFailed { terminated = .hangup }
      if watched.isClosed { isEnding = true }
    } while !isEnding && terminated == nil
  }

  // MARK: The loop

  /// Attends to one thing: keys, a signal, or what is due.
  private func step() throws {
    if terminal.hasInput { return readKeys() }
    let sources = EventSources(
      descriptors: { [engine] in engine.loopDescriptors }, secondsToNextTimer: { [self] in secondsToNextTimer },
      isInterrupted: { [engine] in engine.lua.isInterrupted })
    switch EventLoop(sources: sources).next(input: terminal.input, acceptsTurns: true) {
    case .input: readKeys()
    case .signal: try attendToSignals()
    case .turn(let ready):
      let now = monotonicSeconds()
      if keys.isWaiting, now >= keysReadTime + Self.escapeDelay { handleKeys(isComplete: true) }
      marks.expire(at: now)
      if let filterTime, now >= filterTime { applyFilter() }
      try runTurn(ready)
    }
  }

  private var secondsToNextTimer: Double? {
    let now = monotonicSeconds()
    let escape = keys.isWaiting ? keysReadTime + Self.escapeDelay - now : nil
    let times = [engine.secondsToNextTimer, escape, filterTime.map { $0 - now }, marks.nextEnd.map { $0 - now }]
    return times.compactMap(\.self).min().map { max($0, 0) }
  }

  /// Runs timers, and looks at what others committed.
  func runTurn(_ ready: [Int32]) throws {
    guard !ready.isEmpty || (engine.secondsToNextTimer ?? .infinity) <= 0 else { return }
    engine.runLoopTurn(ready: ready)
    session.surroundings.flushOutput()
    if engine.lua.isInterrupted { try attendToSignals() }
  }

  private func readKeys() {
    guard let bytes = terminal.read() else {
      terminated = .hangup
      return
    }
    keys.feed(bytes)
    keysReadTime = monotonicSeconds()
    handleKeys(isComplete: false)
  }

  private func handleKeys(isComplete: Bool) {
    while !isEnding, let key = keys.next(isComplete: isComplete) { handle(key) }
  }

  // MARK: What is shown

  /// Takes note of a change: what it did is marked for a while.
  private func note(_ change: ResultsChange) {
    if change.kind != .configuration {
      news = WatchMark.text(of: change)
      marks.add(change, at: monotonicSeconds())
    }
    rebuild()
  }

  /// Takes note of the cells that are drawn now: those that a change made others are marked.
  func notice(_ cells: [ObjectID: [CellText]]) {
    for (id, new) in cells { if let old = drawnCells[id] { marks.compare(old, with: new, of: id) } }
    drawnCells = cells
  }

  /// Lays the lines out anew; the selection stays with its object.
  func rebuild() {
    if watched.isSectioned {
      let sections = results.sections
      rows = WatchRows(sections: sections.lazy.map(\.count)) { [folded] in
        !folded.isEmpty && folded.contains(sections[$0].id)
      }
    } else {
      rows = WatchRows(count: results.count)
    }
    if let id = selectedObject, let index = results.index(of: results.live.context.object(id)) {
      select(rows.place(ofRow: index))
    } else {
      select(selected)
    }
  }

  /// Moves to a line, or the nearest one there is.
  func select(_ line: Int) {
    selected = min(max(line, 0), max(rows.count - 1, 0))
    selectedObject = nil
    guard selected < rows.count, case .row(let row) = rows.line(at: selected) else { return }
    selectedObject = results.objectIDs(row..<row + 1).first
  }
}

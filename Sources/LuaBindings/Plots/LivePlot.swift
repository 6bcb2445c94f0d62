internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Plots
internal import Queries
internal import Reactive

/// A plot that follows what a request selects.
///
/// A commit takes the rows that it changed from where they were drawn and draws them where they belong now; the plot of
/// the next look has no more work than its bars and cells. All rows are read again only where an axis has to grow, or
/// where too much has changed to be told.
///
/// Invariant: unless the plot is stale, `marks` holds for each row where it is drawn, and the builder is that of these
/// marks.
final class LivePlot {
  private(set) var source: PlotSource
  private let rows: FetchedValues
  /// The live objects whose request is followed; nil where the plot has its own.
  private let results: FetchedResults?
  private var builder: PlotBuilder
  /// Where each row is drawn, by its key.
  private var marks: [Int64: PlotBuilder.Mark] = [:]
  /// Whether all rows must be read again.
  private var isStale = false
  /// Whether an axis has no ends yet.
  private var isWithoutEnds = false
  private var drawn: Plot?
  private var changes: ObservationToken?
  private var configurations: ObservationToken?
  private var observers: [Int: () -> Void] = [:]
  private var lastObserver = 0
  /// How often all rows were read.
  private(set) var readings = 0
  private var accountedBytes = 0
  private weak var lua: LuaState?

  var context: BoundContext { source.context }
  /// Whether it no longer follows the store.
  var isClosed: Bool { rows.isClosed || context.isClosed || results?.isClosed == true }

  init(_ source: PlotSource, following results: FetchedResults? = nil) throws {
    self.source = source
    self.results = results
    lua = source.context.engine.lua
    rows = try FetchedValues(source.dictionaries, in: source.context.live)
    var read: [Int64: PlotBuilder.Mark] = [:]
    builder = try source.builder(isLive: true) { read[$0] = $1 }
    marks = read
    try finishReading()
    followRows()
    configurations = results?.onChange(name: "plot") { [weak self] in self?.follow($0) }
  }

  /// Has changes of rows drawn; what has observers stays, as live results do, although no script may hold it.
  private func followRows() {
    changes?.cancel()
    changes =
      observers.isEmpty
      ? rows.onChange(name: "plot") { [weak self] in self?.take($0) }
      : rows.onChange(name: "plot") { [self] in take($0) }
  }

  deinit {
    close()
    // What is kept by its observers may outlive the engine.
    if let lua, !lua.isClosed { lua.accountExternalBytes(-accountedBytes) }
  }

  func close() {
    configurations?.cancel()
    observers = [:]
    rows.close()
  }

  /// Has `body` called after each change of what is drawn.
  func onChange(_ body: @escaping () -> Void) -> ObservationToken {
    lastObserver += 1
    let number = lastObserver
    observers[number] = body
    if observers.count == 1 { followRows() }
    return ObservationToken { [weak self] in self?.endObserver(number) }
  }

  private func endObserver(_ number: Int) {
    guard observers.removeValue(forKey: number) != nil, observers.isEmpty, !rows.isClosed else { return }
    followRows()
  }

  private func tellObservers() {
    drawn = nil
    for observer in observers.sorted(by: { $0.key < $1.key }) { observer.value() }
  }

  /// The plot as it is now.
  ///
  /// - Throws: PredicateError, StoreError.
  func plot() throws -> Plot {
    rows.source.access()
    if isStale || builder.needsAxes { try readAgain() }
    if let drawn { return drawn }
    if builder.isUnsure { builder.settle(marks.values) }
    let plot = builder.plot()
    drawn = plot
    return plot
  }

  private func readAgain() throws {
    marks = [:]
    builder = try source.builder(isLive: true) { marks[$0] = $1 }
    try finishReading()
  }

  private func finishReading() throws {
    (isStale, drawn) = (false, nil)
    readings += 1
    isWithoutEnds = try source.isWithoutEnds()
    // A key, a mark and what the table has beside them.
    let bytes = marks.capacity * (MemoryLayout<PlotBuilder.Mark>.stride + 9)
    context.engine.lua.accountExternalBytes(bytes - accountedBytes)
    accountedBytes = bytes
  }

  /// Takes over the request of the live objects where it is another.
  private func follow(_ change: ResultsChange) {
    guard change.kind == .configuration, let results else { return }
    source = source.replacing(results.request)
    isStale = true
    // A request that cannot be fetched is not one that live objects have taken over.
    try? rows.replace(with: source.dictionaries)
    tellObservers()
  }

  /// Draws the rows of a change anew.
  private func take(_ change: ResultsChange) {
    // Contexts with a parent tell no rows, and a reload may leave some out.
    let entries = change.deleted + change.inserted + change.updated + change.moved
    if change.isReload || isWithoutEnds || entries.contains(where: { $0.objectID == nil }) { isStale = true }
    guard !isStale else { return tellObservers() }
    var isOther = false
    for entry in entries {
      guard let key = entry.objectID?.key else { continue }
      let old = marks.removeValue(forKey: key)
      let isThere = entry.index != nil && !entry.values.isEmpty
      let new = isThere ? source.mark(entry.values, in: &builder) : nil
      marks[key] = new
      guard old != new else { continue }
      isOther = true
      if let old { builder.remove(old) }
      if let new { builder.insert(new) }
    }
    if isOther { tellObservers() }
  }
}

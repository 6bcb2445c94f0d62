internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Plots
internal import Queries
internal import Reactive

/// A plot that follows the results of a request.
///
/// The cycle: a commit removes the changed rows from where they were drawn and adds them where they belong now. Drawing
/// the plot then costs no more than its bars and cells. All rows are read again only if an axis has to grow, or if too
/// much has changed to report it row by row.
///
/// Invariant: unless the plot is stale, `marks` has the drawn position of each row, and the builder consists of these
/// marks.
final class LivePlot {
  private(set) var source: PlotSource
  private let rows: FetchedValues
  /// The live objects whose request the plot follows; nil if the plot has a request of its own.
  private let results: FetchedResults?
  private var builder: PlotBuilder
  /// The drawn position of each row, by its key.
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

  /// Begins to follow the rows. Like live results, a plot with observers is retained even if no script holds it.
  private func followRows() {
    changes?.cancel()
    changes =
      observers.isEmpty
      ? rows.onChange(name: "plot") { [weak self] in self?.take($0) }
      : rows.onChange(name: "plot") { [self] in take($0) }
  }

  deinit {
    close()
    // Observers may retain the plot longer than the engine.
    if let lua, !lua.isClosed { lua.accountExternalBytes(-accountedBytes) }
  }

  func close() {
    configurations?.cancel()
    observers = [:]
    rows.close()
  }

  /// Calls `body` after each change of the plot.
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

  /// The plot in its current state.
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
    // A key, a mark and the overhead of the dictionary.
    let bytes = marks.capacity * (MemoryLayout<PlotBuilder.Mark>.stride + 9)
    context.engine.lua.accountExternalBytes(bytes - accountedBytes)
    accountedBytes = bytes
  }

  /// Follows the request of the live objects if it has changed.
  private func follow(_ change: ResultsChange) {
    guard change.kind == .configuration, let results else { return }
    source = source.replacing(results.request)
    isStale = true
    // The live objects have fetched their request, so it is valid.
    try? rows.replace(with: source.dictionaries)
    tellObservers()
  }

  /// Redraws the rows of a change.
  private func take(_ change: ResultsChange) {
    // Contexts with a parent report no rows, and a reload may leave some out.
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

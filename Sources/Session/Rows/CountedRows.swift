internal import LuaBindings
internal import Presentation

/// A source that counts the rows that pass, to show progress and to check for Ctrl-C.
final class CountedRows: RawTabularSource {
  private let rows: any TabularSource
  private let raw: (any RawTabularSource)?
  private let engine: Engine
  private let progress: ProgressReport
  private(set) var count = 0

  var columns: [TabularColumn] { rows.columns }
  var rowName: String? { rows.rowName }
  var heading: String? { rows.heading }
  var tableName: String? { rows.tableName }

  init(_ rows: any TabularSource, _ engine: Engine, _ progress: ProgressReport) {
    self.rows = rows
    raw = rows as? any RawTabularSource
    self.engine = engine
    self.progress = progress
  }

  /// The source for a renderer: this, or a wrapper without raw bytes if the rows have none.
  var source: any TabularSource { raw == nil ? PlainRows(self) : self }

  func next() throws -> [Cell]? {
    guard let row = try rows.next() else { return nil }
    try countOne()
    return row
  }

  func next(into row: inout [RawCell]) throws -> Bool {
    guard try raw?.next(into: &row) == true else { return false }
    try countOne()
    return true
  }

  func writeParts(
    _ write: @escaping @Sendable (_ rows: any RawRowSource, _ sink: OutputSink) throws -> Void,
    _ deliver: (_ bytes: [UInt8], _ rows: Int) throws -> Void
  ) throws -> Bool {
    guard let raw else { return false }
    return try raw.writeParts(write) { bytes, rows in
      count += rows
      try engine.lua.checkInterrupt()
      progress.update(count)
      try deliver(bytes, rows)
    }
  }

  private func countOne() throws {
    count += 1
    // A row may contain megabytes.
    if count & 31 == 0 { try engine.lua.checkInterrupt() }
    guard count & 1023 == 0 else { return }
    progress.update(count)
  }

  /// The rows as cells only.
  private final class PlainRows: TabularSource {
    private let counted: CountedRows
    init(_ counted: CountedRows) { self.counted = counted }
    var columns: [TabularColumn] { counted.columns }
    var rowName: String? { counted.rowName }
    var heading: String? { counted.heading }
    var tableName: String? { counted.tableName }
    func next() throws -> [Cell]? { try counted.next() }
  }
}

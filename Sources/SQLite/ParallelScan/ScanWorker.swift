internal import Modeling
internal import StoreErrors

/// A connection of a parallel scan, with its statement. One thread uses it at a time: the owner's until it is started and once it
/// has ended, its own in between.
final class ScanWorker: @unchecked Sendable {
  private var statement: Statement?
  private let bounds: (from: Int, to: Int)
  /// What was read, by the number of the range.
  private(set) var parts: [(range: Int, rows: ScannedRows)] = []
  private(set) var failure: StoreError?

  /// Prepares a statement with the parameters `:from` and `:to` and others, which get `values`.
  init(_ connection: Connection, _ sql: String, _ values: [Value]) throws(StoreError) {
    let statement = try connection.prepare(sql)
    self.statement = statement
    bounds = (statement.parameter(named: ":from") ?? 0, statement.parameter(named: ":to") ?? 0)
    var rest = values.makeIterator()
    for index in 1..<statement.parameterCount + 1 where index != bounds.from && index != bounds.to {
      try statement.bind(rest.next() ?? .null, at: index)
    }
  }

  /// Reads one range after the other until none is left.
  func run(_ work: ScanWork) {
    do throws(StoreError) {
      while let statement, let number = work.next() {
        parts.append((number, try read(work.ranges[number], statement, work)))
      }
    } catch {
      failure = error
      work.stop()
    }
  }

  /// Lets go of the statement, so that the last reference to it is the owner's: its connection knows no other thread.
  func end() { statement = nil }

  private func read(_ range: ClosedRange<Int64>, _ statement: Statement, _ work: ScanWork) throws(StoreError)
    -> ScannedRows
  {
    try statement.bind(range.lowerBound, at: bounds.from)
    try statement.bind(range.upperBound, at: bounds.to)
    let rows = ScannedRows(width: statement.columnCount)
    while try statement.step() {
      try rows.append(statement)
      if rows.count > work.mostRows {
        work.stop()
        break
      }
    }
    return rows
  }
}

internal import Modeling
internal import StoreErrors

/// A connection of a parallel scan, with its statement. One thread uses it at a time: the owner's until it is started and once it
/// has ended, its own in between.
final class ScanWorker: @unchecked Sendable {
  private let connection: Connection
  private let sql: String
  private let values: [Value]
  /// What was read, by the number of the range.
  private(set) var parts: [(range: Int, rows: ScannedRows)] = []

  /// Compiles a statement with the parameters `:from` and `:to` and others, which get `values`.
  init(_ connection: Connection, _ sql: String, _ values: [Value]) throws(StoreError) {
    (self.connection, self.sql, self.values) = (connection, sql, values)
    connection.checkIn(try connection.checkOut(sql))
  }

  /// Reads the rows of one range after the other into `parts`, until none is left.
  func readRows(_ work: ScanWork) {
    do throws(StoreError) {
      while let number = work.next() {
        let statement = try bound(to: work.ranges[number])
        defer { connection.checkIn(statement) }
        parts.append((number, try rows(statement, work)))
      }
    } catch {
      work.stop()
    }
  }

  /// Has `read` make pieces of one range after the other, until none is left.
  func makePieces(_ work: ScanWork, _ pieces: OrderedPieces, _ read: ParallelScan.PieceReader) {
    while let number = work.next() {
      do {
        try read(bound(to: work.ranges[number])) { pieces.put(.bytes($0, rows: $1), of: number) }
        _ = pieces.put(.end, of: number)
      } catch {
        _ = pieces.put(.failure(error), of: number)
      }
    }
  }

  private func bound(to range: ClosedRange<Int64>) throws(StoreError) -> Statement {
    let statement = try connection.checkOut(sql)
    let bounds = (from: statement.parameter(named: ":from") ?? 0, to: statement.parameter(named: ":to") ?? 0)
    var rest = values.makeIterator()
    for index in 1..<statement.parameterCount + 1 where index != bounds.from && index != bounds.to {
      try statement.bind(rest.next() ?? .null, at: index)
    }
    try statement.bind(range.lowerBound, at: bounds.from)
    try statement.bind(range.upperBound, at: bounds.to)
    return statement
  }

  private func rows(_ statement: Statement, _ work: ScanWork) throws(StoreError) -> ScannedRows {
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

import Modeling
import SQLite

extension PlacementReader {
  /// Looking a row up by an entry of an index takes some ten times as long as going on in a scan, and a hundred times where
  /// the file is not in memory. SQLite does not know to how many rows an index leads: one of so many is the most that are
  /// looked up.
  private static let rowsForEachLookUp: Int64 = 64
  /// In tables of fewer rows nothing is gained.
  private static let fewestRows: Int64 = 4_000

  /// How many rows may be read as SQLite would, before a scan is better.
  func mostLookUps() throws -> Int {
    guard clauses.place.source.tables.count == 1, !clauses.conditions.isEmpty,
      case let layout = store.layout(of: request.entity), case .rowID(let rowID) = layout.key
    else { return .max }
    let greatest = try store.connection.first(
      "SELECT max(\(quotedName(rowID))) FROM main.\(quotedName(layout.table))")
    guard case .int(let rows)? = greatest, rows >= Self.fewestRows, try looksUpRows() else { return .max }
    return Int(clamping: rows / Self.rowsForEachLookUp)
  }

  /// Whether the plan reads entries of an index and then, for each, a row of the table.
  private func looksUpRows() throws -> Bool {
    let statement = try store.bound("EXPLAIN QUERY PLAN \(clauses.statement.sql)")
    defer { store.connection.checkIn(statement) }
    while try statement.step() {
      guard case .string(let line) = statement.value(3), case .access(let access) = PlanStep(line) else { continue }
      if access.subject == clauses.place.alias, access.isSearch, case .index(_, isCovering: false) = access.path {
        return true
      }
    }
    return false
  }
}

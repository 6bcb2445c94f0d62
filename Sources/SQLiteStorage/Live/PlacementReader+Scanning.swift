import Modeling
import SQLite

extension PlacementReader {
  /// A lookup of a row through an index costs some ten times as much as the next row of a scan, and a hundred times if
  /// the file is not in memory. SQLite does not know how many rows an index will find, so at most one row of this many
  /// is looked up.
  private static let rowsForEachLookUp: Int64 = 64
  /// In tables with fewer rows, a scan saves nothing.
  private static let fewestRows: Int64 = 4_000

  /// The number of rows to read by SQLite's own plan before a scan is better.
  func mostLookUps() throws -> Int {
    guard clauses.place.source.tables.count == 1, !clauses.conditions.isEmpty,
      case let layout = store.layout(of: request.entity), case .rowID(let rowID) = layout.key
    else { return .max }
    let greatest = try store.connection.first(
      "SELECT max(\(quotedName(rowID))) FROM main.\(quotedName(layout.table))")
    guard case .int(let rows)? = greatest, rows >= Self.fewestRows, try looksUpRows() else { return .max }
    return Int(clamping: rows / Self.rowsForEachLookUp)
  }

  /// Whether the plan reads index entries and then looks up a table row for each.
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

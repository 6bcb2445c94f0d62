import Layouts
import Modeling
package import Stores

extension Migrator {
  /// How many rows this leg writes, nearly: those of tables that are made anew, get a column with values, or have columns
  /// computed.
  package func expectedRows() throws(StoreError) -> Int {
    var rows = 0
    for table in old.schema.tables where retired.contains(table.name) && new.schema.table(table.name) != nil {
      rows += try count(table.name)
    }
    for table in new.schema.tables {
      rows += try count(table.name) * (filledColumns(of: table.name) + newComputations(of: table).count)
    }
    return rows
  }

  /// How many rows an old table has; 0 for one that there is not.
  private func count(_ table: String) throws(StoreError) -> Int {
    guard old.schema.table(table) != nil,
      case .int(let count)? = try connection.first("SELECT count(*) FROM \(quoteIdentifier(table))")
    else { return 0 }
    return Int(clamping: count)
  }
}

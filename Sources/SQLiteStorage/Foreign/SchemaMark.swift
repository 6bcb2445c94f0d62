import Modeling
import SQLite

/// A snapshot of a file's schema: tables, and the triggers that record the history.
struct SchemaMark {
  private var version: Int64?
  private var text: Value?

  /// The change of the schema since the snapshot.
  enum Change {
    case none
    /// A change that does not affect rows, such as an index or a view.
    case other
    /// A change of a table, or of the triggers that record changes.
    case tables
  }

  /// Takes a new snapshot and returns the change.
  mutating func look(_ connection: Connection) throws(StoreError) -> Change {
    let version = try connection.number(.schemaVersion)
    guard version != self.version else { return .none }
    let text = try connection.first(
      """
      SELECT group_concat(sql, ';') FROM (SELECT sql FROM main.sqlite_schema
        WHERE (type = 'table' AND name NOT LIKE '\\_perilune%' ESCAPE '\\')
          OR (type = 'trigger' AND name LIKE '\\_perilune\\_history%' ESCAPE '\\')
        ORDER BY name)
      """)
    defer { (self.version, self.text) = (version, text) }
    return text == self.text ? .other : .tables
  }
}

import Modeling
import SQLite

/// The schema of a file as it was when somebody looked: tables, and the triggers that record the history.
struct SchemaMark {
  private var version: Int64?
  private var text: Value?

  /// What became of the schema since.
  enum Change {
    case none
    /// Something that says nothing of rows: an index, say, or a view.
    case other
    /// A table, or what is recorded.
    case tables
  }

  /// Looks again.
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

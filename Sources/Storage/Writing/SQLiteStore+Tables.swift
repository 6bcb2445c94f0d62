public import Modeling
import SQLite

extension SQLiteStore {
  /// Creates a table for an entity in a plain SQLite file. The store must be reopened to see the entity.
  ///
  /// - Throws: StoreError.
  public func createTable(for description: EntityDescription) throws {
    if isReadOnly { throw readOnlyError }
    let columns = description.properties.compactMap(\.attribute).map { attribute in
      let type =
        switch attribute.type {
        case .integer16, .integer32, .integer64: "INTEGER"
        case .double, .float: "REAL"
        case .boolean: "BOOLEAN"
        case .data: "BLOB"
        default: "TEXT"
        }
      return "\(quotedName(attribute.name)) \(type)"
    }
    let unique = description.uniquenessConstraints.map { "UNIQUE (\($0.map(quotedName).joined(separator: ", ")))" }
    let table = quotedName(Self.table(for: description))
    try transaction {
      try connection.execute("CREATE TABLE \(table) (\((columns + unique).joined(separator: ", ")))")
    }
  }

  /// Drops the table that `createTable` made, unless it has rows. The store must be reopened.
  ///
  /// - Throws: StoreError.
  public func dropTable(for description: EntityDescription) throws {
    let table = quotedName(Self.table(for: description))
    try transaction {
      guard try connection.first("SELECT 1 FROM \(table) LIMIT 1") == nil else { return }
      try connection.execute("DROP TABLE \(table)")
    }
  }

  private static func table(for description: EntityDescription) -> String {
    let name = Naming.snakeCase(description.name)
    return Naming.upperCamelCase(name) == description.name ? name : description.name
  }
}

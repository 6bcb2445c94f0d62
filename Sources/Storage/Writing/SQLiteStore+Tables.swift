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
    let name = Naming.snakeCase(description.name)
    let table = Naming.upperCamelCase(name) == description.name ? name : description.name
    try transaction {
      try connection.execute("CREATE TABLE \(quotedName(table)) (\((columns + unique).joined(separator: ", ")))")
    }
  }
}

import Layouts
import Modeling
import SQLite

/// Any SQLite file: the model is derived from its schema, and writes need no bookkeeping.
struct PlainFormat: StoreFormat {
  var kind: StoreKind { .sqlite }
  var leavesReferences: Bool { true }
  var dataFiles: ExternalData? { nil }
}

extension PlainFormat {
  func add(
    _ description: EntityDescription, to store: SQLiteStore
  ) throws -> (model: Model, layouts: [Entity: EntityLayout])? {
    let columns = description.properties.compactMap(\.attribute).map { attribute in
      let type =
        switch attribute.type {
        case .integer16, .integer32, .integer64: "INTEGER"
        case .double, .float: "REAL"
        case .boolean: "BOOLEAN"
        case .data: "BLOB"
        default: "TEXT"
        }
      return "\(quoteIdentifier(attribute.name)) \(type)"
    }
    let unique = description.uniquenessConstraints.map { "UNIQUE (\($0.map(quoteIdentifier).joined(separator: ", ")))" }
    let snake = Naming.snakeCase(description.name)
    let table = Naming.upperCamelCase(snake) == description.name ? snake : description.name
    try store.connection.execute(
      "CREATE TABLE \(quoteIdentifier(table)) (\((columns + unique).joined(separator: ", ")))")
    let layout = try IntrospectedLayout(store.connection)
    return (layout.model, layout.layouts)
  }
}

public import Modeling
import SQLite

extension SQLiteStore {
  /// Adds an entity without relationships, and calls `body` with a store that has it, all in one transaction: if `body` throws, or
  /// the process ends meanwhile, there is no entity.
  ///
  /// The given store is of use within `body` alone; this one has to be reopened to see the entity.
  ///
  /// - Throws: StoreError; what `body` throws.
  public func adding<Result>(_ description: EntityDescription, _ body: (SQLiteStore) throws -> Result) throws -> Result
  {
    if isReadOnly { throw readOnlyError }
    // The store that `body` gets names columns in errors by its own model.
    defer { nameConstraints() }
    return try transaction {
      guard let (model, layouts) = try format.add(description, to: self) else { throw readOnlyError }
      return try body(SQLiteStore(connection, model, layouts, isReadOnly: false, format))
    }
  }
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

extension OwnFormat {
  func add(
    _ description: EntityDescription, to store: SQLiteStore
  ) throws -> (model: Model, layouts: [Entity: EntityLayout])? {
    let connection = store.connection
    let model = try store.model.adding(description)
    let layout = try ModelLayout(model)
    guard let entity = model.entity(named: description.name),
      let table = layout.schema.table(layout.tableName(of: entity))
    else { return nil }
    let history = HistorySwitch(connection)
    try history.suspend()
    try connection.execute(table.createStatement)
    for index in table.indexes { try connection.execute(index.createStatement) }
    for trigger in table.triggers { try connection.execute(trigger.sql) }
    try history.resume(MigrationPlan(from: store.model, to: model), layout, KeyShifts())
    var metadata = try StoreMetadata(connection)
    metadata.model = model.encoded()
    try metadata.write(connection)
    return (model, layout.layouts)
  }
}

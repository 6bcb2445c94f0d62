import SQLite

extension IntrospectedLayout {
  /// Reads the schema of an open file.
  ///
  /// - Throws: StoreError; ModelError never, unless a rule of models was overlooked here.
  init(_ connection: Connection, readsDateTexts: Bool = true) throws {
    let reader = try ForeignSchemaReader(connection)
    var types: [String: DeclaredType] = [:]
    var drafts = IntrospectedEntities(reader.tables)
    for index in drafts.all.indices { try drafts.addColumns(to: index, connection, &types) }
    if readsDateTexts { try drafts.findDates(connection) }
    try self.init(drafts, notes: reader.notes)
  }
}

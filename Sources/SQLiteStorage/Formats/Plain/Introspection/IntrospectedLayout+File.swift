import Layouts
import SQLite

extension IntrospectedLayout {
  /// Reads the schema of an open file. With `datesOf`, columns keep dates as those of other tables of their name do.
  ///
  /// - Throws: StoreError; ModelError never, unless a rule of models was overlooked here.
  init(_ connection: Connection, readsDateTexts: Bool = true, datesOf known: [EntityLayout]? = nil) throws {
    let reader = try ForeignSchemaReader(connection)
    var types: [String: DeclaredType] = [:]
    var drafts = IntrospectedEntities(reader.tables)
    for index in drafts.all.indices { try drafts.addColumns(to: index, connection, &types) }
    if let known {
      drafts.takeDates(of: known)
    } else if readsDateTexts {
      try drafts.findDates(connection)
    }
    try self.init(drafts, notes: reader.notes)
  }
}

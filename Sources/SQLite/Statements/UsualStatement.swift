/// A statement that every save or every turn runs; the connection keeps it compiled.
///
/// Each is created once as a constant; the connection finds it by its identity.
package final class UsualStatement: Sendable {
  package let sql: String

  package init(_ sql: String) { self.sql = sql }
}

extension UsualStatement {
  package static let beginWriting = UsualStatement("BEGIN IMMEDIATE")
  package static let commit = UsualStatement("COMMIT")
  // Statements with this word are hidden where statements are shown to people.
  static let beginReading = UsualStatement("BEGIN /* _perilune */")
  static let endReading = UsualStatement("COMMIT /* _perilune */")
  package static let dataVersion = UsualStatement("PRAGMA data_version")
  package static let schemaVersion = UsualStatement("PRAGMA main.schema_version")
}

/// Statements that every save and every turn say: the connection keeps them compiled.
enum UsualStatement: Int, CaseIterable {
  case beginWriting
  case commit
  case beginReading
  case endReading
  case dataVersion
  case schemaVersion
  /// Adds a save to those that can be undone: its role, time and changes.
  case addToJournal
  /// Deletes the saves that are too many.
  case trimJournal

  var sql: String {
    switch self {
    case .beginWriting: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    // Whoever shows statements to people leaves out those with this word.
    case .beginReading: "BEGIN /* _perilune */"
    case .endReading: "COMMIT /* _perilune */"
    case .dataVersion: "PRAGMA data_version"
    case .schemaVersion: "PRAGMA main.schema_version"
    case .addToJournal: "INSERT INTO main.\(SaveJournal.table)(role, time, changes) VALUES (?, ?, ?)"
    case .trimJournal:
      """
      DELETE FROM main.\(SaveJournal.table) WHERE number <=
        (SELECT number FROM main.\(SaveJournal.table) ORDER BY number DESC LIMIT 1 OFFSET \(SaveJournal.saveLimit))
      """
    }
  }
}

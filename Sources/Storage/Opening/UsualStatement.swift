/// Statements that every save and every turn say: the connection keeps them compiled.
enum UsualStatement: Int, CaseIterable {
  case beginWriting
  case commit
  case beginReading
  case endReading
  case dataVersion
  case schemaVersion

  var sql: String {
    switch self {
    case .beginWriting: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    // Whoever shows statements to people leaves out those with this word.
    case .beginReading: "BEGIN /* _perilune */"
    case .endReading: "COMMIT /* _perilune */"
    case .dataVersion: "PRAGMA data_version"
    case .schemaVersion: "PRAGMA main.schema_version"
    }
  }
}

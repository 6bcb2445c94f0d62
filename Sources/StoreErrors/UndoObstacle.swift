/// Why a save cannot be undone at all.
public enum UndoObstacle: Hashable, Sendable {
  /// It wrote more rows, or larger ones, than are recorded.
  case tooLarge
  /// The table was changed since; nil where the save itself changed tables.
  case schemaChanged(table: String?)
  /// It wrote to a table whose rows cannot be told apart, or that belongs to a virtual one.
  case virtualTable(String)
  /// Its changes could not be read.
  case unreadable
  /// It removed files with data beside the store.
  case externalFiles
}

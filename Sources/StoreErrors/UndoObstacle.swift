/// Why a save cannot be undone.
public enum UndoObstacle: Hashable, Sendable {
  /// The save exceeded the recorded number or size of rows.
  case tooLarge
  /// The table's definition has changed since; nil if the save itself changed table definitions.
  case schemaChanged(table: String?)
  /// It wrote to a virtual table, or to one without a usable key.
  case virtualTable(String)
  /// Its changes could not be read.
  case unreadable
  /// It deleted files of external data.
  case externalFiles
}

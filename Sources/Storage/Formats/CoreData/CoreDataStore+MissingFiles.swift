import Modeling
import SQLite

extension CoreDataStore {
  /// How many rows of a table are looked at.
  private static let sampleSize = 1000

  /// So many files are looked for.
  private static let sampleFiles = 100

  /// What is to be said of a store whose files with large values were left behind; nil where none seems to miss.
  ///
  /// The first rows tell: a store is not read through at opening.
  func missingFiles(_ connection: Connection) throws(StoreError) -> String? {
    for (table, column) in externalColumns {
      let rows = "SELECT Z_PK FROM \(quotedName(table)) LIMIT \(Self.sampleSize)"
      let condition = ExternalData.isMarker(quotedName(column))
      let found = try connection.all(
        """
        SELECT \(quotedName(column)) FROM \(quotedName(table)) WHERE Z_PK IN (\(rows)) AND \(condition)
        LIMIT \(Self.sampleFiles)
        """)
      let isMissing = found.contains { row in
        if case .data(let bytes) = row[0] { externalData.isMissing(bytes) } else { false }
      }
      guard isMissing else { continue }
      let what = externalData.isThere ? "some of which are" : "which is"
      return "Large values of \(table).\(column) are in files of '\(externalData.folder)', \(what) not there: "
        + "they are read as nil."
    }
    return nil
  }
}

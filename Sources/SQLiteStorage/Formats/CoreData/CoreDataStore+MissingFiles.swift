import Modeling
import SQLite

extension CoreDataStore {
  /// The number of rows to examine in a table.
  private static let sampleSize = 1000

  /// The number of files to look for.
  private static let sampleFiles = 100

  /// A note that the files with the store's large values are missing; nil if none seem to be.
  ///
  /// Only the first rows are examined, so that opening does not read the whole store.
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

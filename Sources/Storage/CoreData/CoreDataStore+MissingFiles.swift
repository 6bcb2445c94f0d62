import Modeling

extension CoreDataStore {
  /// How many rows of a table are looked at.
  private static let sampleSize = 1000

  /// What is to be said of a store whose folder with large values was left behind; nil where none seems to miss.
  ///
  /// The first rows tell: a store is not read through at opening.
  func missingFiles(_ connection: Connection) throws(StoreError) -> String? {
    guard !externalColumns.isEmpty, !externalData.isThere else { return nil }
    for (table, column) in externalColumns {
      let rows = "SELECT Z_PK FROM \(quotedName(table)) LIMIT \(Self.sampleSize)"
      let condition = ExternalData.isMarker(quotedName(column))
      let found = try connection.first(
        "SELECT 1 FROM \(quotedName(table)) WHERE Z_PK IN (\(rows)) AND \(condition) LIMIT 1")
      guard found != nil else { continue }
      return "Large values of \(table).\(column) are in files of '\(externalData.folder)', which is not there: "
        + "their names are read instead."
    }
    return nil
  }
}

import Modeling
import SQLite

/// Reads all rows of a table as hashes.
struct TableScan {
  private let shape: TableShape
  private let connection: Connection
  /// Columns that come first in each row.
  private let leading: [String]

  /// Reads the table of `shape`; each row begins with the columns `leading`.
  init(_ shape: TableShape, _ connection: Connection, leading: [String]) {
    self.shape = shape
    self.connection = connection
    self.leading = leading
  }

  /// Calls `body` for each row with the statement positioned on it and a hash of all stored columns. Returns false if
  /// there are more rows than `limit`.
  func run(limit: Int, _ body: (Statement, UInt64) throws(StoreError) -> Bool) throws(StoreError) -> Bool {
    let list = (leading + shape.recorded.columns.map(\.name)).map(quotedName).joined(separator: ", ")
    let sql = "SELECT \(list) FROM main.\(quotedName(shape.recorded.name)) NOT INDEXED"
    return try connection.with(sql) { statement throws(StoreError) in
      var image: [UInt8] = []
      var count = 0
      while try statement.step() {
        count += 1
        if count > limit { return false }
        image.removeAll(keepingCapacity: true)
        for (index, place) in shape.places.enumerated() {
          let value = statement.rawValue(leading.count + index)
          try RowImage.append(value, isReal: place.isReal, isUTF8: shape.isUTF8, to: &image)
        }
        let hash = RowImage.hash(image)
        guard try body(statement, hash == TableVersions.vague ? 1 : hash) else { return false }
      }
      return true
    }
  }
}

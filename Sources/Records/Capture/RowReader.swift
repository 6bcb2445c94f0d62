import Modeling
package import SQLite
package import StoreErrors
import Stores

/// Reads the present rows of a table by key, as images.
package final class RowReader {
  package let shape: TableShape
  /// The image of the found row, with its columns in the order of the shape.
  package private(set) var image: [UInt8] = []
  /// The offset of the store-computed columns in `image`.
  package private(set) var plainEnd = 0
  /// The row id of the found row.
  package private(set) var rowID: Int64 = 0

  private let connection: Connection
  private let statement: Statement
  private let keyCount: Int
  private let plainCount: Int
  /// Whether rows are requested in the order of their ids, so that the next is probably near.
  private let isWalking: Bool
  private var isOnRow = false
  private var keyImage: [UInt8] = []

  /// The number of rows to skip before a new search.
  private static let stride = 8

  /// Prepares to read; `walking` is for many row ids in ascending order, with nothing written in between.
  package init(_ shape: TableShape, _ connection: Connection, walking: Bool) throws(StoreError) {
    self.shape = shape
    self.connection = connection
    plainCount = shape.recorded.plainCount
    var keys: [String]
    var condition: String
    if case .columns(let names) = shape.recorded.key {
      keys = names
      isWalking = false
      condition = names.map { "\(quotedName($0)) = ?" }.joined(separator: " AND ")
    } else {
      keys = [shape.rowIDName ?? "rowid"]
      isWalking = walking
      condition = walking ? "\(quotedName(keys[0])) >= ? ORDER BY 1" : "\(quotedName(keys[0])) = ?"
    }
    keyCount = keys.count
    let list = (keys + shape.recorded.columns.map(\.name)).map(quotedName).joined(separator: ", ")
    statement = try connection.checkOut(
      "SELECT \(list) FROM main.\(quotedName(shape.recorded.name)) WHERE \(condition)")
  }

  deinit { connection.checkIn(statement) }

  /// Reads the row with this id; returns whether it exists.
  package func find(_ wanted: Int64) throws(StoreError) -> Bool {
    if isOnRow, isWalking, rowID <= wanted {
      var steps = 0
      while isOnRow, rowID < wanted, steps < Self.stride {
        try advance()
        steps += 1
      }
      if !isOnRow { return false }
      if rowID >= wanted { return try take(rowID == wanted) }
    }
    statement.reset()
    try statement.bind(wanted, at: 1)
    try advance()
    return try take(isOnRow && rowID == wanted)
  }

  /// Moves to the row with this id or the next one; returns whether it is the row itself, nil after the last.
  package func findNext(_ wanted: Int64) throws(StoreError) -> Int64? {
    if try find(wanted) { return wanted }
    guard isOnRow else { return nil }
    _ = try take(true)
    return rowID
  }

  /// Reads the row with exactly this key; returns whether it exists.
  package func find(key: [UInt8]) throws(StoreError) -> Bool {
    statement.reset()
    var reader = ImageReader(key)
    for index in 0..<keyCount { try statement.bind(reader.item(), of: key, at: index + 1) }
    while try statement.step() {
      // SQLite finds 'A' for 'a' under some collations, and 1.0 for 1; these are different keys here.
      keyImage.removeAll(keepingCapacity: true)
      for index in 0..<keyCount {
        try RowImage.append(
          statement.rawValue(index), isReal: shape.keyPlaces[index].isReal, isUTF8: shape.isUTF8, to: &keyImage)
      }
      if keyImage == key { return try take(true) }
    }
    return false
  }

  /// A hash of the plain columns of the found row.
  package var hash: UInt64 { RowImage.hash(image[..<plainEnd]) }

  /// Resets the statement, so that no read lock is held.
  package func rewind() {
    statement.reset()
    isOnRow = false
  }

  private func advance() throws(StoreError) {
    isOnRow = try statement.step()
    if isOnRow { rowID = statement.integer(0) }
  }

  private func take(_ isFound: Bool) throws(StoreError) -> Bool {
    guard isFound else { return false }
    image.removeAll(keepingCapacity: true)
    for (index, place) in shape.places.enumerated() {
      if index == plainCount { plainEnd = image.count }
      try RowImage.append(
        statement.rawValue(keyCount + index), isReal: place.isReal, isUTF8: shape.isUTF8, to: &image)
    }
    if plainCount == shape.places.count { plainEnd = image.count }
    return true
  }
}

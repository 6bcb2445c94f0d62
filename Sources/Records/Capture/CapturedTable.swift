internal import CSQLite
package import Modeling
package import SQLite
package import StoreErrors

/// The rows of one table that the transaction has touched, with the first old image of each updated or deleted row.
package final class CapturedTable {
  package let shape: TableShape
  /// The root entity of the table; nil for join tables and tables outside the model.
  package let entity: Entity?
  /// For rows with a row id: the place of the old row in `images`.
  private(set) var touched = OldImages()
  /// Ranges of rows inserted in ascending order of their ids, ascending and disjoint.
  package var runs: [ClosedRange<Int64>] = []
  /// Rows inserted in another order.
  package var strays: Set<Int64> = []
  /// The old images of rows with composite keys; nil for inserted rows.
  package var touchedKeys: [[UInt8]: Range<Int>?] = [:]
  /// The images of the old rows.
  package var images: [UInt8] = []
  private var keyBytes = 0

  /// Reads old rows that the hook does not report correctly.
  private var reader: RowReader?
  /// Reads the present rows at the commit.
  private var walkingReader: RowReader?
  package let connection: Connection

  package init(_ shape: TableShape, of entity: Entity?, _ connection: Connection) {
    self.shape = shape
    self.entity = entity
    self.connection = connection
  }

  /// Clears the touched rows; small buffers are kept for the next transaction.
  package func clear() {
    let isSmall = touched.count + touchedKeys.count < 64 && images.count < 16 << 10
    touched.removeAll(keepingCapacity: isSmall)
    images.removeAll(keepingCapacity: isSmall)
    runs.removeAll(keepingCapacity: runs.count < 64)
    if !strays.isEmpty { strays = [] }
    if !touchedKeys.isEmpty { touchedKeys = [:] }
    keyBytes = 0
  }

  /// Whether nothing was touched.
  package var isClear: Bool { touched.isEmpty && runs.isEmpty && strays.isEmpty && touchedKeys.isEmpty }

  /// The number of bytes held.
  package var byteCount: Int { images.count + keyBytes }

  private var isKeyed: Bool { !shape.keyPlaces.isEmpty }

  /// Records a report of the hook; returns the number of rows that are new.
  package func note(_ operation: Int32, _ database: OpaquePointer?, _ old: Int64, _ new: Int64) throws(StoreError)
    -> Int
  {
    if isKeyed { return try noteKeyed(operation, database) }
    switch operation {
    case SQLITE_INSERT: return noteInserted(new)
    case SQLITE_DELETE: return try noteOld(old, database)
    default:
      let count = try noteOld(old, database)
      return old == new ? count : count + noteInserted(new)
    }
  }

  // MARK: Row ids

  @inline(__always)
  private func noteInserted(_ row: Int64) -> Int {
    if let last = runs.last {
      if row > last.upperBound {
        if touched.contains(row) { return 0 }
        if row - 1 == last.upperBound {
          runs[runs.count - 1] = last.lowerBound...row
        } else {
          runs.append(row...row)
        }
        return 1
      }
      if isInserted(row) { return 0 }
    }
    if touched.contains(row) { return 0 }
    if runs.isEmpty {
      runs.append(row...row)
      return 1
    }
    return strays.insert(row).inserted ? 1 : 0
  }

  private func isInserted(_ row: Int64) -> Bool {
    if !strays.isEmpty, strays.contains(row) { return true }
    guard let last = runs.last, row <= last.upperBound else { return false }
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound < row { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].contains(row)
  }

  private func noteOld(_ row: Int64, _ database: OpaquePointer?) throws(StoreError) -> Int {
    if isInserted(row) || touched.contains(row) { return 0 }
    let start = images.count
    do throws(StoreError) {
      if shape.isShownWell {
        try appendShown(database)
      } else {
        let reader = try rowReader()
        guard try reader.find(row) else { throw Self.missing }
        images.append(contentsOf: reader.image)
        reader.rewind()
      }
    } catch {
      // The next image begins where the last one ends.
      images.removeSubrange(start...)
      throw error
    }
    touched.append(row, end: images.count)
    return 1
  }

  // MARK: Keys of columns

  private func noteKeyed(_ operation: Int32, _ database: OpaquePointer?) throws(StoreError) -> Int {
    var count = 0
    var old: [UInt8] = []
    if operation != SQLITE_INSERT {
      old = try key(database, sqlite3_preupdate_old) { $0.place }
      if touchedKeys[old] == nil {
        let start = images.count
        if shape.isShownWell {
          try appendShown(database)
        } else {
          let reader = try rowReader()
          guard try reader.find(key: old) else { throw Self.missing }
          images.append(contentsOf: reader.image)
          reader.rewind()
        }
        touchedKeys[old] = .some(start..<images.count)
        keyBytes += old.count
        count += 1
      }
    }
    guard operation != SQLITE_DELETE else { return count }
    let isUpdate = operation == SQLITE_UPDATE
    let new = try key(database, sqlite3_preupdate_new) { isUpdate ? $0.stored : $0.place }
    if new != old, touchedKeys[new] == nil {
      touchedKeys.updateValue(nil, forKey: new)
      keyBytes += new.count
      count += 1
    }
    return count
  }

  private func key(
    _ database: OpaquePointer?,
    _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32,
    _ place: ((place: Int32, stored: Int32, isReal: Bool)) -> Int32
  ) throws(StoreError) -> [UInt8] {
    var image: [UInt8] = []
    for column in shape.keyPlaces {
      var value: OpaquePointer?
      guard read(database, place(column), &value) == SQLITE_OK else { throw Self.missing }
      try RowImage.append(value, isReal: column.isReal, isUTF8: shape.isUTF8, to: &image)
    }
    return image
  }

  // MARK: Old rows

  private func appendShown(_ database: OpaquePointer?) throws(StoreError) {
    for column in shape.places {
      var value: OpaquePointer?
      guard sqlite3_preupdate_old(database, column.place, &value) == SQLITE_OK else { throw Self.missing }
      try RowImage.append(value, isReal: column.isReal, isUTF8: shape.isUTF8, to: &images)
    }
  }

  private func rowReader() throws(StoreError) -> RowReader {
    if let reader { return reader }
    let new = try RowReader(shape, connection, walking: false)
    reader = new
    return new
  }

  /// Reads rows as they are, in the order of their keys.
  package func foldingReader() throws(StoreError) -> RowReader {
    if let walkingReader { return walkingReader }
    let new = try RowReader(shape, connection, walking: true)
    walkingReader = new
    return new
  }

  private static var missing: StoreError { StoreError(.corrupt("a row changes that cannot be read")) }
}

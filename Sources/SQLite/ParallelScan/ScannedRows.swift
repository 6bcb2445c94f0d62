internal import CSQLite
internal import StoreErrors

/// The rows that a statement returned for a range of keys: copies of SQLite's values, which belong to no connection.
package final class ScannedRows: @unchecked Sendable {
  private var values: [OpaquePointer?] = []
  private let width: Int

  init(width: Int) { self.width = width }

  deinit { for value in values { sqlite3_value_free(value) } }

  package var count: Int { values.count / max(width, 1) }

  /// Copies the present row of a statement.
  func append(_ statement: Statement) throws(StoreError) {
    for column in 0..<width {
      guard let copy = sqlite3_value_dup(statement.rawValue(column)) else {
        throw StoreError(.outOfMemory, path: statement.connection.path)
      }
      values.append(copy)
    }
  }

  /// Inserts the rows by a statement with a parameter for each column.
  func insert(_ statement: Statement) throws(StoreError) {
    for (place, value) in values.enumerated() {
      try statement.check(sqlite3_bind_value(statement.handle, Int32(place % width + 1), value))
      if place % width == width - 1 { while try statement.step() {} }
    }
  }

  /// An integer of the only row.
  package func integer(_ column: Int) -> Int64 { sqlite3_value_int64(values[column]) }
}

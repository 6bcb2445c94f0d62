import Postgres

/// The rows of a statement one by one: as the server sends them, or read already.
final class PostgresRowSource {
  private var rows: PostgresRows?
  private var result: PostgresResult?
  private var position = -1
  private var end: (() -> Void)?

  init(rows: PostgresRows, end: @escaping () -> Void) {
    self.rows = rows
    self.end = end
  }

  init(result: PostgresResult) { self.result = result }

  deinit { close() }

  /// Moves to the next row; false after the last.
  func step() throws -> Bool {
    if let rows {
      do {
        if try rows.step() { return true }
      } catch {
        close()
        throw error
      }
      close()
      return false
    }
    guard let result else { return false }
    position += 1
    if position < result.rowCount { return true }
    close()
    return false
  }

  /// A column's bytes, valid until the next step; nil for null.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
    if let rows { return rows.isNull(column) ? nil : rows.bytes(column) }
    guard let result, position >= 0, !result.isNull(position, column) else { return nil }
    return result.bytes(position, column)
  }

  func integer(_ column: Int) -> Int64 { bytes(column).flatMap(PostgresField.int) ?? 0 }

  func close() {
    rows?.close()
    rows = nil
    result = nil
    end?()
    end = nil
  }
}

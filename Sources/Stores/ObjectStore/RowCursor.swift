public import Modeling

/// A cursor over rows of one entity: the key, the concrete entity and the column values of the current row.
///
///     let cursor = try store.cursor(request)
///     defer { cursor.close() }
///     while try cursor.step() { print(cursor.key, cursor.real(2)) }
///
/// Columns are numbered as in the `EntityLayout` of the row's own entity. Text and blobs are valid until the next step.
/// Each store has its own subclass, which holds the store's resources; the base class has no rows. Only `pack()`
/// allocates.
open class RowCursor {
  /// The entity of the request.
  public let fetchedEntity: Entity

  /// Creates a cursor without rows.
  public init(_ entity: Entity) { fetchedEntity = entity }

  /// Moves to the next row; returns false after the last, and then releases the store's resources.
  ///
  /// - Throws: StoreError.
  open func step() throws -> Bool { false }

  /// Closes the cursor; may be called twice.
  open func close() {}

  /// Whether nothing was written here since the cursor was opened, so that its rows equal those of the store.
  ///
  /// Writes of others are not visible while the cursor is open.
  open var isCurrent: Bool { true }

  /// The number of rows scanned, known when the cursor has ended; 0 if the store does not know.
  open var rowsScanned: Int { 0 }

  // MARK: The row

  /// The key of the row.
  open var key: Int64 { 0 }

  /// The row's own entity: the fetched one or a descendant.
  open var entity: Entity { fetchedEntity }

  /// The storage class of a column's value.
  open func storageClass(_ column: Int) -> StorageClass { .null }

  /// The value of an integer column.
  open func integer(_ column: Int) -> Int64 { 0 }

  /// The value of a real column.
  open func real(_ column: Int) -> Double { 0 }

  /// The bytes of a text or blob column; valid until the next step.
  open func bytes(_ column: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

  /// The value of a column. One call replaces `storageClass` and a typed accessor, for loops over many rows.
  open func value(_ column: Int) -> ColumnValue {
    switch storageClass(column) {
    case .null: .null
    case .integer: .integer(integer(column))
    case .real: .real(real(column))
    case .text: .text(bytes(column))
    case .blob: .blob(bytes(column))
    }
  }

  /// Copies the row's columns into a memory block, which the caller frees.
  open func pack() -> PackedRow { PackedRow.pack([]) }
}

public import Modeling

/// Rows of one entity, one after the other: keys, concrete entities and column values of the row it stands on.
///
///     let cursor = try store.cursor(request)
///     defer { cursor.close() }
///     while try cursor.step() { print(cursor.key, cursor.real(2)) }
///
/// Columns are numbered as in the `EntityLayout` of the row's own entity. Text and blobs are valid until the next step. Each store
/// has a subclass of its own, which holds what it reads from; this class itself stands before no rows. Nothing that is asked of a
/// row allocates, but `pack()`.
open class RowCursor {
  /// The entity whose rows were asked for.
  public let fetchedEntity: Entity

  /// Makes a cursor of no rows.
  public init(_ entity: Entity) { fetchedEntity = entity }

  /// Moves to the next row; false after the last, when what the cursor held of the store is given back.
  ///
  /// - Throws: StoreError.
  open func step() throws -> Bool { false }

  /// Ends the cursor; harmless when done twice.
  open func close() {}

  /// Whether nothing was written here since the cursor was opened, so that its rows are as the store has them.
  ///
  /// What others write cannot be seen as long as the cursor is open.
  open var isCurrent: Bool { true }

  /// How many rows were stepped over in scans; known when the cursor has ended, 0 where the store cannot know.
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

  /// What a column holds: in one call what `storageClass` and the value tell in two, for loops over many rows.
  open func value(_ column: Int) -> ColumnValue {
    switch storageClass(column) {
    case .null: .null
    case .integer: .integer(integer(column))
    case .real: .real(real(column))
    case .text: .text(bytes(column))
    case .blob: .blob(bytes(column))
    }
  }

  /// Copies the row's columns into a block of their own, which the caller frees.
  open func pack() -> PackedRow { PackedRow.pack([]) }
}

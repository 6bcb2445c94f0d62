internal import CSQLite
import Modeling
import SQLite

/// The rows of a running SELECT.
///
/// Text and blobs are SQLite's own until the next step. The cursor may stay open while the same connection writes.
final class StatementRowCursor: RowCursor {
  private var statement: Statement?
  /// The statement's handle; nil after the end, when SQLite returns null for every column.
  private var handle: OpaquePointer?
  private let shape: RowShape
  private let interner: KeyInterner?
  private var discriminators: Discriminators?
  /// The row's entity, as an index of `shape.members`.
  private var member = 0
  /// The index of the row's first column; negative if the columns are scattered.
  private var start: Int32
  private var internedKey: Int64?
  /// Restarts the statement with more keys; returns false if there are none.
  private let refill: ((Statement) throws -> Bool)?
  private let packer = RowPacker()
  /// The connection's change count when the cursor was opened.
  private let changeCount: Int64
  private var scanned = 0
  private var mappedPages: MappedPages?

  /// `readsInOrder` says that the statement goes through the table, so that no page is read again.
  init(
    _ statement: Statement, _ shape: RowShape, interner: KeyInterner?, readsInOrder: Bool = false,
    refill: ((Statement) throws -> Bool)? = nil
  ) {
    self.statement = statement
    handle = statement.handle
    self.shape = shape
    self.interner = interner
    self.refill = refill
    if readsInOrder { mappedPages = MappedPages() }
    changeCount = statement.connection.totalChanges
    discriminators = shape.discriminator.map { _ in Discriminators(shape) }
    start = shape.members[0].start.map(Int32.init) ?? -1
    super.init(shape.entity)
  }

  deinit { close() }

  override func step() throws -> Bool {
    guard let statement else { return false }
    do {
      while try !statement.step() {
        guard let refill, try refill(statement) else {
          close()
          return false
        }
      }
    } catch {
      close()
      throw error
    }
    internedKey = nil
    mappedPages?.readRow(statement.connection)
    if discriminators != nil { readMember() }
    return true
  }

  override func close() {
    guard let statement else { return }
    scanned = Int(sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
    statement.connection.checkIn(statement)
    self.statement = nil
    handle = nil
  }

  override var rowsScanned: Int { scanned }

  override var isCurrent: Bool { statement?.connection.totalChanges == changeCount }

  override var key: Int64 {
    guard let interner else { return sqlite3_column_int64(handle, 0) }
    if let internedKey { return internedKey }
    let values = (0..<shape.keyCount).map { statement?.value($0) ?? .null }
    let number = interner.number(of: values)
    internedKey = number
    return number
  }

  override var entity: Entity { shape.members[member].entity }

  override func storageClass(_ column: Int) -> StorageClass { classes[Int(sqlite3_column_type(handle, place(column)))] }

  override func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, place(column)) }

  override func real(_ column: Int) -> Double { sqlite3_column_double(handle, place(column)) }

  override func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    let value = sqlite3_column_value(handle, place(column))
    return sqlite3_value_type(value) == SQLITE_TEXT ? text(value) : blob(value)
  }

  override func value(_ column: Int) -> ColumnValue {
    // As in RowPacker, one access to the column serves all accessors.
    let value = sqlite3_column_value(handle, place(column))
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT: return .text(text(value))
    case SQLITE_BLOB: return .blob(blob(value))
    default: return .null
    }
  }

  override func pack() -> PackedRow {
    let offsets = shape.members[member].offsets
    return start >= 0
      ? packer.pack(handle, from: start, count: offsets.count) : packer.pack(handle, offsets)
  }

  /// The bytes of a text. Those of a UTF-16 file are converted; for UTF-8 the call costs nothing.
  @inline(__always) private func text(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    buffer(UnsafeRawPointer(sqlite3_value_text(value)), value)
  }

  @inline(__always) private func blob(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    buffer(sqlite3_value_blob(value), value)
  }

  @inline(__always)
  private func buffer(_ base: UnsafeRawPointer?, _ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }

  @inline(__always) private func place(_ column: Int) -> Int32 {
    start >= 0 ? start + Int32(truncatingIfNeeded: column) : Int32(shape.members[member].offsets[column])
  }

  private func readMember() {
    guard let place = shape.discriminator else { return }
    let found = discriminators?.member(handle, Int32(place)) ?? 0
    guard found != member else { return }
    member = found
    start = shape.members[found].start.map(Int32.init) ?? -1
  }
}

/// Our storage classes, by SQLite's numbers.
private let classes: [StorageClass] = [.null, .integer, .real, .text, .blob, .null]

/// Maps discriminators to the entities of a family.
private struct Discriminators {
  private var integers: [(value: Int64, member: Int)] = []
  private var texts: [(bytes: [UInt8], member: Int)] = []

  init(_ shape: RowShape) {
    for (index, member) in shape.members.enumerated() {
      switch member.discriminator {
      case .int(let number): integers.append((number, index))
      case .string(let text): texts.append((Array(text.utf8), index))
      default: break
      }
    }
  }

  /// The member with a row's discriminator; the fetched entity if there is none.
  func member(_ handle: OpaquePointer?, _ column: Int32) -> Int {
    if texts.isEmpty {
      let value = sqlite3_column_int64(handle, column)
      for entry in integers where entry.value == value { return entry.member }
      return 0
    }
    guard let base = sqlite3_column_text(handle, column) else { return 0 }
    let bytes = UnsafeBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
    for entry in texts where entry.bytes.elementsEqual(bytes) { return entry.member }
    return 0
  }
}

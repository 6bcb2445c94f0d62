internal import CSQLite
import Modeling

/// A row of a running placement SELECT.
final class StatementPlacementRow: PlacementRow {
  /// The positions of the placement values in a row of the statement.
  struct Shape {
    /// For each placement column, its index in the statement's row.
    let places: [Int32]
    let values: [ValueShape]
    let keyCount: Int
    let interner: KeyInterner?
    let section: Int?

    init(_ columns: [(place: Int, value: ValueShape)], keyCount: Int, _ interner: KeyInterner?, _ section: Int?) {
      places = columns.map { Int32($0.place) }
      values = columns.map(\.value)
      self.keyCount = keyCount
      self.interner = interner
      self.section = section
    }
  }

  private let shape: Shape
  private var handle: OpaquePointer?

  init(_ shape: Shape) {
    self.shape = shape
    super.init()
  }

  func move(to handle: OpaquePointer?) { self.handle = handle }

  override var key: Int64 {
    guard let interner = shape.interner else { return sqlite3_column_int64(handle, 0) }
    return interner.number(of: (0..<shape.keyCount).map { plain(Int32($0)) })
  }

  override func storageClass(_ column: Int) -> StorageClass {
    switch sqlite3_column_type(handle, shape.places[column]) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  override func double(_ column: Int) -> Double { sqlite3_column_double(handle, shape.places[column]) }

  private func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, shape.places[column]) }

  private func bytes(_ column: Int) -> UnsafeRawBufferPointer { bytes(at: shape.places[column]) }

  override func storedForm(_ column: Int) -> StoredForm {
    switch storageClass(column) {
    case .null: .null
    case .integer: .integer(integer(column))
    case .real: .real(double(column))
    case .text: .text(bytes(column))
    case .blob: .other
    }
  }

  override func value(_ column: Int) -> Value {
    let value = shape.values[column]
    if let entity = value.entity { return value.object(entity, plain(shape.places[column])) }
    let storage = storageClass(column)
    let bytes = storage == .text || storage == .blob ? bytes(column) : UnsafeRawBufferPointer(start: nil, count: 0)
    return ValueCoding.decode(
      storage, integer: integer(column), real: double(column), bytes: bytes, as: value.type)
  }

  override var section: Value? { shape.section.map(value) }

  private func bytes(at place: Int32) -> UnsafeRawBufferPointer {
    let base: UnsafeRawPointer? =
      sqlite3_column_type(handle, place) == SQLITE_TEXT
      ? UnsafeRawPointer(sqlite3_column_text(handle, place)) : sqlite3_column_blob(handle, place)
    return UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : Int(sqlite3_column_bytes(handle, place)))
  }

  /// A value in its stored form.
  private func plain(_ place: Int32) -> Value {
    switch sqlite3_column_type(handle, place) {
    case SQLITE_INTEGER: .int(sqlite3_column_int64(handle, place))
    case SQLITE_FLOAT: .double(sqlite3_column_double(handle, place))
    case SQLITE_TEXT: .string(String(decoding: bytes(at: place), as: UTF8.self))
    case SQLITE_BLOB: .data([UInt8](bytes(at: place)))
    default: .null
    }
  }
}

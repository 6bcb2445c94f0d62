public import Modeling
internal import Stores

/// A column's value without a copy: text and blobs point into the row and are valid until the object is touched again.
public enum RawColumn {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)
  /// An unsaved value.
  case value(Value)

  init(_ row: PackedRow, _ column: Int) {
    switch row.storageClass(column) {
    case .null: self = .null
    case .integer: self = .integer(row.integer(column))
    case .real: self = .real(row.real(column))
    case .text: self = .text(row.bytes(column))
    case .blob: self = .blob(row.bytes(column))
    }
  }

  init(_ cursor: RowCursor, _ column: Int) { self.init(cursor.value(column)) }

  init(_ column: ColumnValue) {
    switch column {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let bytes): self = .text(bytes)
    case .blob(let bytes): self = .blob(bytes)
    }
  }

  /// Returns the value, decoded for an attribute of `type`.
  public func decoded(as type: AttributeType) -> Value {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    switch self {
    case .null: return .null
    case .integer(let integer): return ValueCoding.decode(.integer, integer: integer, real: 0, bytes: none, as: type)
    case .real(let real): return ValueCoding.decode(.real, integer: 0, real: real, bytes: none, as: type)
    case .text(let bytes): return ValueCoding.decode(.text, integer: 0, real: 0, bytes: bytes, as: type)
    case .blob(let bytes): return ValueCoding.decode(.blob, integer: 0, real: 0, bytes: bytes, as: type)
    case .value(let value): return value
    }
  }
}

extension ObjectTable {
  /// Returns the value of a column, with unsaved changes; fires a fault.
  ///
  /// - Throws: StoreError, or GraphError when the row is gone.
  public func column(_ slot: Int32, _ column: Int) throws -> RawColumn {
    if isDirty(slot), let changes = changes[slot] {
      if let value = changes.columns[column] { return .value(value) }
      if changes.kind == .inserted { return .null }
      // Changes belong to their base row, even if a cursor is positioned on a newer one.
      if !isChild, let row = row(slot) { return RawColumn(row, column) }
    }
    return try storedColumn(slot, column)
  }

  /// Returns the decoded value of a column; external data is read and archives are decoded.
  func decoded(_ raw: RawColumn, _ slot: Int32, _ column: Int) -> Value {
    if case .value(let value) = raw { return value }
    let shape = shape(slot)
    let value = raw.decoded(as: shape.columnTypes[column])
    return shape.isSealed[column] ? context.store.opened(value, of: shape.layout.columns[column]) : value
  }

  /// Returns the stored value of a column.
  func storedColumn(_ slot: Int32, _ column: Int) throws -> RawColumn {
    if isChild, let value = try parentColumn(slot, column) { return value }
    if slot == currentSlot, let unretainedCursor {
      return unretainedCursor._withUnsafeGuaranteedRef { RawColumn($0, column) }
    }
    if let row = row(slot) { return RawColumn(row, column) }
    if !inaccessible.isEmpty, inaccessible.contains(slot) { return .null }
    try fill(slot)
    if let row = row(slot) { return RawColumn(row, column) }
    guard context.shouldDeleteInaccessibleFaults else { throw missing(slot) }
    inaccessible.insert(slot)
    return .null
  }

  /// Returns the error for a slot whose row is not in the store.
  func missing(_ slot: Int32, from origin: String? = nil) -> GraphError {
    if objectID(slot).isTemporary { return GraphError(.missingInParent(objectID(slot).description)) }
    return GraphError(.missingRow(entity: entity(slot).name, key: context.keyText(of: objectID(slot)), from: origin))
  }
}

import Layouts
import Modeling
import Stores

/// The rows of a SELECT as the server sends them.
final class PostgresRowCursor: RowCursor {
  private let source: PostgresRowSource
  private let columns: RowColumns
  private unowned let store: PostgresStore
  private let writeCount: Int64
  private var scratch = ColumnReader.Scratch()
  private var member = 0
  private var knownKey: Int64?
  /// For each member, the column by which its rows are spread over nodes, if it is read.
  private let spreads: [(column: Int, type: AttributeType)?]

  init(_ source: PostgresRowSource, _ columns: RowColumns, _ entity: Entity, _ store: PostgresStore) {
    self.source = source
    self.columns = columns
    self.store = store
    writeCount = store.writeCount
    spreads = columns.members.map { member in
      store.spreadColumn(of: member.entity).flatMap { column in
        member.places[column].map { _ in (column, store.layout(of: member.entity).columns[column].type) }
      }
    }
    super.init(entity)
  }

  deinit { close() }

  override func step() throws -> Bool {
    scratch.empty()
    knownKey = nil
    guard try source.step() else { return false }
    member = columns.member(source)
    return true
  }

  override func close() { source.close() }

  override var isCurrent: Bool { store.writeCount == writeCount }

  override var key: Int64 {
    if let knownKey { return knownKey }
    let key = columns.key(source)
    knownKey = key
    return key
  }

  override var entity: Entity { columns.members[member].entity }

  override func value(_ column: Int) -> ColumnValue {
    let member = columns.members[member]
    guard member.places.indices.contains(column), let place = member.places[column], let bytes = source.bytes(place)
    else { return .null }
    return ColumnReader.read(bytes, member.forms[column], &scratch)
  }

  override func storageClass(_ column: Int) -> StorageClass {
    switch value(column) {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  override func integer(_ column: Int) -> Int64 {
    switch value(column) {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number.rounded(.towardZero)) ?? 0
    default: 0
    }
  }

  override func real(_ column: Int) -> Double {
    switch value(column) {
    case .real(let number): number
    case .integer(let number): Double(number)
    default: 0
    }
  }

  override func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    switch value(column) {
    case .text(let bytes), .blob(let bytes): bytes
    default: UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }

  override func pack() -> PackedRow {
    if let spread = spreads[member] {
      let stored = Value(keyColumn: value(spread.column))
      store.spreadPlaces.note(entity, key: key, ValueCoding.decode(stored, as: spread.type))
    }
    return PackedRow.pack(columns: columns.members[member].places.count, value)
  }
}

/// Rows that were read already, each packed.
final class KeptRowCursor: RowCursor {
  private var rows: ArraySlice<KeptRow>
  private var current: KeptRow?
  private unowned let store: PostgresStore
  private let writeCount: Int64
  /// Reads more rows; none at the end.
  private let refill: () throws -> [KeptRow]

  init(_ entity: Entity, _ store: PostgresStore, refill: @escaping () throws -> [KeptRow]) {
    rows = []
    self.store = store
    self.refill = refill
    writeCount = store.writeCount
    super.init(entity)
  }

  override func step() throws -> Bool {
    if rows.isEmpty { rows = try refill()[...] }
    current = rows.popFirst()
    return current != nil
  }

  override func close() { (rows, current) = ([], nil) }
  override var isCurrent: Bool { store.writeCount == writeCount }
  override var key: Int64 { current?.key ?? 0 }
  override var entity: Entity { current?.entity ?? fetchedEntity }
  override func storageClass(_ column: Int) -> StorageClass { current?.row.storageClass(column) ?? .null }
  override func integer(_ column: Int) -> Int64 { current?.row.integer(column) ?? 0 }
  override func real(_ column: Int) -> Double { current?.row.real(column) ?? 0 }
  override func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    current?.row.bytes(column) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
  override func pack() -> PackedRow { current?.row.copy() ?? super.pack() }
}

/// A row of an entity in memory.
final class KeptRow {
  let entity: Entity
  let key: Int64
  let row: PackedRow

  init(_ cursor: RowCursor) {
    entity = cursor.entity
    key = cursor.key
    row = cursor.pack()
  }

  /// Takes over a packed row.
  init(_ entity: Entity, key: Int64, _ row: PackedRow) { (self.entity, self.key, self.row) = (entity, key, row) }

  deinit { row.free() }

  var objectID: ObjectID { ObjectID(entity: entity, key: key) }
}

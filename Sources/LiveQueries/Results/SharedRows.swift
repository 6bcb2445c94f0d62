internal import Modeling
internal import Queries
internal import Storage

/// The rows that commits touched, read once for all results of an entity that judge a row by its own values.
///
/// With a thousand results open, a change is one look at the store and a thousand evaluations in memory.
final class SharedRows {
  /// So many rows are kept in memory at most; more are looked up by each result.
  static let mostRows = 256
  /// From so many results on, it is worth it.
  static let fewestResults = 4

  /// The touched rows of one entity.
  struct Rows {
    /// Their keys, ascending.
    var keys: [Int64]
    /// What is in the store under each key; nil where nothing is.
    var rows: [StoredRow?]
  }

  private let touched: TouchedRows
  private let store: SQLiteStore
  private var known: [ObjectIdentifier: Rows?] = [:]

  /// The rows of `store` that were touched.
  init(_ touched: TouchedRows, in store: SQLiteStore) {
    self.touched = touched
    self.store = store
  }

  /// The touched rows of an entity; nil where each result has to look for itself: they are not all known, too many, or hold
  /// values of other types than declared.
  func rows(of entity: Entity, table: String) throws -> Rows? {
    if let known = known[ObjectIdentifier(entity)] { return known }
    let rows = try read(entity, table)
    known[ObjectIdentifier(entity)] = .some(rows)
    return rows
  }

  private func read(_ entity: Entity, _ table: String) throws -> Rows? {
    guard touched.isComplete, let table = touched.tables[table], !table.isUnknown else { return nil }
    guard table.inserted.count + table.updated.count + table.deleted.count <= Self.mostRows else { return nil }
    let keys = table.keys
    var rows = [StoredRow?](repeating: nil, count: keys.count)
    let cursor = try store.rows(of: entity, keys: keys)
    defer { cursor.close() }
    let layout = store.layout(of: entity)
    while try cursor.step() {
      guard let row = StoredRow(cursor, entity, layout) else { return nil }
      let place = keys.countBelow { $0 < row.key }
      if place < keys.count, keys[place] == row.key { rows[place] = row }
    }
    return Rows(keys: keys, rows: rows)
  }
}

/// A row as it is stored, for predicates and orders that look at the row's own plain values.
final class StoredRow: PredicateSubject {
  let entity: Entity
  let key: Int64
  /// By property; nothing for what is no plain value.
  private let values: [Value]

  /// Reads the row that a cursor stands on; nil where a plain attribute does not hold a value of its type.
  init?(_ cursor: RowCursor, _ entity: Entity, _ layout: EntityLayout) {
    self.entity = entity
    key = cursor.key
    var values: [Value] = []
    values.reserveCapacity(layout.properties.count)
    for (index, property) in layout.properties.enumerated() {
      guard case .column(let column) = property, Self.isPlain(layout.columns[column]),
        let type = entity.properties[index].attribute?.type
      else {
        values.append(.null)
        continue
      }
      guard let value = Self.value(cursor, column, type) else { return nil }
      values.append(value)
    }
    self.values = values
  }

  var objectID: ObjectID { ObjectID(entity: entity, key: key) }

  func attribute(at index: Int) -> Value { values[index] }
  func toOne(at index: Int) -> (any PredicateSubject)? { nil }
  func toMany(at index: Int) -> [any PredicateSubject] { [] }

  /// Whether a column's values mean in memory what they mean in SQL, as long as they are of the declared type.
  static func isPlain(_ column: ColumnLayout) -> Bool {
    guard column.isExact, column.collation == nil else { return false }
    return switch column.type {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .string: true
    default: false
    }
  }

  /// The value of a column; nil where it is not one of its type.
  private static func value(_ cursor: RowCursor, _ column: Int, _ type: AttributeType) -> Value? {
    switch (cursor.storageClass(column), type) {
    case (.null, _): return .null
    case (.integer, .boolean):
      let number = cursor.integer(column)
      return number == 0 || number == 1 ? .bool(number == 1) : nil
    case (.integer, .integer16), (.integer, .integer32), (.integer, .integer64): return .int(cursor.integer(column))
    case (.real, .double), (.real, .float): return .double(cursor.real(column))
    case (.real, .date): return .date(Timestamp(cursor.real(column)))
    case (.text, .string):
      let bytes = cursor.bytes(column)
      // SQL's functions end a text at a zero.
      return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self).map(Value.string)
    default: return nil
    }
  }
}

extension ResultsState {
  /// The places of touched rows by their values in memory; nil where the store is to be asked.
  func placements(of shared: SharedRows, _ plan: ResultsPlan) throws -> [Placement]? {
    guard plan.isDecidedByRow, arrangement.isComplete,
      let rows = try shared.rows(of: request.entity, table: plan.table)
    else { return nil }
    // What cannot be evaluated here may be nothing in SQL.
    return try? plan.placements(of: rows, in: arrangement)
  }
}

public import Modeling

/// What one transaction changed, whoever wrote it: a context's save, a batch request, SQL, a trigger or a cascade.
///
///     store.onCommit { changes in
///       for table in changes.tables { print(table.name, try table.rows().count) }
///     }
///
/// Rows that came out of the transaction as they went into it are not in it.
public struct ChangeSet: Sendable {
  /// The tables with changed rows, by name.
  public internal(set) var tables: [TableChanges] = []
  /// Whether every change is told; false where there were too many, or the schema changed: everything is to be read
  /// anew then.
  public internal(set) var isComplete = true

  /// Whether nothing changed.
  public var isEmpty: Bool { tables.isEmpty && isComplete }

  /// How many rows changed.
  public var rowCount: Int { tables.reduce(0) { $0 + $1.insertedCount + $1.updatedCount + $1.deletedCount } }
}

/// What one transaction changed in one table.
public struct TableChanges: Sendable {
  /// The root of the entities whose rows the table keeps; nil for tables of pairs and tables of nobody's.
  public internal(set) var entity: Entity?
  /// How many rows are new.
  public internal(set) var insertedCount = 0
  /// How many rows have other values.
  public internal(set) var updatedCount = 0
  /// How many rows are gone.
  public internal(set) var deletedCount = 0

  let table: RecordedTable
  /// The rows' changes, as ChangeRecords reads them.
  var bytes: [UInt8] = []

  init(_ table: RecordedTable, entity: Entity?) {
    self.table = table
    self.entity = entity
  }

  /// The table, by its plain name.
  public var name: String { table.name }
  /// The stored columns that values are told of, those that the store computes last; the key is not among them.
  public var columns: [String] { table.columns.map(\.name) }
  /// The columns that make the key; empty where it is the row id.
  public var keyColumns: [String] {
    if case .columns(let names) = table.key { names } else { [] }
  }

  /// Every changed row.
  ///
  /// - Throws: StoreError for a record that was read from a file and makes no sense.
  public func rows() throws -> [RowChange] {
    var records = ChangeRecords(bytes, of: table)
    var rows: [RowChange] = []
    while let record = try records.next() {
      let kind: RowChange.Kind
      switch record.kind {
      case .inserted: kind = .inserted
      case .updated:
        kind = .updated(
          try record.changes.map { change throws(StoreError) in
            RowChange.ColumnChange(
              column: change.column, old: try value(change.old), new: try value(change.new))
          })
      case .deleted: kind = .deleted(try values(record.row))
      }
      rows.append(RowChange(key: try values(record.key), kind: kind))
    }
    return rows
  }

  /// All values that stand in a place of the record.
  func values(_ place: Range<Int>) throws(StoreError) -> [Value] {
    var reader = ImageReader(bytes, place)
    var values: [Value] = []
    while !reader.isAtEnd { values.append(try reader.value()) }
    return values
  }

  private func value(_ place: Range<Int>) throws(StoreError) -> Value {
    var reader = ImageReader(bytes, place)
    return try reader.value()
  }
}

/// What a transaction did to a row.
public struct RowChange: Hashable, Sendable {
  /// The row id, or the values of the key's columns.
  public var key: [Value]
  /// What was done.
  public var kind: Kind

  /// A column's values, as stored.
  public struct ColumnChange: Hashable, Sendable {
    /// The column, as an index of `TableChanges.columns`.
    public var column: Int
    /// The value before.
    public var old: Value
    /// The value now.
    public var new: Value
  }

  /// A kind of change.
  public enum Kind: Hashable, Sendable {
    /// The row was not there before.
    case inserted
    /// These columns have other values.
    case updated([ColumnChange])
    /// The row is gone; what it held, in the order of `TableChanges.columns`.
    case deleted([Value])
  }
}

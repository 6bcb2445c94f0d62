public import Modeling

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
  /// What the rows hold now; nil where that was not kept, as in what was read from a file.
  var present: PresentRows?

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

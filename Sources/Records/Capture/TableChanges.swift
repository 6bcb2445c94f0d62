public import Modeling
package import StoreErrors
package import Stores

/// What one transaction changed in one table.
public struct TableChanges: Sendable {
  /// The root entity of the table; nil for join tables and tables outside the model.
  public package(set) var entity: Entity?
  /// The number of inserted rows.
  public package(set) var insertedCount = 0
  /// The number of updated rows.
  public package(set) var updatedCount = 0
  /// The number of deleted rows.
  public package(set) var deletedCount = 0

  package let table: RecordedTable
  /// The rows' changes, as ChangeRecords reads them.
  package var bytes: [UInt8] = []
  /// The present values of the rows; nil if they were not kept, as in changes read from the journal.
  package var present: PresentRows?

  package init(_ table: RecordedTable, entity: Entity?) {
    self.table = table
    self.entity = entity
  }

  /// The table's name.
  public var name: String { table.name }
  /// The names of the stored columns without the key, store-computed ones last.
  public var columns: [String] { table.columns.map(\.name) }
  /// The key columns; empty if the key is the row id.
  public var keyColumns: [String] {
    if case .columns(let names) = table.key { names } else { [] }
  }

  /// Returns all changed rows.
  ///
  /// - Throws: StoreError if a record from a file is invalid.
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

  /// Returns all values in a range of the record.
  package func values(_ place: Range<Int>) throws(StoreError) -> [Value] {
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

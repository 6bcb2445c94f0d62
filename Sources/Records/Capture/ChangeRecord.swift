package import StoreErrors
import Stores

/// The recorded change of one row: its old values, and a hash that detects later changes by others.
package struct ChangeRecord {
  package enum Kind: UInt8 {
    case inserted = 0
    case updated = 1
    case deleted = 2
  }

  /// A column's value before and after.
  package struct Change {
    package var column: Int
    package var old: Range<Int>
    package var new: Range<Int>
  }

  package var kind: Kind
  /// The row id; 0 where the key is made of columns.
  package var rowID: Int64 = 0
  /// The place of the key's values.
  package var key: Range<Int>
  /// The hash of the row's plain columns after the change, of inserted and updated rows.
  package var hash: UInt64 = 0
  /// The changed columns of an updated row.
  package var changes: [Change] = []
  /// The place of the values of a deleted row.
  package var row = 0..<0
  /// The place of the whole record.
  package var whole = 0..<0
}

/// Iterates over the records of a table's changes.
package struct ChangeRecords {
  private var reader: ImageReader
  private let table: RecordedTable

  package init(_ bytes: [UInt8], of table: RecordedTable) {
    reader = ImageReader(bytes)
    self.table = table
  }

  /// The next record; nil after the last.
  package mutating func next() throws(StoreError) -> ChangeRecord? {
    if reader.isAtEnd { return nil }
    let first = reader.offset
    guard let kind = ChangeRecord.Kind(rawValue: try reader.byte()) else { throw Self.damage }
    let start = reader.offset
    var record = ChangeRecord(kind: kind, key: start..<start)
    switch table.key {
    case .rowID:
      guard case .integer(let number) = try reader.item() else { throw Self.damage }
      record.rowID = number
    case .columns(let names): for _ in names { _ = try reader.pass() }
    }
    record.key = start..<reader.offset
    switch kind {
    case .inserted: record.hash = try reader.fixed()
    case .updated:
      record.hash = try reader.fixed()
      for _ in 0..<(try reader.count()) {
        let column = try reader.number()
        guard column < UInt64(table.columns.count) else { throw Self.damage }
        record.changes.append(
          ChangeRecord.Change(column: Int(column), old: try reader.pass(), new: try reader.pass()))
      }
    case .deleted:
      let begin = reader.offset
      for _ in table.columns { _ = try reader.pass() }
      record.row = begin..<reader.offset
    }
    record.whole = first..<reader.offset
    return record
  }

  private static var damage: StoreError {
    StoreError(.corrupt("the record of a save in \(SaveJournal.table) cannot be read"))
  }
}

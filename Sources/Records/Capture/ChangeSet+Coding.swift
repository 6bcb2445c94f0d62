package import Modeling
package import StoreErrors
import Stores

extension ChangeSet {
  private static let version: UInt8 = 1

  /// Encodes the changes for the journal in the store.
  package func encoded() -> [UInt8] {
    var bytes = [Self.version]
    bytes.reserveCapacity(tables.reduce(64) { $0 + $1.bytes.count + 256 })
    RowImage.appendNumber(UInt64(tables.count), to: &bytes)
    for changes in tables {
      RowImage.append(name: changes.table.name, to: &bytes)
      switch changes.table.key {
      case .rowID(let isStable): bytes.append(isStable ? 0 : 1)
      case .columns(let names):
        bytes.append(2)
        RowImage.appendNumber(UInt64(names.count), to: &bytes)
        for name in names { RowImage.append(name: name, to: &bytes) }
      }
      RowImage.appendNumber(UInt64(changes.table.columns.count), to: &bytes)
      for column in changes.table.columns {
        RowImage.append(name: column.name, to: &bytes)
        bytes.append(column.isComputed ? 1 : 0)
      }
      for count in [changes.insertedCount, changes.updatedCount, changes.deletedCount, changes.bytes.count] {
        RowImage.appendNumber(UInt64(count), to: &bytes)
      }
      bytes.append(contentsOf: changes.bytes)
    }
    return bytes
  }

  /// Reads what `encoded` wrote; `entity` gives the entity of a table.
  package init(encoded bytes: [UInt8], entity: (String) -> Entity?) throws(StoreError) {
    var reader = ImageReader(bytes)
    guard try reader.byte() == Self.version else {
      throw StoreError(.corrupt("the record of a save in \(SaveJournal.table) was written by a newer perilune"))
    }
    for _ in 0..<(try reader.count()) {
      let name = try reader.name()
      let key: RecordedTable.Key
      switch try reader.byte() {
      case 0: key = .rowID(isStable: true)
      case 1: key = .rowID(isStable: false)
      default:
        var names: [String] = []
        for _ in 0..<(try reader.count()) { names.append(try reader.name()) }
        key = .columns(names)
      }
      var columns: [RecordedTable.Column] = []
      for _ in 0..<(try reader.count()) {
        columns.append(RecordedTable.Column(name: try reader.name(), isComputed: try reader.byte() != 0))
      }
      var changes = TableChanges(RecordedTable(name: name, key: key, columns: columns), entity: entity(name))
      changes.insertedCount = try reader.count()
      changes.updatedCount = try reader.count()
      changes.deletedCount = try reader.count()
      changes.bytes = Array(bytes[try reader.piece()])
      tables.append(changes)
    }
  }
}

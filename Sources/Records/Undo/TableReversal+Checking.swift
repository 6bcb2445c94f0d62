import Modeling
import StoreErrors
import Stores

extension TableReversal {
  /// Finds the rows that have changed since the save.
  func check(_ report: (ChangeRecord, _ image: [UInt8], ReversalConflict.Reason) -> Void) throws(StoreError) {
    let reader = try RowReader(shape, connection, walking: true)
    defer { reader.rewind() }
    try forEach { record throws(StoreError) in
      let isThere = try find(record, reader)
      switch record.kind {
      case .inserted:
        if !isThere {
          report(record, [], .deleted)
        } else if reader.hash != record.hash {
          report(record, reader.image, .changed([]))
        }
      case .updated:
        let changes = plainChanges(record)
        guard !changes.isEmpty else { return }
        guard isThere else { return report(record, [], .deleted) }
        let others = try differences(changes.map { ($0.column, $0.new) }, reader)
        if !others.isEmpty {
          report(record, reader.image, .changed(others))
        } else if case .rowID(isStable: false) = table.key, reader.hash != record.hash {
          // VACUUM may have given the number to another row.
          report(record, reader.image, .changed([]))
        }
      case .deleted:
        if isThere { report(record, reader.image, .insertedAgain) }
      }
    }
  }

  /// Returns the records whose rows are not restored, and whether the row exists.
  func unrestored() throws(StoreError) -> [(record: ChangeRecord, isThere: Bool)] {
    let reader = try RowReader(shape, connection, walking: true)
    defer { reader.rewind() }
    var found: [(record: ChangeRecord, isThere: Bool)] = []
    try forEach { record throws(StoreError) in
      let isThere = try find(record, reader)
      let isRight: Bool
      switch record.kind {
      case .inserted: isRight = !isThere
      case .updated:
        let changes = plainChanges(record)
        if changes.isEmpty { return }
        let others = isThere ? try differences(changes.map { ($0.column, $0.old) }, reader) : []
        isRight = isThere && others.isEmpty
      case .deleted:
        let before = try plain(record.row)
        isRight = isThere && RowImage.areSame(changes.bytes, before, reader.image, 0..<reader.plainEnd)
      }
      if !isRight { found.append((record, isThere)) }
    }
    return found
  }

  /// The part of a row's image without store-computed columns.
  private func plain(_ row: Range<Int>) throws(StoreError) -> Range<Int> {
    var reader = ImageReader(changes.bytes, row)
    for _ in 0..<table.plainCount { _ = try reader.pass() }
    return row.lowerBound..<reader.offset
  }

  /// Returns the names of the columns in which the found row differs from these values.
  private func differences(
    _ expected: [(column: Int, value: Range<Int>)], _ reader: RowReader
  ) throws(StoreError) -> [String] {
    var image = ImageReader(reader.image)
    var places: [Range<Int>] = []
    for _ in table.columns { places.append(try image.pass()) }
    return expected.filter { !RowImage.areSame(changes.bytes, $0.value, reader.image, places[$0.column]) }
      .map { table.columns[$0.column].name }
  }
}

package import StoreErrors
import Stores

extension CapturedTable {
  /// Compares the touched rows with the present ones; returns nil if there is no difference.
  ///
  /// The hook reports candidates only: it is not called for ROLLBACK TO, nor when a statement fails half-way.
  /// `size` grows by the bytes of inserted rows, which an undo would have to keep.
  package func changes(size: inout Int) throws(StoreError) -> TableChanges? {
    var changes = TableChanges(shape.recorded, entity: entity)
    let reader = try foldingReader()
    defer { reader.rewind() }
    if shape.keyPlaces.isEmpty {
      changes.present = PresentRows()
      for (row, place) in touched.ascending {
        let isThere = try reader.find(row)
        try fold(&changes, place, isThere ? reader : nil) { RowImage.append(row, to: &$0) }
      }
      reader.rewind()
      for run in runs { try addInserted(run, &changes, reader, &size) }
      for row in strays.sorted() { try addInserted(row...row, &changes, reader, &size) }
    } else {
      for (key, place) in touchedKeys.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        let isThere = try reader.find(key: key)
        if isThere, place == nil { size += reader.image.count }
        try fold(&changes, place, isThere ? reader : nil) { $0.append(contentsOf: key) }
      }
    }
    return changes.bytes.isEmpty ? nil : changes
  }

  private func addInserted(
    _ run: ClosedRange<Int64>, _ changes: inout TableChanges, _ reader: RowReader, _ size: inout Int
  ) throws(StoreError) {
    var row = run.lowerBound
    while let found = try reader.findNext(row), found <= run.upperBound {
      size += reader.image.count
      try fold(&changes, nil, reader) { RowImage.append(found, to: &$0) }
      guard found < run.upperBound else { return }
      row = found + 1
    }
  }

  /// Adds the record of one row: `old` is the place of its old image, `now` has the present one.
  private func fold(
    _ changes: inout TableChanges, _ old: Range<Int>?, _ now: RowReader?, _ key: (inout [UInt8]) -> Void
  ) throws(StoreError) {
    switch (old, now) {
    case (nil, nil): return
    case (nil, let now?):
      changes.insertedCount += 1
      changes.keepPresent(now)
      changes.bytes.append(ChangeRecord.Kind.inserted.rawValue)
      key(&changes.bytes)
      RowImage.appendFixed(now.hash, to: &changes.bytes)
    case (let old?, nil):
      changes.deletedCount += 1
      changes.bytes.append(ChangeRecord.Kind.deleted.rawValue)
      key(&changes.bytes)
      changes.bytes.append(contentsOf: images[old])
    case (let old?, let now?):
      guard !RowImage.areSame(images, old, now.image, now.image.indices) else { return }
      changes.updatedCount += 1
      changes.keepPresent(now)
      changes.bytes.append(ChangeRecord.Kind.updated.rawValue)
      key(&changes.bytes)
      RowImage.appendFixed(now.hash, to: &changes.bytes)
      try appendDifferences(images, old, now.image, to: &changes.bytes)
    }
  }

  private func appendDifferences(
    _ images: [UInt8], _ old: Range<Int>, _ now: [UInt8], to bytes: inout [UInt8]
  ) throws(StoreError) {
    var (before, after) = (ImageReader(images, old), ImageReader(now))
    let start = bytes.count
    var count: UInt64 = 0
    // Their number is known behind them, and takes one byte for any but the widest tables.
    bytes.append(0)
    for column in shape.recorded.columns.indices {
      let (old, new) = (try before.pass(), try after.pass())
      if RowImage.areSame(images, old, now, new) { continue }
      count += 1
      RowImage.appendNumber(UInt64(column), to: &bytes)
      bytes.append(contentsOf: images[old])
      bytes.append(contentsOf: now[new])
    }
    guard count >= 0x80 else { return bytes[start] = UInt8(count) }
    var number: [UInt8] = []
    RowImage.appendNumber(count, to: &number)
    bytes.replaceSubrange(start...start, with: number)
  }
}

extension TableChanges {
  /// Keeps the present values of a changed row, unless they are too large.
  fileprivate mutating func keepPresent(_ row: RowReader) {
    if present?.add(row.image, key: row.rowID) == false { present = nil }
  }
}

internal import Modeling
internal import Stores

/// A column of rows as they are stored, and the tally of its values. One thread uses it at a time.
final class StoredColumn: @unchecked Sendable {
  /// What the values are.
  enum Content {
    case attribute(AttributeType)
    case key(of: Entity)
  }

  /// The column's place in rows.
  fileprivate let place: Int
  private let content: Content
  /// Whether of blobs the sizes alone count.
  fileprivate let countsSizes: Bool
  private var tally: ValueTally
  /// Values that wait to be counted.
  private var waiting = ColumnBlock()

  init(_ place: Int, _ content: Content, _ tally: ValueTally) {
    (self.place, self.content, self.tally) = (place, content, tally)
    countsSizes = tally.nature == .sizes
  }

  /// Exchanges a block of values for the former one, which was counted.
  func exchange(_ block: inout ColumnBlock) { swap(&block, &waiting) }

  /// Counts the values of the present block.
  func addBlock() {
    waiting.forEach(add, size: { tally.add(size: $0) })
    waiting.removeAll()
  }

  /// What the values are like. Ends the counting.
  func summary() -> PropertySummary { tally.finished() }

  private func add(_ value: ColumnValue) {
    switch (content, value) {
    case (.attribute(let type), _): tally.add(value, as: type)
    case (.key(let entity), .integer(let key)): tally.add(key: key, of: entity)
    // A value that is no key refers to no object that could be named.
    case (.key, _): tally.add(value, as: .any)
    }
  }
}

/// Copies of a column's values in the last rows.
///
/// It keeps no reference to the column: where a thread counts references and reads beside what another one writes, each waits for the
/// other's cache.
struct ColumnCopy {
  var block = ColumnBlock()
  private let place: Int
  private let countsSizes: Bool

  init(of column: StoredColumn) { (place, countsSizes) = (column.place, column.countsSizes) }

  /// Copies the value in a row.
  mutating func append(_ row: RowCursor) {
    let value = row.value(place)
    if countsSizes, case .blob(let bytes) = value {
      block.append(size: bytes.count)
    } else {
      block.append(value)
    }
  }
}

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
  private let place: Int
  private let content: Content
  /// Whether of blobs the sizes alone count. Copying asks while another thread may change the tally.
  private let countsSizes: Bool
  private var tally: ValueTally
  /// Values that wait to be counted.
  private var waiting = ColumnBlock()

  init(_ place: Int, _ content: Content, _ tally: ValueTally) {
    (self.place, self.content, self.tally) = (place, content, tally)
    countsSizes = tally.nature == .sizes
  }

  /// Counts the value in a row.
  func add(_ row: RowCursor) { add(row.value(place)) }

  /// Copies the value in a row to the end of a block.
  func copy(_ row: RowCursor, to block: inout ColumnBlock) {
    let value = row.value(place)
    if countsSizes, case .blob(let bytes) = value {
      block.append(size: bytes.count)
    } else {
      block.append(value)
    }
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

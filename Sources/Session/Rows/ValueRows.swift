internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
package import Stores

/// Rows of plain values from the store: dictionaries of a request, or the result of SQL.
package final class ValueRows: TabularSource {
  let columns: [TabularColumn]
  let rowName: String? = nil
  private let cursor: ValueCursor
  private let store: any ObjectStore
  private let count: (() throws -> Int?)?
  /// The first rows, read to determine the columns' contents.
  private var sample: [[Cell]] = []
  private var position = 0
  /// How many rows there are, once the end was reached.
  private var reachedCount: Int?
  /// Called with the cursor on each row that is read.
  private let note: (ValueCursor) -> Void

  private static let sampleCount = 25
  /// The most rows that are read past to show the last.
  package static let mostSkipped = 200_000

  /// The most seconds for reading past rows to show the last.
  private static let patience = 0.5

  package init(
    _ cursor: ValueCursor, in store: any ObjectStore, count: (() throws -> Int?)? = nil,
    note: @escaping (ValueCursor) -> Void = { _ in }
  ) throws {
    self.cursor = cursor
    self.note = note
    self.store = store
    self.count = count
    let names = cursor.columns
    while sample.count < Self.sampleCount, let row = try Self.read(cursor, note) { sample.append(row) }
    if sample.count < Self.sampleCount { reachedCount = sample.count }
    columns = names.indices.map { [sample] index in
      let values = sample.map { $0[index] }.filter { $0 != .null }
      let areNumbers = !values.isEmpty && values.allSatisfy(\.isNumber)
      return TabularColumn(names[index], alignment: areNumbers ? .trailing : .leading)
    }
  }

  func next() throws -> [Cell]? {
    position += 1
    if position <= sample.count { return sample[position - 1] }
    guard reachedCount == nil else { return nil }
    if let row = try Self.read(cursor, note) { return row }
    reachedCount = position - 1
    return nil
  }

  private static func read(_ cursor: ValueCursor, _ note: (ValueCursor) -> Void) throws -> [Cell]? {
    guard try cursor.step() else { return nil }
    note(cursor)
    return cursor.columns.indices.map { Cell(cursor.value($0)) }
  }

  /// Whether all rows have been read.
  package var isAtEnd: Bool { reachedCount != nil }

  func totalCount() throws -> Int? { try reachedCount ?? count?() }

  func lastRows(_ count: Int) throws -> [[Cell]]? {
    var last: [[Cell]] = []
    last.reserveCapacity(2 * count)
    do {
      let hasEnded = try store.limiting(seconds: Self.patience) {
        while let row = try next() {
          if position > Self.mostSkipped || store.isInterrupted() { return false }
          if last.count == 2 * count { last.removeFirst(count) }
          last.append(row)
        }
        return true
      }
      guard hasEnded else { return nil }
    } catch let error as StoreError where error.fact == .interrupted && !store.isInterrupted() {
      return nil
    }
    return last.suffix(count)
  }

  deinit { cursor.close() }
}

extension Cell {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .real, .decimal: true
    default: false
    }
  }
}

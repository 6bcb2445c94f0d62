internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Storage
internal import Terminal

/// Rows of plain values from the store: dictionaries of a request, or the result of SQL.
final class ValueRows: TabularSource {
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

  private static let sampleCount = 25
  /// The most rows that are read past to show the last.
  private static let mostSkipped = 200_000

  /// How long rows are read past to show the last, in seconds.
  private static let patience = 0.5

  init(_ cursor: ValueCursor, in store: any ObjectStore, count: (() throws -> Int?)? = nil) throws {
    self.cursor = cursor
    self.store = store
    self.count = count
    let names = cursor.columns
    while sample.count < Self.sampleCount, try cursor.step() {
      sample.append(names.indices.map { Cell(cursor.value($0)) })
    }
    columns = names.indices.map { [sample] index in
      let values = sample.map { $0[index] }.filter { $0 != .null }
      let areNumbers = !values.isEmpty && values.allSatisfy(\.isNumber)
      return TabularColumn(names[index], alignment: areNumbers ? .trailing : .leading)
    }
  }

  func next() throws -> [Cell]? {
    position += 1
    if position <= sample.count { return sample[position - 1] }
    guard sample.count == Self.sampleCount else { return nil }
    return try cursor.step() ? columns.indices.map { Cell(cursor.value($0)) } : nil
  }

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
    reachedCount = position - 1
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

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
  private let count: (() throws -> Int?)?
  /// The first rows, read to determine the columns' contents.
  private var sample: [[Cell]] = []
  private var position = 0

  private static let sampleCount = 25

  init(_ cursor: ValueCursor, count: (() throws -> Int?)? = nil) throws {
    self.cursor = cursor
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

  func totalCount() throws -> Int? { try count?() }

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

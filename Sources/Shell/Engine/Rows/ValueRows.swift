internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Storage

/// Rows of plain values as they come out of the store: dictionaries of a request, or what SQL selects.
final class ValueRows: TabularSource {
  let columns: [TabularColumn]
  let rowName: String? = nil
  private let cursor: ValueCursor
  private let count: (() throws -> Int?)?

  init(_ cursor: ValueCursor, count: (() throws -> Int?)? = nil) {
    self.cursor = cursor
    self.count = count
    columns = cursor.columns.map { TabularColumn($0) }
  }

  func next() throws -> [Cell]? {
    try cursor.step() ? columns.indices.map { Cell(cursor.value($0)) } : nil
  }

  func totalCount() throws -> Int? { try count?() }

  deinit { cursor.close() }
}

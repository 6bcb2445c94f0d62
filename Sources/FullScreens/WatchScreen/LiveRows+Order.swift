internal import LiveQueries
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

// Live rows on a screen: their order and their marks.
extension LiveRows {
  /// Whether rows ascend by a column; nil where they are not sorted by it.
  func isAscending(at column: Int) -> Bool? {
    switch self {
    case .objects(_, let columns): return columns.isAscending(at: column, in: request.sortDescriptors)
    case .values(let values):
      let order = request.sortDescriptors.first
      return order?.expression == .path(PropertyPath([values.columns[column]])) ? order?.isAscending : nil
    }
  }

  /// What a column is sorted by; nil for the only row of a count or an aggregate.
  func sortKey(at column: Int) throws -> Queries.Expression? {
    switch self {
    case .objects(_, let columns): try columns.sortKey(at: column)
    case .values(let values):
      values.value == nil && values.aggregate == nil ? .path(PropertyPath([values.columns[column]])) : nil
    }
  }

  /// Whether a function makes a column, which the store cannot sort by.
  func isFunction(at column: Int) -> Bool {
    if case .objects(_, let columns) = self { columns.isFunction(at: column) } else { false }
  }

  /// What a change did to the rows that are there, with the texts that cells had before as far as it tells them.
  func marks(of change: ResultsChange, _ charset: Charset) -> [(id: ID, mark: RowMark, formerTexts: [Int: String])] {
    [(change.inserted, RowMark.inserted), (change.updated, .updated), (change.moved, .moved)].flatMap { entries, mark in
      entries.compactMap { entry in
        if case .objects = self { return entry.objectID.map { (.object($0), mark, [:]) } }
        if entry.values.isEmpty { return nil }
        let former = zip(entry.oldValues, entry.values).enumerated().filter { $0.element.0 != $0.element.1 }
        let texts = former.map { ($0.offset, CellText(Cell($0.element.0), charset).text) }
        return (id(of: entry.values), mark, Dictionary(uniqueKeysWithValues: texts))
      }
    }
  }
}

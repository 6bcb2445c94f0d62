internal import LiveQueries
internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

/// Live objects, or live groups and other rows of values, as the rows of a table.
enum LiveRows {
  case objects(FetchedResults, EntityColumns)
  case values(FetchedValues)

  /// What tells rows apart while they change.
  enum ID: Hashable {
    case object(ObjectID)
    /// The values by which a group is one; all values of other rows.
    case values([Value])
  }

  init(_ watched: WatchedQuery, columns: [ColumnRequest]?, isData: Bool) throws {
    switch watched.rows {
    case .objects(let results):
      self = .objects(results, try EntityColumns(results.request.entity, isData: isData, only: columns))
    case .values(let values): self = .values(values)
    }
  }

  var query: LiveQuery {
    switch self {
    case .objects(let results, _): results
    case .values(let values): values
    }
  }

  var request: FetchRequest { query.request }

  var isOfObjects: Bool { if case .objects = self { true } else { false } }

  var count: Int {
    switch self {
    case .objects(let results, _): results.count
    case .values(let values): values.count
    }
  }

  var columns: [TabularColumn] {
    switch self {
    case .objects(_, let columns): columns.columns
    case .values(let values): values.columns.map { TabularColumn($0) }
    }
  }

  // MARK: Rows

  /// Reads the cells of rows; as data, objects are their keys.
  func reader(isData: Bool = false) -> (Int) throws -> [Cell] {
    switch self {
    case .objects(let results, let columns):
      let cells = ObjectCells(columns, isData: isData)
      return { try cells.cells(of: results[$0]) }
    case .values(let values): return { try values.row(at: $0).map { Cell($0) } }
    }
  }

  func object(at row: Int) -> ManagedObject? {
    if case .objects(let results, _) = self, row < results.count { results[row] } else { nil }
  }

  func id(at row: Int) -> ID? {
    switch self {
    case .objects(let results, _): results.objectIDs(row..<row + 1).first.map(ID.object)
    case .values(let values): (try? values.row(at: row)).map(id)
    }
  }

  /// The index of an object's row. Rows of values are not looked for.
  func row(of id: ID) -> Int? {
    guard case .objects(let results, _) = self, case .object(let id) = id else { return nil }
    return results.index(of: results.live.context.object(id))
  }

  private func id(of values: [Value]) -> ID {
    if !request.isAggregated { return .values(values) }
    let keys = request.propertiesToFetch.indices.filter {
      request.propertiesToGroupBy.contains(request.propertiesToFetch[$0].expression)
    }
    return .values(keys.map { values[$0] })
  }

  // MARK: Columns

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

  // MARK: Changes

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

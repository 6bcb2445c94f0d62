package import LiveQueries
package import LuaBindings
package import Modeling
package import ObjectGraph
package import Presentation
package import Queries

/// Live objects, or live groups and other rows of values, as the rows of a table.
package enum LiveRows {
  case objects(FetchedResults, EntityColumns)
  case values(FetchedValues)

  /// What tells rows apart while they change.
  package enum ID: Hashable {
    case object(ObjectID)
    /// The values by which a group is one; all values of other rows.
    case values([Value])
  }

  package init(_ watched: WatchedQuery, columns: [ColumnRequest]?, isData: Bool) throws {
    switch watched.rows {
    case .objects(let results):
      self = .objects(results, try EntityColumns(results.request.entity, isData: isData, only: columns))
    case .values(let values): self = .values(values)
    }
  }

  package var query: LiveQuery {
    switch self {
    case .objects(let results, _): results
    case .values(let values): values
    }
  }

  package var request: FetchRequest { query.request }

  package var isOfObjects: Bool { if case .objects = self { true } else { false } }

  package var count: Int {
    switch self {
    case .objects(let results, _): results.count
    case .values(let values): values.count
    }
  }

  package var columns: [TabularColumn] {
    switch self {
    case .objects(_, let columns): columns.columns
    case .values(let values): values.columns.map { TabularColumn($0) }
    }
  }

  // MARK: Rows

  /// Reads the cells of rows; as data, objects are their keys.
  package func reader(isData: Bool = false) -> (Int) throws -> [Cell] {
    switch self {
    case .objects(let results, let columns):
      let cells = ObjectCells(columns, isData: isData)
      return { try cells.cells(of: results[$0]) }
    case .values(let values): return { try values.row(at: $0).map { Cell($0) } }
    }
  }

  package func object(at row: Int) -> ManagedObject? {
    if case .objects(let results, _) = self, row < results.count { results[row] } else { nil }
  }

  package func id(at row: Int) -> ID? {
    switch self {
    case .objects(let results, _): results.objectIDs(row..<row + 1).first.map(ID.object)
    case .values(let values): (try? values.row(at: row)).map(id)
    }
  }

  /// The index of an object's row. Rows of values are not looked for.
  package func row(of id: ID) -> Int? {
    guard case .objects(let results, _) = self, case .object(let id) = id else { return nil }
    return results.index(of: results.live.context.object(id))
  }

  package func id(of values: [Value]) -> ID {
    if !request.isAggregated { return .values(values) }
    let keys = request.propertiesToFetch.indices.filter {
      request.propertiesToGroupBy.contains(request.propertiesToFetch[$0].expression)
    }
    return .values(keys.map { values[$0] })
  }
}

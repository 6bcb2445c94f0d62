internal import Modeling
public import Queries
public import Stores

/// The dependencies of a request's results: tables, columns of its own rows, and the paths along which changes of other
/// rows affect them.
///
///     let dependencies = try Dependencies(request, store: store)
///     if dependencies.isTouched(by: touched) { try dependencies.affected(by: touched) }    // .keys(own: [3], related: [1, 8], unmoved: [])
///
/// Rows that `affected` does not list keep their position in the results, or stay outside.
public final class Dependencies {
  /// The rows that a commit may have moved, inserted or removed.
  public enum Affected: Hashable, Sendable {
    /// Rows to place again: touched rows of the request's table, and rows from which paths lead to touched rows.
    /// `unmoved` are rows of the table with changes in irrelevant columns only: they show other values in the same
    /// position. Each key is in one list, once; its row may be deleted, or be of another entity of the family.
    case keys(own: [Int64], related: [Int64], unmoved: [Int64])
    /// Any row may be affected, for this reason.
    case everything(Reason)
  }

  /// The reason why any row may be affected.
  public enum Reason: Hashable, Sendable {
    /// Some changes are unknown.
    case incomplete
    /// Rows of a table were updated or deleted, and their former references are unknown.
    case unknownReferences(table: String)
    /// A relationship of a plain SQLite file uses columns that compare unlike the columns to which they refer.
    case unlikeColumns(relationship: String)
    /// More rows than the limit are affected.
    case tooMany
    /// A view or a virtual table computes the rows, and reports no changes.
    case computedTable(String)
  }

  /// The tables, in lower case, on whose rows the results depend.
  public let tables: Set<String>
  /// The view or virtual table among the tables, if any: then any change may matter.
  public let computedTable: String?
  /// The columns of the request's own rows, in lower case, that decide membership and position; nil for all.
  public var ownColumns: Set<String>? { root.columns }

  /// Whether other rows than the request's own decide, possibly of the same table.
  public var followsRelationships: Bool { !root.steps.isEmpty }

  let root: DependencyNode
  let store: any ObjectStore
  /// The paths through relationships.
  let paths: [(path: PropertyPath, resolved: ResolvedPath)]

  /// Analyses `request`.
  ///
  /// - Throws: PredicateError if it does not fit the model.
  public init(_ request: FetchRequest, store: any ObjectStore) throws {
    self.store = store
    let request = request.inlined
    root = try DependencyNode(request.entity, store)
    var paths: [(PropertyPath, ResolvedPath)] = []
    for path in request.dependencyPaths {
      try root.add(path)
      let resolved = try path.resolve(in: request.entity)
      if !resolved.hops.isEmpty { paths.append((path, resolved)) }
    }
    if request.resultType == .dictionaries, request.propertiesToFetch.isEmpty { root.addAllColumns() }
    self.paths = paths
    tables = root.tables
    computedTable = try store.computedTable(among: tables)
  }

  /// Whether any of the touched rows matters.
  public func isTouched(by touched: TouchedRows) -> Bool {
    if !touched.isComplete { return true }
    if computedTable != nil { return !touched.isEmpty }
    return touched.tables.keys.contains(where: tables.contains)
  }

  /// Returns the affected rows, at most `limit` of them.
  ///
  /// - Throws: StoreError.
  public func affected(by touched: TouchedRows, limit: Int = 20_000) throws -> Affected {
    if !touched.isComplete { return .everything(.incomplete) }
    if touched.tables.contains(where: { $0.value.isUnknown && tables.contains($0.key) }) {
      return .everything(.incomplete)
    }
    if let computedTable, !touched.isEmpty { return .everything(.computedTable(computedTable)) }
    if root.steps.isEmpty { return affectedAlone(by: touched.tables[root.table], limit: limit) }
    do {
      var (own, related) = (KeyCollector(limit: limit), KeyCollector(limit: limit))
      try collectOwners(of: root, touched, &related)
      let table = touched.tables[root.table]
      if let table {
        try own.add(table.inserted)
        try own.add(table.updated)
        try own.add(table.deleted)
      }
      let others = related.keys.subtracting(own.keys).sorted()
      if table.map(root.isTouched) != false { return .keys(own: own.keys.sorted(), related: others, unmoved: []) }
      return .keys(
        own: own.keys.intersection(related.keys).sorted(), related: others,
        unmoved: own.keys.subtracting(related.keys).sorted())
    } catch let obstacle as DependencyObstacle {
      return .everything(obstacle.reason)
    }
  }

  /// Does the same for a request whose paths lead through no other rows.
  private func affectedAlone(by table: TouchedRows.Table?, limit: Int) -> Affected {
    guard let table else { return .keys(own: [], related: [], unmoved: []) }
    let keys = table.keys
    if keys.count > limit { return .everything(.tooMany) }
    return root.isTouched(by: table)
      ? .keys(own: keys, related: [], unmoved: []) : .keys(own: [], related: [], unmoved: keys)
  }

  // MARK: Walking back

  /// The rows of a node's entity that were touched in relevant columns, or from which paths lead to such rows.
  private func affectedRows(
    of node: DependencyNode, _ touched: TouchedRows, limit: Int
  ) throws -> Set<Int64> {
    var found = KeyCollector(limit: limit)
    if let table = touched.tables[node.table] {
      try found.add(table.inserted)
      try found.add(table.deleted)
      if node.isUpdated(by: table) { try found.add(table.updated) }
    }
    try collectOwners(of: node, touched, &found)
    return found.keys
  }

  private func collectOwners(
    of node: DependencyNode, _ touched: TouchedRows, _ found: inout KeyCollector
  ) throws {
    for step in node.steps where step.isReached(by: touched) {
      let members = try affectedRows(of: step.node, touched, limit: found.limit)
      try step.owners(of: members, touched, into: &found)
    }
  }
}

extension FetchRequest {
  /// The paths that decide selection, order and sections, and the contents of dictionaries.
  fileprivate var dependencyPaths: [PropertyPath] {
    var expressions = sortDescriptors.map(\.expression)
    if let sectionIdentifier { expressions.append(sectionIdentifier) }
    var paths = predicate?.paths ?? []
    if resultType == .dictionaries {
      expressions += propertiesToFetch.map(\.expression) + propertiesToGroupBy
      paths += resolvedHavingPredicate?.paths ?? []
    }
    paths += expressions.flatMap(\.paths)
    var seen: Set<PropertyPath> = []
    return paths.filter { seen.insert($0).inserted }
  }
}

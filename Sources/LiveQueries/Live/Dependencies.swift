internal import Modeling
public import Queries
public import Storage

/// What the results of a request depend on: which tables, which columns of its own rows, and along which paths a change
/// of another row reaches them.
///
///     let dependencies = try Dependencies(request, store: store)
///     if dependencies.isTouched(by: touched) { try dependencies.affected(by: touched) }    // .keys(own: [3], related: [1, 8], unmoved: [])
///
/// Rows that are not told keep their place, and their part in the results, whatever was committed.
public final class Dependencies {
  /// The rows that a commit can have moved, brought in or taken out.
  public enum Affected: Hashable, Sendable {
    /// Rows whose place is to be found anew: those of the request's table that were touched themselves, and others that
    /// paths lead from to touched ones. `unmoved` are rows of the table that were updated in columns that do not matter:
    /// they show other values in the same place. A key stands in one list, once; rows may be gone, or of a relative of
    /// the entity.
    case keys(own: [Int64], related: [Int64], unmoved: [Int64])
    /// Any row, for a reason.
    case everything(Reason)
  }

  /// Why any row may be affected.
  public enum Reason: Hashable, Sendable {
    /// Not all changes are known.
    case incomplete
    /// A table's rows changed or went, and what they referred to before is not known.
    case unknownReferences(table: String)
    /// A relationship of a file made elsewhere is kept in columns that compare otherwise than those they refer to.
    case unlikeColumns(relationship: String)
    /// More rows than the limit.
    case tooMany
    /// Rows are made by a view or a virtual table, which tells of no changes.
    case computedTable(String)
  }

  /// The tables, in lower case, whose rows matter.
  public let tables: Set<String>
  /// The view or virtual table among them, if there is one: then any change may matter.
  public let computedTable: String?
  /// The columns of the request's own rows, in lower case, that decide whether and where they show; nil for all.
  public var ownColumns: Set<String>? { root.columns }

  let root: DependencyNode
  let store: any ObjectStore
  /// The paths that lead along relationships.
  let paths: [(path: PropertyPath, resolved: ResolvedPath)]

  /// Finds out what `request` depends on.
  ///
  /// - Throws: PredicateError where it does not fit the model.
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

  /// Whether anything touched matters at all.
  public func isTouched(by touched: TouchedRows) -> Bool {
    if !touched.isComplete { return true }
    if computedTable != nil { return !touched.isEmpty }
    return touched.tables.keys.contains(where: tables.contains)
  }

  /// The rows that can be affected, at most `limit` of them.
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

  /// The same where no other rows lead to the request's own.
  private func affectedAlone(by table: TouchedRows.Table?, limit: Int) -> Affected {
    guard let table else { return .keys(own: [], related: [], unmoved: []) }
    let keys = table.keys
    if keys.count > limit { return .everything(.tooMany) }
    return root.isTouched(by: table)
      ? .keys(own: keys, related: [], unmoved: []) : .keys(own: [], related: [], unmoved: keys)
  }

  // MARK: Walking back

  /// The rows of a node's entity that were touched in a way that counts, or that paths lead from to such rows.
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
  /// The paths that decide which objects are fetched, in which order and sections, and what dictionaries hold.
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

import Modeling
import Queries
import Stores

/// A request split into what the database does and what is done here.
///
/// The database selects at least the rows for which the predicate is true. If it selects more, `residual` is evaluated for
/// each row that comes. If it cannot order as the sort descriptors say, the rows are ordered here. The database applies
/// limit and offset only if nothing is left to do here.
struct SplitRequest {
  private(set) var request: FetchRequest
  let compiler: PostgresCompiler
  let store: PostgresStore
  let place: PostgresPlace
  /// Parts of the predicate that were decided here for the destinations of to-ones.
  private(set) var decidedApart: [Predicate] = []
  /// The conditions that the database evaluates.
  private(set) var conditions: [PostgresSQL] = []
  /// The predicate to evaluate here; nil if the database decides all of it.
  private(set) var residual: CompiledPredicate?
  /// The condition under which the database decides the whole predicate for a row; nil where it always or never does.
  private(set) var domain: PostgresSQL?
  /// The database's order; nil if rows are ordered here.
  private(set) var order: [PostgresSQL]?
  /// An order that is the database's only where it computes all that is ordered, and the condition for this.
  private var partialOrder: (columns: [PostgresSQL], domain: PostgresSQL)?

  /// Splits a request; with `keys`, only rows with one of these are selected.
  ///
  /// - Throws: PredicateError for a request that does not fit the model.
  init(_ request: FetchRequest, _ store: PostgresStore, keys: [Int64]? = nil) throws {
    let request = request.inlined
    self.request = request
    self.store = store
    compiler = PostgresCompiler(store)
    place = compiler.place(request.entity)
    if let family = compiler.family(
      request.entity, place.alias, includesSubentities: request.includesSubentities)
    {
      conditions.append(family)
    }
    if let keys { conditions.append(store.keyCondition(place, keys) ?? "FALSE") }
    if let predicate = request.predicate {
      try predicate.check(in: request.entity, for: .evaluation)
      var parts = DestinationParts(predicate, of: request.entity, store)
      let reduced = keys == nil ? try parts.replaced() : predicate
      decidedApart = parts.decided
      let condition = compiler.condition(reduced, at: place)
      try Interruption.check()
      if let condition { conditions.append(condition.sql) }
      domain = condition?.domain
      if condition?.isExact != true { residual = try CompiledPredicate(predicate, entity: request.entity) }
    }
    if !request.isAggregated { _ = try SortOrder(request.sortDescriptors, entity: request.entity) }
    guard !request.isAggregated, let found = compiler.order(request.sortDescriptors, at: place) else { return }
    if let domain = found.domain { partialOrder = (found.columns, domain) } else { order = found.columns }
  }

  /// Whether the database decides which rows there are, and their order.
  var isPushedDown: Bool { residual == nil && order != nil }

  /// Whether the request has a limit or an offset.
  var isLimited: Bool { (request.fetchLimit ?? 0) > 0 || request.fetchOffset > 0 }

  /// A SELECT; it has limit and offset if nothing is left to do here.
  func select(_ columns: [PostgresSQL], ordered: Bool, byKeyIfUnsorted: Bool = false) -> PostgresSQL {
    var sql: PostgresSQL = "SELECT \(columns.joined(", ")) FROM \(place.source.sql)"
    if !conditions.isEmpty { sql += " WHERE \(conditions.joined(" AND "))" }
    if ordered, let order, !order.isEmpty || byKeyIfUnsorted || isLimited {
      sql += " ORDER BY \((order + compiler.keyOrder(place)).joined(", "))"
    }
    guard isPushedDown else { return sql }
    if let limit = request.fetchLimit, limit > 0 { sql += " LIMIT \(.int(Int64(limit)))" }
    if request.fetchOffset > 0 { sql += " OFFSET \(.int(Int64(request.fetchOffset)))" }
    return sql
  }

  /// Selections of rows among which are all that the request selects, where the database orders most of the rows: the first, if
  /// it orders all of those; otherwise the first of those that it orders, and all others. Nil where it orders none, or where there
  /// is no limit.
  var firstRows: (first: SplitRequest, parts: [SplitRequest])? {
    guard residual == nil, let partialOrder, let limit = request.fetchLimit, limit > 0 else { return nil }
    let isOrdered: PostgresSQL = "(\(partialOrder.domain)) IS NOT FALSE"
    var (first, others) = (self, self)
    (first.request.fetchLimit, first.request.fetchOffset) = (limit + max(0, request.fetchOffset), 0)
    var ordered = first
    // Rows that it does not order come first.
    (first.order, first.domain) = (["(\(isOrdered))"] + partialOrder.columns, "(\(partialOrder.domain))")
    ordered.order = partialOrder.columns
    ordered.conditions.append(isOrdered)
    others.conditions.append("NOT (\(partialOrder.domain))")
    return (first, [ordered, others])
  }

  /// The rows between offset and limit of what was found here.
  func slice<Element>(_ found: [Element]) -> [Element] {
    let rest = found.dropFirst(max(0, request.fetchOffset))
    guard let limit = request.fetchLimit, limit > 0 else { return Array(rest) }
    return Array(rest.prefix(limit))
  }
}

public import Modeling
public import Queries

extension ObjectContext {
  /// Counts how often each value of an expression comes among the objects that a request selects: the most frequent first,
  /// equally frequent ones in their order, no value last.
  ///
  /// Unsaved changes count as in `fetch`, and so do limit and offset. It is one pass over the rows; values are kept, rows are not.
  ///
  /// - Parameter progress: Called with the number of objects after every few thousand.
  /// - Throws: PredicateError, StoreError.
  public func facets(
    _ request: FetchRequest, of expression: Expression, progress: (Int) throws -> Void = { _ in }
  ) throws -> [(value: Value, count: Int)] {
    let counts = try valueCounts(request, of: expression, limit: .max, progress: progress)
    let facets = Self.inOrder(counts.table)
    return counts.nils > 0 ? facets + [(.null, counts.nils)] : facets
  }

  /// Counts values in one pass over the objects; the table keeps a part of them beyond the limit.
  func valueCounts(
    _ request: FetchRequest, of expression: Expression, limit: Int, progress: (Int) throws -> Void = { _ in }
  ) throws -> (table: DistinctTable<TalliedValue>, nils: Int) {
    var request = request
    if !request.isPart { request.sortDescriptors = [] }
    request.resultType = .objects
    let compiled = try CompiledExpression(expression, entity: request.entity)
    var counts = DistinctTable<TalliedValue>(limit: limit)
    var (nils, rows) = (0, 0)
    var poll = InterruptionPoll()
    let cursor = try cursor(request)
    defer { cursor.close() }
    while let slot = try cursor.next() {
      try poll.step()
      rows += 1
      if rows & 0xFFF == 0 { try progress(rows) }
      let value = try compiled.value(of: ManagedObject(table: cursor.objects, slot: slot))
      if value.isNull { nils += 1 } else { counts.add(TalliedValue(value)) }
    }
    return (counts, nils)
  }

  /// The most frequent first, equally frequent ones in their order.
  static func inOrder(_ counts: DistinctTable<TalliedValue>) -> [(value: Value, count: Int)] {
    var facets: [(value: Value, count: Int)] = []
    counts.forEach { facets.append(($0.value, $1)) }
    facets.sort { $0.count != $1.count ? $0.count > $1.count : $0.value.order($1.value) < 0 }
    return facets
  }
}

extension FetchRequest {
  /// The request for the values of an expression, each with the number of the objects that have it: the dictionaries `value` and
  /// `count`, in the order of facets. Texts are told apart by their bytes, as predicates do.
  public func facets(of expression: Expression) -> FetchRequest {
    var facets = FetchRequest(entity)
    facets.predicate = predicate
    facets.includesSubentities = includesSubentities
    facets.includesPendingChanges = includesPendingChanges
    facets.resultType = .dictionaries
    facets.propertiesToGroupBy = [expression]
    facets.groupsTextsByBytes = true
    facets.propertiesToFetch = [
      FetchedColumn("value", expression), FetchedColumn("count", .function(.count, [.object])),
    ]
    let isNil = Predicate.comparison(Comparison(expression, .equal, .constant(.null)))
    facets.sortDescriptors = [
      SortDescriptor(.ternary(isNil, .constant(.int(1)), .constant(.int(0)))),
      SortDescriptor(.path(PropertyPath(["count"])), ascending: false),
    ]
    return facets
  }

  /// Whether a limit or an offset leaves out some of the selected objects.
  var isPart: Bool { (fetchLimit ?? 0) > 0 || fetchOffset > 0 }
}

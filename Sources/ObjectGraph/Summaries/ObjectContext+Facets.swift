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
    var request = request
    let isPart = (request.fetchLimit ?? 0) > 0 || request.fetchOffset > 0
    if !isPart { request.sortDescriptors = [] }
    request.resultType = .objects
    let compiled = try CompiledExpression(expression, entity: request.entity)
    var counts = DistinctTable<TalliedValue>(limit: .max)
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
    var facets: [(value: Value, count: Int)] = []
    counts.forEach { facets.append(($0.value, $1)) }
    facets.sort { $0.count != $1.count ? $0.count > $1.count : $0.value.order($1.value) < 0 }
    return nils > 0 ? facets + [(.null, nils)] : facets
  }
}

public import Modeling
public import Queries
internal import Stores

/// The most frequent values of an expression among the objects that a request selects, and how often each comes.
public struct FrequentValues {
  /// The values, the most frequent first, equally frequent ones in their order; no value, if any object has none, last.
  public internal(set) var values: [(value: Value, count: Int)] = []
  /// Whether there are more values than these.
  public internal(set) var isCut = false
  /// Whether unsaved changes were left out, because there are too many values to count them in memory.
  public internal(set) var leavesOutUnsaved = false
}

extension ObjectContext {
  /// The most different values that are counted in memory.
  private static let mostInMemory = 100_000

  /// Returns the `most` most frequent values of an expression, in memory that does not grow with the rows.
  ///
  /// The store counts where it has all that counts. Unsaved changes, and requests with a limit or an offset, are counted in
  /// memory as long as no more than 100,000 values differ.
  ///
  /// - Throws: PredicateError, StoreError; `GraphError.tooManyValues` for a part of the rows in which more values differ.
  public func frequentValues(_ request: FetchRequest, of expression: Expression, most: Int) throws -> FrequentValues {
    if try !request.isPart && isAsStored(request) { return try storedValues(request, of: expression, most) }
    let counts = try valueCounts(request, of: expression, limit: Self.mostInMemory)
    if counts.table.isEstimated {
      if request.isPart { throw GraphError(.tooManyValues(expression.description, most: Self.mostInMemory)) }
      var found = try storedValues(request, of: expression, most)
      found.leavesOutUnsaved = true
      return found
    }
    let all = Self.inOrder(counts.table)
    var found = FrequentValues()
    found.values = Array(all.prefix(most))
    found.isCut = all.count > most
    if counts.nils > 0 { found.values.append((.null, counts.nils)) }
    return found
  }

  /// What the store counts: a row for each value, of which the first are read.
  private func storedValues(_ request: FetchRequest, of expression: Expression, _ most: Int) throws -> FrequentValues {
    prepareToRead()
    var grouped = FetchRequest(request.entity)
    grouped.predicate = request.predicate
    grouped.includesSubentities = request.includesSubentities
    grouped.resultType = .dictionaries
    grouped.propertiesToGroupBy = [expression]
    grouped.propertiesToFetch = [FetchedColumn("value", expression), FetchedColumn("count", .call(.count, .object))]
    // One more than is wanted, and no value, which comes last and may be among the first.
    grouped.sortDescriptors = [SortDescriptor("-count")]
    // An object has no order.
    if !request.entity.isRelationship(expression) { grouped.sortDescriptors.append(SortDescriptor("value")) }
    grouped.fetchLimit = most + 2
    var found = FrequentValues()
    var nils = 0
    let cursor = try store.dictionaries(grouped)
    defer { cursor.close() }
    while try cursor.step() {
      guard case .int(let count) = cursor.value(1) else { continue }
      if cursor.value(0).isNull { nils = Int(count) } else { found.values.append((cursor.value(0), Int(count))) }
    }
    found.isCut = found.values.count > most
    found.values = Array(found.values.prefix(most))
    if found.isCut, nils == 0 { nils = try storedNils(request, of: expression) }
    if nils > 0 { found.values.append((.null, nils)) }
    return found
  }

  /// How many objects have no value.
  private func storedNils(_ request: FetchRequest, of expression: Expression) throws -> Int {
    let isNil = Predicate.comparison(Comparison(expression, .equal, .constant(.null)))
    var request = request
    request.sortDescriptors = []
    request.predicate = request.predicate.map { $0 & isNil } ?? isNil
    return try store.count(request)
  }
}

extension Entity {
  /// Whether an expression is a path that ends in a relationship.
  fileprivate func isRelationship(_ expression: Expression) -> Bool {
    guard case .path(let path) = expression, let resolved = try? path.resolve(in: self) else { return false }
    return resolved.finalAttribute == nil
  }
}

public import Modeling
public import Queries
internal import Stores

extension ObjectContext {
  /// Counts how often each value of an expression comes among the objects that a request selects: the most frequent first,
  /// equally frequent ones in their order, no value last.
  ///
  /// Unsaved changes count as in `fetch`, and so do limit and offset. Where none count, the store counts texts, numbers and truth
  /// values of the entity's own attributes; else it is one pass over the rows. Values are kept, rows are not.
  ///
  /// - Parameter progress: Called with the number of objects after every few thousand that are passed.
  /// - Throws: PredicateError, StoreError.
  public func facets(
    _ request: FetchRequest, of expression: Expression, progress: (Int) throws -> Void = { _ in }
  ) throws -> [(value: Value, count: Int)] {
    let counts =
      try storedCounts(request, of: expression)
      ?? valueCounts(request, of: expression, limit: .max, progress: progress)
    let facets = Self.inOrder(counts.table)
    return counts.nils > 0 ? facets + [(.null, counts.nils)] : facets
  }

  /// Counts values by the store's groups; nil where a group might have values that differ, and where not all that counts is stored.
  private func storedCounts(
    _ request: FetchRequest, of expression: Expression
  ) throws -> (table: DistinctTable<TalliedValue>, nils: Int)? {
    guard request.entity.groupsAreValues(expression, in: store), try !request.isPart && isAsStored(request) else {
      return nil
    }
    prepareToRead()
    var groups = request.facets(of: expression)
    groups.sortDescriptors = []
    var counts = DistinctTable<TalliedValue>(limit: .max)
    var nils = 0
    let cursor = try store.dictionaries(groups)
    defer { cursor.close() }
    while try cursor.step() {
      guard case .int(let count) = cursor.value(1) else { continue }
      let value = cursor.value(0)
      // Values of different groups may be the same to objects.
      if value.isNull { nils += Int(count) } else { counts.add(TalliedValue(value), times: Int(count)) }
    }
    return (counts, nils)
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

extension Entity {
  /// Whether all values of a group are the same: those of an attribute of its own whose column has values of one class.
  fileprivate func groupsAreValues(_ expression: Expression, in store: any ObjectStore) -> Bool {
    guard family.count == 1, case .path(let path) = expression, let name = path.onlyName, let index = index(of: name)
    else { return false }
    let layout = store.layout(of: self)
    guard case .column(let column) = layout.properties[index], !layout.columns[column].encoding.isSealed else {
      return false
    }
    switch layout.columns[column].type {
    case .string, .integer16, .integer32, .integer64, .double, .float, .boolean: return true
    case .decimal, .date, .uuid, .url, .data, .transformable, .composite, .any: return false
    }
  }

  /// Whether an expression is a path that ends in a relationship.
  fileprivate func isRelationship(_ expression: Expression) -> Bool {
    guard case .path(let path) = expression, let resolved = try? path.resolve(in: self) else { return false }
    return resolved.finalAttribute == nil
  }
}

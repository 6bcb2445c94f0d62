import Modeling
import Queries
import Stores

/// Groups of rows with values over each, or one group of all rows.
///
/// The database makes what it computes as we do, for each combination of values in the keys' columns: counts, least and
/// greatest values, sums. The rest is computed here, once for each combination, or for each row if it needs more than values.
struct GroupedDictionaries {
  let request: FetchRequest
  let store: PostgresStore
  /// Whether limit and offset choose rows rather than groups.
  let limitsRows: Bool

  /// A request with its arguments written into it.
  init(_ request: FetchRequest, _ store: PostgresStore, limitsRows: Bool = false) throws {
    self.request = request
    self.store = store
    self.limitsRows = limitsRows
  }

  func cursor() throws -> ValueCursor {
    ValueCursor(rows: try rows(), columns: request.propertiesToFetch.map(\.name))
  }

  /// The dictionaries, in their order.
  func rows() throws -> [[Value]] {
    var reading = GroupReading(
      entity: request.entity, columns: request.propertiesToFetch.map { ($0.name, $0.expression) })
    let having = try request.havingPredicate.map { try reading.reading($0) }
    let descriptors = limitsRows ? [] : request.sortDescriptors
    let sorted = try descriptors.map { try reading.reading($0.expression) }
    // The computed values of each group: columns, and aggregates that only conditions name.
    var columns = request.propertiesToFetch.map(\.expression)
    let sources = reading.sources.map { source -> Int in
      switch source {
      case .column(let name): return request.propertiesToFetch.firstIndex { $0.name == name } ?? 0
      case .aggregate(let expression):
        if let known = columns.firstIndex(of: expression) { return known }
        columns.append(expression)
        return columns.count - 1
      }
    }
    var groups = try values(of: columns)
    func bound(_ row: [Value]) -> [String: Value] {
      var next = sources.makeIterator()
      return reading.values { _ in next.next().map { row[$0] } ?? .null }
    }
    let subject = NoSubject(entity: request.entity)
    if let having {
      groups = try groups.filter { row in
        try CompiledPredicate(having, entity: request.entity, variables: bound(row).of(having.variables))
          .evaluate(subject) == true
      }
    }
    var found = groups.map { Array($0.prefix(request.propertiesToFetch.count)) }
    if !sorted.isEmpty {
      let keys = try groups.map { row in
        let values = bound(row)
        return try sorted.map { key in
          try CompiledExpression(key, entity: request.entity, variables: values.of(key.variables)).value(of: subject)
        }
      }
      let places = found.indices.sorted { left, right in
        for (index, descriptor) in descriptors.enumerated() {
          let comparison = order(keys[left][index], keys[right][index], by: descriptor.comparator)
          if comparison != 0 { return (comparison < 0) == descriptor.isAscending }
        }
        return left < right
      }
      found = places.map { found[$0] }
    }
    if request.returnsDistinctResults {
      var seen: Set<[ValueKey]> = []
      found = found.filter { seen.insert($0.map(ValueKey.init)).inserted }
    }
    if limitsRows { return found }
    let rest = found.dropFirst(max(0, request.fetchOffset))
    guard let limit = request.fetchLimit, limit > 0 else { return Array(rest) }
    return Array(rest.prefix(limit))
  }

  /// The values of expressions for each group, groups by their keys ascending.
  private func values(of columns: [Expression]) throws -> [[Value]] {
    var rows = FetchRequest(request.entity)
    rows.predicate = request.predicate
    rows.includesSubentities = request.includesSubentities
    if limitsRows {
      (rows.fetchLimit, rows.fetchOffset) = (request.fetchLimit, request.fetchOffset)
      rows.sortDescriptors = request.sortDescriptors
    }
    return try computed(columns, rows, try SplitRequest(rows, store))
  }

  private func keyOrder(_ left: [Value], _ right: [Value]) -> Bool {
    for (one, other) in zip(left, right) {
      let comparison = order(one, other)
      if comparison != 0 { return comparison < 0 }
    }
    return false
  }

  private func order(_ one: Value, _ other: Value, by comparator: SortDescriptor.StringComparator = .binary) -> Int {
    guard case .object(let left) = one, case .object(let right) = other else { return one.order(other, by: comparator) }
    return store.order(of: left.entity, left.key, right.key)
  }

  /// The rows are told apart by the server as far as it can; where it cannot add numbers up exactly, by these numbers.
  private func computed(_ columns: [Expression], _ rows: FetchRequest, _ selection: SplitRequest) throws -> [[Value]] {
    for allowsSums in [true, false] {
      var groups = try GroupedRows(request.entity, request.propertiesToGroupBy, columns)
      if try groups.add(selection, allowsSums: allowsSums) { return try groups.values(sortedBy: keyOrder) }
    }
    var groups = try GroupedRows(request.entity, request.propertiesToGroupBy, columns)
    let paths = (request.propertiesToGroupBy + columns).flatMap(\.paths)
    let matched: MatchedRows
    if selection.isPushedDown || !selection.isLimited {
      matched = try MatchedRows(selection, store, paths: paths)
    } else {
      let keys = try store.keys(rows)
      matched = try MatchedRows(SplitRequest(FetchRequest(request.entity), store, keys: keys), store, paths: paths)
    }
    try matched.forEach { _, subject in
      try groups.add(subject)
      return true
    }
    return try groups.values(sortedBy: keyOrder)
  }
}

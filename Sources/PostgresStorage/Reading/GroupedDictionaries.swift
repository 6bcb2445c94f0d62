import Modeling
import Queries
import Stores

/// Groups of rows with values over each, or one group of all rows.
///
/// The database makes the groups if it computes the same values: counts, least and greatest values, sums of integers, over
/// plain columns. It would round sums of doubles, which are exact here, so their rows are read and grouped here.
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
    let selection = try SplitRequest(rows, store)
    if let pushed = PushedGroups(selection, keys: request.propertiesToGroupBy, columns, store) {
      return try pushed.rows(sortedBy: keyOrder)
    }
    return try computed(columns, rows, selection)
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

  private func computed(_ columns: [Expression], _ rows: FetchRequest, _ selection: SplitRequest) throws -> [[Value]] {
    let entity = request.entity
    let keys = try request.propertiesToGroupBy.map { try CompiledExpression($0, entity: entity) }
    let parts = try columns.map { try GroupColumn($0, request.propertiesToGroupBy, entity) }
    let paths = (request.propertiesToGroupBy + columns).flatMap(\.paths)
    var order: [[ValueKey]] = []
    var groups: [[ValueKey]: Group] = [:]
    let matched: MatchedRows
    if selection.isPushedDown || !selection.isLimited {
      matched = try MatchedRows(selection, store, paths: paths)
    } else {
      let keys = try store.keys(rows)
      matched = try MatchedRows(SplitRequest(FetchRequest(entity), store, keys: keys), store, paths: paths)
    }
    try matched.forEach { row, subject in
      let values = try keys.map { try $0.value(of: subject) }
      let key = values.map(ValueKey.init)
      if groups[key] == nil {
        order.append(key)
        groups[key] = Group(keys: values, collected: parts.map { $0.arguments.map { _ in [] } })
      }
      for (index, part) in parts.enumerated() {
        for (place, argument) in part.arguments.enumerated() {
          try argument.add(subject, to: &groups[key]!.collected[index][place])
        }
      }
      return true
    }
    // All rows are one group, also where there are none.
    if keys.isEmpty, groups.isEmpty {
      order.append([])
      groups[[]] = Group(keys: [], collected: parts.map { $0.arguments.map { _ in [] } })
    }
    var result: [(keys: [Value], values: [Value])] = []
    for key in order {
      guard let group = groups[key] else { continue }
      result.append(
        (
          group.keys,
          try parts.enumerated().map { try $1.value(group.keys, group.collected[$0], NoSubject(entity: entity)) }
        ))
    }
    return result.sorted { keyOrder($0.keys, $1.keys) }.map(\.values)
  }
}

/// A group while its rows are read.
private struct Group {
  let keys: [Value]
  /// For each column and each aggregate in it, the values that it aggregates.
  var collected: [[[Value]]]
}

/// A column of groups: aggregates, and the expression over them and keys.
private struct GroupColumn {
  /// The expression that an aggregate takes.
  struct Argument {
    let function: ExpressionFunction
    let value: CompiledExpression?

    /// Adds the values of a row: one, or all of a to-many's members.
    func add(_ subject: RowSubject, to values: inout [Value]) throws {
      guard let value else { return values.append(.bool(true)) }
      switch try value.value(of: subject) {
      case .list(let many): values += many.filter { !$0.isNull }
      case .null: break
      case let one: values.append(one)
      }
    }
  }

  private(set) var arguments: [Argument] = []
  private let expression: Expression
  private let entity: Entity
  private let keyCount: Int

  init(_ expression: Expression, _ keys: [Expression], _ entity: Entity) throws {
    self.entity = entity
    keyCount = keys.count
    var arguments: [Argument] = []
    var failure: (any Error)?
    // Aggregates first: within them a key is a property of each row.
    let aggregated = Predicate.expression(expression).replacing { (part, _) -> Expression? in
      guard let call = part.aggregateCall else { return nil }
      do {
        // `count` without an argument counts rows, all other aggregates count values.
        let value = call.argument == .object ? nil : try CompiledExpression(call.argument, entity: entity)
        arguments.append(Argument(function: call.function, value: value))
      } catch {
        failure = error
      }
      return .variable("a\(arguments.count - 1)")
    }
    if let failure { throw failure }
    let read = aggregated.replacing { (part, _) -> Expression? in keys.firstIndex(of: part).map { .variable("k\($0)") }
    }
    guard case .expression(let computed) = read else { preconditionFailure("an expression stays one") }
    self.expression = computed
    self.arguments = arguments
  }

  func value(_ keys: [Value], _ collected: [[Value]], _ subject: NoSubject) throws -> Value {
    if case .variable(let name, _) = expression {
      // A key or an aggregate alone needs no evaluation.
      if let index = Int(name.dropFirst()) {
        return name.hasPrefix("k") ? keys[index] : arguments[index].function.aggregate(collected[index])
      }
    }
    var variables: [String: Value] = [:]
    for (index, key) in keys.enumerated() { variables["k\(index)"] = key }
    for (index, argument) in arguments.enumerated() {
      variables["a\(index)"] = argument.function.aggregate(collected[index])
    }
    return try CompiledExpression(expression, entity: entity, variables: variables).value(of: subject)
  }
}

/// Stands where an expression over a group asks no object.
private struct NoSubject: PredicateSubject {
  let entity: Entity
  var objectID: ObjectID { ObjectID(entity: entity, key: 0) }
  func attribute(at index: Int) -> Value { .null }
  func toOne(at index: Int) -> (any PredicateSubject)? { nil }
  func toMany(at index: Int) -> [any PredicateSubject] { [] }
}

import Modeling
import Queries
import Stores

/// Rows in groups with equal values of some keys, and the values of columns over each group.
struct GroupedRows {
  private struct Group {
    let keys: [Value]
    /// For each aggregate in the columns, what it has of the group.
    var accumulators: [Accumulator]
  }

  private let keyExpressions: [Expression]
  private let keys: [CompiledExpression]
  private var columns: [GroupColumn] = []
  private var aggregates: [GroupAggregate] = []
  private var groups: [Group] = []
  private var places: [[ValueKey]: Int] = [:]

  /// Makes no groups, or one of no rows where there are no keys.
  init(_ entity: Entity, _ keys: [Expression], _ columns: [Expression]) throws {
    keyExpressions = keys
    self.keys = try keys.map { try CompiledExpression($0, entity: entity) }
    for column in columns { self.columns.append(try GroupColumn(column, keys, entity, &aggregates)) }
    if keys.isEmpty { _ = add(group: []) }
  }

  private mutating func add(group keys: [Value]) -> Int {
    groups.append(Group(keys: keys, accumulators: aggregates.map { Accumulator($0.function) }))
    return groups.count - 1
  }

  private mutating func group(of subject: any PredicateSubject, isNew: Bool = false) throws -> Int {
    if keys.isEmpty { return 0 }
    let values = try keys.map { try $0.value(of: subject) }
    if isNew { return add(group: values) }
    let key = values.map(ValueKey.init)
    if let known = places[key] { return known }
    let place = add(group: values)
    places[key] = place
    return place
  }

  /// Adds a row.
  mutating func add(_ subject: RowSubject) throws {
    let group = try group(of: subject)
    for (index, aggregate) in aggregates.enumerated() {
      try aggregate.add(subject, times: 1, to: &groups[group].accumulators[index])
    }
  }

  /// Adds the rows of a selection by the combinations of their values. Returns false where that cannot be, or where the
  /// server cannot make the sums, so that the groups are incomplete.
  mutating func add(_ selection: SplitRequest, allowsSums: Bool) throws -> Bool {
    guard var combinations = ValueCombinations(selection) else { return false }
    guard keyExpressions.allSatisfy({ combinations.separate(by: $0) }) else { return false }
    guard let numbers = combine(&combinations, allowsSums: allowsSums) else { return false }
    let isNew = combinations.differ(in: keyExpressions)
    var isComplete = true
    try combinations.forEach { combination in
      let group = try group(of: combination.subject, isNew: isNew)
      for (index, aggregate) in aggregates.enumerated() {
        guard let number = numbers[index] else {
          try aggregate.add(combination.subject, times: combination.count, to: &groups[group].accumulators[index])
          continue
        }
        switch combination.parts[number] {
        case .value(let value, let times): groups[group].accumulators[index].add(value, times: times)
        case .sum(let sum): groups[group].accumulators[index].add(sum)
        case .middle(let lower, let upper):
          groups[group].accumulators[index].add(lower)
          if upper != lower { groups[group].accumulators[index].add(upper) }
        case .unknown: isComplete = false
        }
      }
      return isComplete
    }
    return isComplete
  }

  /// Has the server compute what it can of the aggregates, and tells combinations apart by what the others read. Returns the
  /// number of each in the combinations, nil for those that are computed here; nil where a value is in no column.
  private func combine(_ combinations: inout ValueCombinations, allowsSums: Bool) -> [Int?]? {
    var numbers = [Int?](repeating: nil, count: aggregates.count)
    // A median needs all the values of a group in one combination: the others come first, and all medians or none.
    let (medians, others) = (aggregates.indices.filter(isMedian), aggregates.indices.filter { !isMedian($0) })
    for index in others {
      let aggregate = aggregates[index]
      let isSum = aggregate.function == .sum || aggregate.function == .average
      if allowsSums || !isSum { numbers[index] = combinations.aggregate(aggregate.function, aggregate.argument) }
      guard numbers[index] != nil || aggregate.countsRows || combinations.separate(by: aggregate.argument) else {
        return nil
      }
    }
    var combined = combinations
    if combinations.differ(in: keyExpressions) {
      for index in medians { numbers[index] = combined.aggregate(.median, aggregates[index].argument) }
    }
    if medians.allSatisfy({ numbers[$0] != nil }) {
      combinations = combined
      return numbers
    }
    for index in medians {
      numbers[index] = nil
      guard combinations.separate(by: aggregates[index].argument) else { return nil }
    }
    return numbers
  }

  private func isMedian(_ index: Int) -> Bool { aggregates[index].function == .median }

  /// The values of the columns for each group, by its keys.
  func values(sortedBy areInOrder: ([Value], [Value]) -> Bool) throws -> [[Value]] {
    try groups.sorted { areInOrder($0.keys, $1.keys) }.map { group in
      let aggregated = group.accumulators.map(\.value)
      return try columns.map { try $0.value(group.keys, aggregated) }
    }
  }
}

/// An aggregate function of rows, and what it takes of each.
private struct GroupAggregate {
  let function: ExpressionFunction
  let argument: Expression
  private let value: CompiledExpression?

  init(_ function: ExpressionFunction, _ argument: Expression, _ entity: Entity) throws {
    (self.function, self.argument) = (function, argument)
    // `count` without an argument counts rows, all other aggregates count values.
    value = argument == .object ? nil : try CompiledExpression(argument, entity: entity)
  }

  var countsRows: Bool { value == nil }

  /// Adds the values of a row, or of so many like it: one, or all of a to-many's members.
  func add(_ subject: any PredicateSubject, times: Int, to accumulator: inout Accumulator) throws {
    guard let value else { return accumulator.add(.bool(true), times: times) }
    switch try value.value(of: subject) {
    case .list(let many): for one in many where !one.isNull { accumulator.add(one, times: times) }
    case .null: break
    case let one: accumulator.add(one, times: times)
    }
  }
}

/// A column of groups: an expression over aggregates and keys.
private struct GroupColumn {
  private let expression: Expression
  private let entity: Entity

  /// Puts the aggregates that it needs behind others.
  init(_ expression: Expression, _ keys: [Expression], _ entity: Entity, _ aggregates: inout [GroupAggregate]) throws {
    self.entity = entity
    // Aggregates first: within them a key is a property of each row.
    let aggregated = try Predicate.expression(expression).replacing { (part, _) -> Expression? in
      guard let call = part.aggregateCall else { return nil }
      aggregates.append(try GroupAggregate(call.function, call.argument, entity))
      return .variable("a\(aggregates.count - 1)")
    }
    let read = aggregated.replacing { (part, _) -> Expression? in keys.firstIndex(of: part).map { .variable("k\($0)") }
    }
    guard case .expression(let computed) = read else { preconditionFailure("an expression stays one") }
    self.expression = computed
  }

  func value(_ keys: [Value], _ aggregates: [Value]) throws -> Value {
    if case .variable(let name, _) = expression, let index = Int(name.dropFirst()) {
      // A key or an aggregate alone needs no evaluation.
      return name.hasPrefix("k") ? keys[index] : aggregates[index]
    }
    var variables: [String: Value] = [:]
    for (index, key) in keys.enumerated() { variables["k\(index)"] = key }
    for (index, value) in aggregates.enumerated() { variables["a\(index)"] = value }
    return try CompiledExpression(expression, entity: entity, variables: variables.of(expression.variables))
      .value(of: NoSubject(entity: entity))
  }
}

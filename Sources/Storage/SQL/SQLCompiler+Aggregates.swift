import Modeling
import Queries

/// Counts, sums and the like: over a collection as a correlated subquery, over the rows of a group as SQL's own.
extension SQLCompiler {
  /// `reports.@sum.score`, `SUBQUERY(...).@count`.
  func aggregate(
    _ function: CollectionOperator, _ elements: Queries.Expression, _ key: PropertyPath?, at place: SQLPlace
  ) throws -> SQLOperand {
    if key == nil, let operand = try aggregate(function, ofList: elements, at: place) { return operand }
    guard var found = try collection(elements, at: place) else {
      throw unsupported("\(function.rawValue) of what is no collection", at: key?.origin)
    }
    if let key { found = try extended(found, by: key) }
    guard let aggregate = function.aggregate else {
      throw unsupported("\(function.rawValue) as a value", at: key?.origin)
    }
    return try self.aggregate(aggregate, found)
  }

  /// `sum(reports.score)` is over a collection, `max({a, b})` over its arguments, `max(magnitude)` over the rows of a
  /// group.
  func aggregateCall(
    _ function: ExpressionFunction, _ arguments: [Queries.Expression], at place: SQLPlace, _ origin: Origin?
  ) throws -> SQLOperand {
    if arguments.count == 1, let found = try collection(arguments[0], at: place) {
      return try aggregate(function, found)
    }
    var elements = arguments
    if arguments.count == 1, case .aggregate(let list) = arguments[0] { elements = list }
    if arguments.count == 1, case .constant(.list(let list)) = arguments[0] { elements = list.map(Expression.constant) }
    if elements.isEmpty { return try constant(function.evaluate([.list([])])) }
    if arguments.count > 1 || elements != arguments {
      // An empty list has no operands to write.
      if elements.isEmpty { return try value(.constant(function.evaluate([.list([])])), at: place) }
      let operands = try elements.map { try value($0, at: place) }
      return SQLOperand(
        sql: "call('\(raw: function.rawValue)', '\(raw: operands.map(\.kind.letter).joined())', "
          + operands.map(\.sql).joined(separator: ", ") + ")",
        kind: function.resultKind(operands.map(\.kind)))
    }
    guard isAggregating else { throw unsupported("\(function.rawValue) outside a grouped request", at: origin) }
    guard let argument = arguments.first, argument != .object else {
      return SQLOperand(sql: "count(*)", kind: .number, type: .integer64)
    }
    return try aggregate(function, over: value(argument, at: place), isDistinct: false)
  }

  private func aggregate(_ function: ExpressionFunction, _ found: SQLCollection) throws -> SQLOperand {
    let isObjects = try found.rest.map { try resolve($0, in: found.place.entity).attribute == nil } ?? true
    if function == .count, !found.isDistinct {
      return SQLOperand(sql: "(\(found.select("count(*)")))", kind: .number, type: .integer64)
    }
    guard function == .count || !isObjects else { throw unsupported("\(function.rawValue) of objects") }
    let element = try value(found.rest.map(Expression.path) ?? .object, at: found.place)
    var result = try aggregate(function, over: element, isDistinct: found.isDistinct)
    result.sql = "(\(found.select(result.sql)))"
    return result
  }

  /// An aggregate function of SQL over `operand`.
  private func aggregate(
    _ function: ExpressionFunction, over operand: SQLOperand, isDistinct: Bool
  ) throws -> SQLOperand {
    let distinct = isDistinct ? "DISTINCT " : ""
    let argument: SQLFragment = "\(raw: distinct)\(operand.sql)"
    switch function {
    case .count: return SQLOperand(sql: "count(\(argument))", kind: .number, type: .integer64)
    case .min, .max:
      let collation = operand.kind == .decimal ? " COLLATE decimal" : ""
      return SQLOperand(
        sql: "\(raw: function.rawValue)(\(operand.sql)\(raw: collation))", kind: operand.kind, isExact: operand.isExact,
        type: operand.type)
    case .sum, .average:
      guard operand.kind.isNumeric || operand.kind == .any else {
        throw PredicateError(
          .wrongOperand(function: function.rawValue, expected: "a number", found: operand.kind.name))
      }
      let name = function == .sum ? "sum" : "avg"
      // Text that is no number would count as 0.
      if !operand.isExact {
        let number: SQLFragment = "CASE WHEN typeof(\(operand.sql)) IN ('integer', 'real') THEN \(operand.sql) END"
        return try aggregate(function, over: SQLOperand(sql: number, kind: .number), isDistinct: isDistinct)
      }
      if operand.kind == .decimal, isDistinct { throw unsupported("\(name) of distinct decimals") }
      if operand.kind == .decimal {
        return SQLOperand(sql: "decimal_\(raw: name)('m', \(operand.sql))", kind: .decimal)
      }
      let sql: SQLFragment = function == .sum ? "coalesce(sum(\(argument)), 0)" : "avg(\(argument))"
      return SQLOperand(sql: sql, kind: .number)
    default:
      return SQLOperand(
        sql: "aggregate_\(raw: function.rawValue)('\(raw: operand.kind.letter)', \(operand.sql))",
        kind: function.resultKind([operand.kind]))
    }
  }

  /// `reports[SIZE]`, `reports[0]`, `reports[FIRST]`: the key of an element by its place.
  func element(_ index: Subscript, of elements: Queries.Expression, at place: SQLPlace) throws -> SQLOperand {
    if let operand = try element(index, ofList: elements, at: place) { return operand }
    guard let found = try collection(elements, at: place) else {
      throw unsupported("a subscript of what is no collection")
    }
    if case .size = index { return try aggregate(.count, found) }
    let element = try value(found.rest.map(Expression.path) ?? .object, at: found.place)
    let order = found.order ?? keyColumns(found.place.entity).map(found.place.column)
    let forward = order.joined(separator: ", ")
    let select = found.select(element.sql)
    let sql: SQLFragment
    switch index {
    case .index(.constant(.int(let place))) where place < 0: return .nothing
    case .first, .size: sql = "(\(select) ORDER BY \(forward) LIMIT 1)"
    case .last: sql = "(\(select) ORDER BY \(order.map { "\($0) DESC" }.joined(separator: ", ")) LIMIT 1)"
    case .index(let offset): sql = "(\(select) ORDER BY \(forward) LIMIT 1 OFFSET \(try value(offset, at: place).sql))"
    }
    return SQLOperand(sql: sql, kind: element.kind, isExact: element.isExact, type: element.type)
  }
}

private func + (left: SQLFragment, right: SQLFragment) -> SQLFragment { "\(left)\(right)" }

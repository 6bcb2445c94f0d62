import Modeling
import Queries
import SQLite

/// Aggregates: correlated subqueries over a collection, SQL's own functions over the rows of a group.
extension SQLCompiler {
  /// `reports.@sum.score`, `SUBQUERY(...).@count`.
  func aggregate(
    _ function: CollectionOperator, _ elements: Queries.Expression, _ key: PropertyPath?, at place: SQLPlace
  ) throws -> SQLOperand {
    if key == nil, let operand = try aggregate(function, ofList: elements, at: place) { return operand }
    guard var found = try self.elements(elements, at: place) else {
      throw unsupported(.notACollection(function.rawValue), at: key?.origin)
    }
    if let key { found = try extended(found, by: key) }
    guard let aggregate = function.aggregate else {
      throw unsupported(.manyValues(function.rawValue), at: key?.origin)
    }
    return try self.aggregate(aggregate, found)
  }

  /// `sum(reports.score)` aggregates a collection, `max({a, b})` its arguments, `max(magnitude)` the rows of a group.
  func aggregateCall(
    _ function: ExpressionFunction, _ arguments: [Queries.Expression], at place: SQLPlace, _ origin: Origin?
  ) throws -> SQLOperand {
    if arguments.count == 1, let found = try collection(arguments[0], at: place) {
      if isAggregating, case .path = arguments[0] { return try aggregate(function, ofGroups: found) }
      return try aggregate(function, found)
    }
    var elements = arguments
    if arguments.count == 1, case .aggregate(let list) = arguments[0] { elements = list }
    if arguments.count == 1, case .constant(.list(let list)) = arguments[0] { elements = list.map(Expression.constant) }
    if elements.isEmpty { return try constant(function.evaluate([.list([])])) }
    if arguments.count > 1 || elements != arguments {
      // An empty list has no operands, so its result is a constant.
      if elements.isEmpty { return try value(.constant(function.evaluate([.list([])])), at: place) }
      let operands = try elements.map { try value($0, at: place) }
      let kind = try function.resultKind(ofElements: operands.map(\.kind))
      var result = SQLOperand(
        sql: "call('\(raw: function.rawValue)', '\(raw: operands.map(\.kind.letter).joined())', "
          + operands.map(\.sql).joined(separator: ", ") + ")",
        kind: kind)
      // The chosen operand may be a number.
      if kind == .decimal { result.sql = "decimal_text(\(result.sql))" }
      return result
    }
    guard isAggregating else { throw unsupported(.outsideGroups(function.rawValue), at: origin) }
    guard let argument = arguments.first, argument != .object else {
      return count("count(*)", partials)
    }
    return try aggregate(function, over: ofEachRow { try value(argument, at: place) }, in: partials)
  }

  /// Compiles the argument of an aggregate: an expression of each row.
  private func ofEachRow<Result>(_ body: () throws -> Result) rethrows -> Result {
    let partials = partials
    (isAggregating, self.partials) = (false, nil)
    defer { (isAggregating, self.partials) = (true, partials) }
    return try body()
  }

  /// An aggregate over the elements of a collection of all rows of a group: that of each row, and then of these.
  private func aggregate(_ function: ExpressionFunction, ofGroups found: SQLCollection) throws -> SQLOperand {
    switch function {
    case .count:
      let each = try ofEachRow { try aggregate(.count, found) }
      let sum: SQLFragment = "coalesce(sum(\(each.sql)), 0)"
      return partials == nil
        ? SQLOperand(sql: sum, kind: .number, type: .integer64) : count(sum, partials)
    case .sum, .min, .max:
      return try aggregate(function, over: ofEachRow { try aggregate(function, found) }, in: partials)
    case .average:
      partials?.isComplete = false
      // Elements without a value do not count.
      let (sum, count) = try ofEachRow {
        let element = try found.elementValue(self)
        return (try aggregate(.sum, found), "(\(found.select("count(\(element.sql))")))" as SQLFragment)
      }
      let total = try aggregate(.sum, over: sum)
      if total.kind == .decimal {
        return SQLOperand(sql: "decimal_text(call('/', 'dn', \(total.sql), sum(\(count))))", kind: .decimal)
      }
      return SQLOperand(sql: "CAST(\(total.sql) AS REAL) / nullif(sum(\(count)), 0)", kind: .number)
    default: throw unsupported(.aggregateOfCollections(function.rawValue))
    }
  }

  private func aggregate(_ function: ExpressionFunction, _ found: SQLCollection) throws -> SQLOperand {
    let isObjects =
      try found.value == nil && found.rest.map { try resolve($0, in: found.place.entity).attribute == nil } ?? true
    if function == .count, !found.isDistinct {
      return SQLOperand(sql: "(\(found.select("count(*)")))", kind: .number, type: .integer64)
    }
    guard function == .count || !isObjects else { throw unsupported(.aggregateOfObjects(function.rawValue)) }
    let element = try found.elementValue(self)
    // SQLite allows DISTINCT only in functions of one argument.
    if found.isDistinct, function != .count {
      var each = element
      each.sql = "value"
      var result = try aggregate(function, over: each)
      result.sql = "(SELECT \(result.sql) FROM (\(found.select("DISTINCT \(element.sql) AS value"))))"
      return result
    }
    var result = try aggregate(function, over: element, isDistinct: found.isDistinct)
    result.sql = "(\(found.select(result.sql)))"
    return result
  }

  /// A number of rows, by this SQL; with columns of parts the sum of their numbers.
  private func count(_ sql: SQLFragment, _ partials: PartialColumns?) -> SQLOperand {
    let whole = partials.map { "coalesce(sum(\($0.add(sql))), 0)" } ?? sql
    return SQLOperand(sql: whole, kind: .number, type: .integer64)
  }

  /// An aggregate function of SQL over `operand`; with columns of parts over its results for the parts.
  private func aggregate(
    _ function: ExpressionFunction, over operand: SQLOperand, isDistinct: Bool = false,
    in partials: PartialColumns? = nil
  ) throws -> SQLOperand {
    switch function {
    case .count:
      let distinct = isDistinct ? "DISTINCT " : ""
      return count("count(\(raw: distinct)\(operand.sql))", partials)
    case .min, .max:
      let collation = operand.kind == .decimal ? " COLLATE decimal" : ""
      func sql(_ values: SQLFragment) -> SQLFragment { "\(raw: function.rawValue)(\(values)\(raw: collation))" }
      let values = partials?.add(sql(operand.sql)) ?? operand.sql
      return SQLOperand(sql: sql(values), kind: operand.kind, isExact: operand.isExact, type: operand.type)
    case .sum, .average:
      guard operand.kind.isNumeric || operand.kind == .any else {
        throw PredicateError(
          .wrongOperand(function: function.rawValue, expected: "a number", found: operand.kind.name))
      }
      // SQLite would count text that is not a number as 0.
      if !operand.isExact {
        let number: SQLFragment = "CASE WHEN typeof(\(operand.sql)) IN ('integer', 'real') THEN \(operand.sql) END"
        return try aggregate(function, over: SQLOperand(sql: number, kind: .number), in: partials)
      }
      if function == .sum, operand.isSmallInteger {
        func sum(_ values: SQLFragment) -> SQLFragment { "coalesce(sum(\(values)), 0)" }
        return SQLOperand(sql: sum(partials?.add(sum(operand.sql)) ?? operand.sql), kind: .number)
      }
      let isBinary = operand.kind == .number || operand.kind == .boolean
      if let partials {
        let state: SQLFragment =
          isBinary
          ? "exact_sum_state(\(operand.sql))" : "aggregate_sum_state('\(raw: operand.kind.letter)', \(operand.sql))"
        return total("\(raw: function.rawValue)_of_states(\(partials.add(state)))", function, operand)
      }
      if isBinary { return SQLOperand(sql: "exact_\(raw: function.rawValue)(\(operand.sql))", kind: .number) }
      return collected(function, operand)
    case .mode:
      // Of equal values, 5 and 5.0, it is the one that came first, which depends on the index that is read.
      partials?.isComplete = false
      return collected(function, operand)
    default:
      guard let partials else { return collected(function, operand) }
      let counts = partials.add("aggregate_counts(\(operand.sql))")
      return total("\(raw: function.rawValue)_of_counts('\(raw: operand.kind.letter)', \(counts))", function, operand)
    }
  }

  /// An aggregate that runs the evaluation in memory: SQLite's sum is an error where integers overflow, and one of doubles is
  /// rounded at each row, so that it depends on their order.
  private func collected(_ function: ExpressionFunction, _ operand: SQLOperand) -> SQLOperand {
    total("aggregate_\(raw: function.rawValue)('\(raw: operand.kind.letter)', \(operand.sql))", function, operand)
  }

  private func total(_ sql: SQLFragment, _ function: ExpressionFunction, _ operand: SQLOperand) -> SQLOperand {
    var result = SQLOperand(sql: sql, kind: function.resultKind([operand.kind]))
    // The sum of no values is a number, not a decimal.
    if result.kind == .decimal, function == .sum { result.sql = "decimal_text(\(result.sql))" }
    return result
  }

  /// `reports[SIZE]`, `reports[0]`, `reports[FIRST]`: the key of an element by its index.
  func element(_ index: Subscript, of elements: Queries.Expression, at place: SQLPlace) throws -> SQLOperand {
    if let operand = try element(index, ofList: elements, at: place) { return operand }
    guard let found = try self.elements(elements, at: place) else {
      throw unsupported(.subscriptOfNoCollection)
    }
    if case .size = index { return try aggregate(.count, found) }
    let element = try found.elementValue(self)
    var position: SQLFragment?
    if case .index(let expression) = index {
      position = try value(.cast(expression, to: .integer), at: place).sql
    }
    func chosen(_ column: SQLFragment) -> SQLFragment {
      let order = found.order.map { index == .last ? "\($0) DESC" : $0 }.joined(separator: ", ")
      guard let position else { return "(\(found.select(column)) ORDER BY \(order) LIMIT 1)" }
      // OFFSET cannot name columns of the outer statement.
      let numbered = found.select("\(column) AS value, row_number() OVER (ORDER BY \(order)) - 1 AS place")
      return "(SELECT value FROM (\(numbered)) WHERE place = \(position))"
    }
    var operand = SQLOperand(
      sql: chosen(element.sql), kind: element.kind, isExact: element.isExact, type: element.type, entity: element.entity
    )
    operand.text = element.text.map(chosen)
    operand.array = element.array.map {
      JSONArray(entity: $0.entity, isArray: chosen($0.isArray), document: chosen($0.document))
    }
    return operand
  }

}

extension ExpressionFunction {
  /// The kind of an aggregate's result for values of these kinds.
  fileprivate func resultKind(ofElements kinds: [SQLKind]) throws -> SQLKind {
    var known = Set(kinds).subtracting([.null])
    switch self {
    case .count, .stddev: return .number
    // Values that are not numbers are skipped.
    case .sum, .average, .median: known = known.filter { $0.isNumeric || $0 == .any }
    default: break
    }
    if known.isEmpty { return self == .sum ? .number : .null }
    if known.allSatisfy(\.isNumeric) { return known.contains(.decimal) ? .decimal : resultKind(Array(known)) }
    if known.count == 1, let kind = known.first { return kind }
    if known.contains(.decimal) {
      throw PredicateError(.unsupported(.mixedDecimals(rawValue)), at: nil)
    }
    return .any
  }
}

extension SQLOperand {
  /// Whether SQLite's own sum of its values is exact: they are integers, too small to overflow.
  fileprivate var isSmallInteger: Bool {
    switch type {
    case .integer16, .integer32, .boolean: isExact
    default: false
    }
  }
}

private func + (left: SQLFragment, right: SQLFragment) -> SQLFragment { "\(left)\(right)" }

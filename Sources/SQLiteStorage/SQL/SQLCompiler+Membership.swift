import Modeling
import Queries
import SQLite

/// IN and CONTAINS over lists, to-many relationships, texts and JSON arrays.
extension SQLCompiler {
  func membership(
    of element: SQLSide, in list: SQLSide, _ comparison: Comparison, isNegated: Bool
  ) throws -> SQLCondition {
    var equality = comparison
    equality.comparator = .equal
    switch list {
    case .list(let candidates):
      if let condition = try inList(element, candidates, comparison, isNegated: isNegated) { return condition }
      // Here, values of different types are unequal. The negation therefore applies to the whole.
      let found = SQLCondition.any(
        try candidates.map {
          $0.isNull || element.isNull ? .neither : try test(element, equality, $0, isNegated: false)
        })
      return isNegated ? found.negated : found
    case .collection(let collection):
      if element.isNull { return collection.exists(.neither, isNegated: isNegated) }
      return collection.exists(
        try test(try collection.element(self), equality, element, isNegated: false), isNegated: isNegated)
    case .value, .object:
      if list.isNull { return .neither }
      return try within(list, comparison, element, isNegated: isNegated)
    }
  }

  /// A text in a text, or an element in a JSON array.
  func within(
    _ whole: SQLSide, _ comparison: Comparison, _ part: SQLSide, isNegated: Bool
  ) throws -> SQLCondition {
    var contains = comparison
    contains.comparator = .contains
    if case .value(let operand) = whole, case .json(let json)? = operand.constant {
      guard case .array(let elements) = json else { return .neither }
      let list = SQLSide.list(try elements.map { .value(try constant(Value(plain: $0))) })
      let found = try membership(of: part, in: list, comparison, isNegated: false)
      return SQLCondition("\(found.sql(within: .atom)) IS \(raw: isNegated ? "NOT " : "")TRUE")
    }
    guard case .value(let operand) = whole, let array = operand.array else {
      return try textTest(whole, contains, part, isNegated: isNegated)
    }
    var equality = comparison
    equality.comparator = .equal
    return try membership(of: part, inJSON: array, equality, isNegated: isNegated) {
      let canBeText = if case .value(let part) = part { part.isTextual && operand.isTextual } else { false }
      return canBeText ? try textTest(whole, contains, part, isNegated: isNegated) : .neither
    }
  }

  /// IN with a list of constants of one kind; nil if the list has to be written as single comparisons.
  private func inList(
    _ element: SQLSide, _ candidates: [SQLSide], _ comparison: Comparison, isNegated: Bool
  ) throws -> SQLCondition? {
    if case .object(let object) = element { return try inList(object, candidates, isNegated: isNegated) }
    guard case .value(var value) = element, value.constant == nil, value.kind != .decimal,
      value.kept?.isArchive != true
    else { return nil }
    if candidates.isEmpty { return isNegated ? .yes : .no }
    var values: [SQLFragment] = []
    var poll = InterruptionPoll()
    for candidate in candidates {
      try poll.step()
      guard case .value(let operand) = candidate, operand.constant != nil else { return nil }
      guard let (left, right) = try unified(value, operand, comparison.options) else { continue }
      // The left side must be the same in all comparisons.
      guard left.kind == .text || left.sql == value.sql else { return nil }
      values.append(right.sql)
    }
    if values.isEmpty { return isNegated ? SQLCondition("\(value.sql) IS NOT NULL") : .neither }
    if !comparison.options.isPlain, value.kind == .text { value = folded(value, comparison.options) }
    return SQLCondition("\(value.sql) \(raw: isNegated ? "NOT IN" : "IN") \(list(values))")
  }

  private func inList(_ object: SQLObject, _ candidates: [SQLSide], isNegated: Bool) throws -> SQLCondition? {
    guard object.columns.count == 1, object.target == .key else { return nil }
    if candidates.isEmpty { return isNegated ? .yes : .no }
    var keys: [SQLFragment] = []
    for candidate in candidates {
      guard case .object(let other) = candidate, other.place == nil else { return nil }
      if other.entity.root === object.entity.root { keys.append(other.columns[0]) }
    }
    guard !keys.isEmpty else { return .neither }
    return SQLCondition("\(object.columns[0]) \(raw: isNegated ? "NOT IN" : "IN") \(list(keys))")
  }

  /// The right side of IN. A long list is bound as one JSON text, so that the statement does not grow with it.
  private func list(_ values: [SQLFragment]) -> SQLFragment {
    let longest = 200
    if values.count > longest, let json = jsonList(values) { return "(SELECT value FROM json_each(\(value: json)))" }
    return "(\(values.joined(separator: ", ")))"
  }

  private func jsonList(_ values: [SQLFragment]) -> Value? {
    var elements: [JSON] = []
    for value in values {
      guard value.segments.count == 1, case .argument(let constant) = value.segments[0] else { return nil }
      switch constant {
      case .int(let number): elements.append(.int(number))
      case .bool(let flag): elements.append(.int(flag ? 1 : 0))
      case .string(let text), .url(let text): elements.append(.string(text))
      case .uuid(let uuid): elements.append(.string(uuid.uuidString))
      case .null: elements.append(.null)
      default: return nil
      }
    }
    return .string(JSON.array(elements).text)
  }
}

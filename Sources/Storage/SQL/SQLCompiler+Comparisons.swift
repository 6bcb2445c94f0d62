import Modeling
import Queries

/// Comparisons of two sides.
extension SQLCompiler {
  /// The condition that `left` and `right` compare as the comparison says; its own sides are not looked at.
  func test(
    _ left: SQLSide, _ comparison: Comparison, _ right: SQLSide, isNegated: Bool
  ) throws -> SQLCondition {
    switch comparison.comparator {
    case .equal, .notEqual:
      let isEquality = (comparison.comparator == .equal) != isNegated
      return try equality(left, comparison, right, isEquality: isEquality)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let (left, right) = (try single(left, comparison), try single(right, comparison))
      let comparator = isNegated ? comparison.comparator.opposite : comparison.comparator
      return try ordered(left, comparator.rawValue, right, comparison)
    case .between: return try between(left, comparison, right, isNegated: isNegated)
    case .in: return try membership(of: left, in: right, comparison, isNegated: isNegated)
    case .contains:
      switch left {
      case .collection, .list: return try membership(of: right, in: left, comparison, isNegated: isNegated)
      case .value, .object: return try within(left, comparison, right, isNegated: isNegated)
      }
    case .beginsWith, .endsWith, .like, .matches:
      return try textTest(left, comparison, right, isNegated: isNegated)
    }
  }

  /// A side that is one value.
  func single(_ side: SQLSide, _ comparison: Comparison) throws -> SQLOperand {
    switch side {
    case .value(let operand): return operand
    case .object(let object) where object.columns.count == 1:
      return SQLOperand(sql: object.columns[0], kind: .any, isExact: false)
    case .object, .list:
      throw unsupported("\(comparison.comparator.rawValue) of this", at: comparison.origin)
    case .collection(let collection):
      throw PredicateError(
        .toManyWithoutQuantifier(collection.rest?.text ?? collection.place.entity.name), at: comparison.origin)
    }
  }

  // MARK: Equality

  private func equality(
    _ left: SQLSide, _ comparison: Comparison, _ right: SQLSide, isEquality: Bool
  ) throws -> SQLCondition {
    if right.isNull { return try nothing(left, comparison, isNegated: !isEquality) }
    if left.isNull { return try nothing(right, comparison, isNegated: !isEquality) }
    switch (left, right) {
    case (.object(let left), .object(let right)):
      let same = try sameObject(left, right)
      let condition = SQLCondition(same, left.columns.count > 1 ? .and : .comparison)
      if isEquality { return condition }
      guard left.columns.count == 1, same != "NULL" else { return condition.negated }
      return SQLCondition("\(left.columns[0]) <> \(right.columns[0])")
    default:
      let (left, right) = (try single(left, comparison), try single(right, comparison))
      return try ordered(left, isEquality ? "=" : "<>", right, comparison)
    }
  }

  /// `== nil`: always true or false.
  private func nothing(_ side: SQLSide, _ comparison: Comparison, isNegated: Bool) throws -> SQLCondition {
    switch side {
    case .value(let operand) where operand.isNull: return isNegated ? .no : .yes
    case .value(let operand): return SQLCondition("\(operand.sql) IS \(raw: isNegated ? "NOT " : "")NULL")
    case .object(let object):
      let condition = isNothing(object)
      if object.columns.count > 1 {
        return isNegated ? SQLCondition(condition, .atom).negated : SQLCondition(condition, .atom)
      }
      return SQLCondition("\(object.columns[0]) IS \(raw: isNegated ? "NOT " : "")NULL")
    case .collection, .list: return isNegated ? .yes : .no
    }
  }

  // MARK: Order

  /// Two values compared by an operator of SQL.
  func ordered(
    _ left: SQLOperand, _ sign: String, _ right: SQLOperand, _ comparison: Comparison
  ) throws -> SQLCondition {
    if let sql = localized(left, sign, right, comparison.options) { return SQLCondition(sql) }
    guard let (left, right) = try unified(left, right, comparison.options) else { return .neither }
    if let range = try range(left, sign, right, comparison) { return range }
    let condition = SQLCondition("\(left.sql) \(raw: sign) \(right.sql)")
    if sign == "=" { return lowered(left, right, comparison.options).map { .all([$0, condition]) } ?? condition }
    let mirrored = sign == "<>" ? sign : mirror(sign)
    // What has no declared type is ordered by storage class in memory, too.
    let isTyped = left.kind != .any && right.kind != .any
    return .all([condition] + (isTyped ? guards(left, sign) + guards(right, mirrored) : []))
  }

  private func between(
    _ left: SQLSide, _ comparison: Comparison, _ right: SQLSide, isNegated: Bool
  ) throws -> SQLCondition {
    guard case .list(let bounds) = right, bounds.count == 2 else {
      throw unsupported("BETWEEN without two bounds", at: comparison.origin)
    }
    let value = try single(left, comparison)
    let (low, high) = (try single(bounds[0], comparison), try single(bounds[1], comparison))
    if isNegated {
      return .any([try ordered(value, "<", low, comparison), try ordered(value, ">", high, comparison)])
    }
    return .all([try ordered(value, ">=", low, comparison), try ordered(value, "<=", high, comparison)])
  }

  /// Texts ordered as `l` asks; nil where it asks for nothing.
  private func localized(
    _ left: SQLOperand, _ sign: String, _ right: SQLOperand, _ options: ComparisonOptions
  ) -> SQLFragment? {
    guard sign != "=", sign != "<>", options.contains(.localeSensitive),
      [.text, .any].contains(left.kind), [.text, .any].contains(right.kind)
    else { return nil }
    let ordered: SQLFragment =
      "text_compare(\(left.sql), \(right.sql), '\(raw: options.letters)') \(raw: sign) 0"
    let areTexts = [left, right].filter { $0.kind == .any }.map(\.isText).joined(separator: " AND ")
    if areTexts.isEmpty { return ordered }
    let (left, right) = unconverted(left, right)
    return "CASE WHEN \(areTexts) THEN \(ordered) ELSE \(left.sql) \(raw: sign) \(right.sql) END"
  }

  /// Both operands as values of one kind that SQL compares as memory does; nil when they never compare.
  func unified(
    _ left: SQLOperand, _ right: SQLOperand, _ options: ComparisonOptions
  ) throws -> (SQLOperand, SQLOperand)? {
    if left.isNull || right.isNull { return (left, right) }
    switch (left.kind, right.kind) {
    case (.text, .text), (.text, .any), (.any, .text), (.any, .any):
      let (left, right) = unconverted(left, right)
      return options.isPlain ? (left, right) : (folded(left, options), folded(right, options))
    case (.uuid, .text), (.any, .uuid): return (left.kind == .uuid ? left : upper(left), upper(right))
    case (.text, .uuid), (.uuid, .any): return (upper(left), right.kind == .uuid ? right : upper(right))
    case (.decimal, _), (_, .decimal): return decimals(left, right)
    case (.number, .number), (.number, .boolean), (.boolean, .number): return (left, right)
    case (.any, _), (_, .any): return unconverted(left, right)
    default: return left.kind == right.kind ? (left, right) : nil
    }
  }

  /// Two values of which one may be anything, as they are: a column's affinity would turn the other into its own type.
  private func unconverted(_ left: SQLOperand, _ right: SQLOperand) -> (SQLOperand, SQLOperand) {
    guard left.kind == .any || right.kind == .any, left.constant == nil, right.constant == nil,
      left.entity == nil, right.entity == nil
    else { return (left, right) }
    func hidden(_ operand: SQLOperand) -> SQLOperand {
      var operand = operand
      if operand.kind != .any { operand.sql = "(+\(operand.sql))" }
      return operand
    }
    return (hidden(left), hidden(right))
  }

  /// Two numbers, one of them at least a decimal. A column of numbers beside a constant that a number can hold is
  /// compared as numbers, so that its index can be used.
  private func decimals(_ left: SQLOperand, _ right: SQLOperand) -> (SQLOperand, SQLOperand)? {
    if left.kind != .decimal, let constant = right.constant, let number = number(constant) { return (left, number) }
    if right.kind != .decimal, let constant = left.constant, let number = number(constant) { return (number, right) }
    guard var left = decimal(left), let right = decimal(right) else { return nil }
    left.sql = "\(left.sql) COLLATE decimal"
    return (left, right)
  }

  /// A text in capitals, as UUIDs are kept.
  private func upper(_ operand: SQLOperand) -> SQLOperand {
    if case .string(let text)? = operand.constant {
      return SQLOperand(sql: SQLFragment(value: .string(text.uppercased())), kind: .text, constant: operand.constant)
    }
    var operand = operand
    operand.sql = "upper(\(operand.sql))"
    return operand
  }

  /// Conditions that keep out what does not fit a column's type: SQLite orders numbers before text before blobs, and
  /// memory does not compare them.
  private func guards(_ operand: SQLOperand, _ sign: String) -> [SQLCondition] {
    guard !operand.isExact, operand.constant == nil else { return [] }
    let isOpenAbove = sign.hasPrefix(">") || sign == "<>"
    let isOpenBelow = sign.hasPrefix("<")
    switch operand.kind {
    case .number, .boolean: return isOpenAbove ? [SQLCondition("\(operand.sql) < ''")] : []
    case .text:
      let above = isOpenAbove ? [SQLCondition("\(operand.sql) < x''")] : []
      return above + (isOpenBelow ? [SQLCondition("\(operand.sql) >= ''")] : [])
    case .data: return isOpenBelow ? [SQLCondition("\(operand.sql) >= x''")] : []
    default: return []
    }
  }

  // MARK: Membership

  func membership(
    of element: SQLSide, in list: SQLSide, _ comparison: Comparison, isNegated: Bool
  ) throws -> SQLCondition {
    var equality = comparison
    equality.comparator = .equal
    switch list {
    case .list(let candidates):
      if let condition = try inList(element, candidates, comparison, isNegated: isNegated) { return condition }
      // Not being equal to a value of another class is being unequal here, so the whole is negated.
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

  /// A text in a text, or an element in an array in JSON.
  private func within(
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

  /// IN with a list of constants of one kind; nil when it must be written out as comparisons.
  private func inList(
    _ element: SQLSide, _ candidates: [SQLSide], _ comparison: Comparison, isNegated: Bool
  ) throws -> SQLCondition? {
    if case .object(let object) = element { return try inList(object, candidates, isNegated: isNegated) }
    guard case .value(var value) = element, value.constant == nil, value.kind != .decimal else { return nil }
    if candidates.isEmpty { return isNegated ? .yes : .no }
    var values: [SQLFragment] = []
    for candidate in candidates {
      guard case .value(let operand) = candidate, operand.constant != nil else { return nil }
      guard let (left, right) = try unified(value, operand, comparison.options) else { continue }
      // The left side must be one and the same for all.
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

  /// The right side of IN. A long list travels as one JSON text, so that the statement does not grow with it.
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

extension Comparator {
  /// The comparator that is true where this one is false.
  var opposite: Comparator {
    switch self {
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    default: self
    }
  }
}

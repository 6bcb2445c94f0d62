internal import Modeling
internal import Queries
internal import SwiftParsing

extension PredicateLowering {
  mutating func lower(prefix sign: String, _ operand: SwiftSyntax, _ syntax: SwiftSyntax) -> Lowered {
    switch sign {
    case "!":
      let inner = exactly { $0.condition($0.lower(operand), at: operand.range) }
      return .condition(.not(inner))
    case "...", "..<":
      issues.report(.oneSidedRange(source(syntax)), at: syntax.range)
      _ = lower(operand)
      return .nothing
    case "+": return lower(operand)
    case "-":
      let lowered = lower(operand)
      if lowered.needsUnwrapping {
        issues.report(.needsUnwrapping(source(operand)), at: operand.range)
        return .nothing
      }
      return lowered.isNothing ? lowered : .value(.call(.negate, value(lowered, at: operand.range)), lowered.type)
    default:
      issues.report(.swiftOperator(sign), at: syntax.range)
      return .nothing
    }
  }

  mutating func lower(range lower: SwiftSyntax?, _ upper: SwiftSyntax?, isClosed: Bool) -> Lowered {
    func end(_ syntax: SwiftSyntax?, _ lowering: inout PredicateLowering) -> Expression? {
      syntax.map { lowering.value(lowering.lower($0), at: $0.range) }
    }
    return Lowered(meaning: .range(end(lower, &self), end(upper, &self), isClosed: isClosed))
  }

  mutating func lower(infix sign: String, _ operands: [SwiftSyntax], _ syntax: SwiftSyntax) -> Lowered {
    let arithmetic: [String: ExpressionFunction] = [
      "+": .add, "-": .subtract, "*": .multiply, "/": .divide, "%": .modulus,
    ]
    let comparators: [String: Comparator] = [
      "==": .equal, "!=": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
    ]
    switch sign {
    case "&&", "||":
      let terms = operands.map { condition(lower($0), at: $0.range) }
      return .condition(sign == "&&" ? .all(terms) : terms.dropFirst().reduce(terms[0]) { $0 | $1 })
    case "...", "..<": return lower(range: operands[0], operands[1], isClosed: sign == "...")
    case "??": return lower(operands[0], otherwise: operands[1])
    default: break
    }
    if let comparator = comparators[sign] { return lower(comparator, operands[0], operands[1], syntax) }
    if let function = arithmetic[sign] { return lower(function, operands[0], operands[1], syntax) }
    issues.report(.swiftOperator(sign), at: syntax.range)
    return .nothing
  }

  // MARK: Arithmetic

  private mutating func lower(
    _ function: ExpressionFunction, _ left: SwiftSyntax, _ right: SwiftSyntax, _ syntax: SwiftSyntax
  ) -> Lowered {
    let (one, other) = (lower(left), lower(right))
    if one.isNothing || other.isNothing || refuseOptional(one, left, other, right) { return .nothing }
    if refuse(mixing: one, other, function, at: syntax.range) { return .nothing }
    if case .string(let start)? = one.constant, case .string(let end)? = other.constant, function == .add {
      return .value(.constant(.string(start + end)), .value(.string))
    }
    if one.isText || other.isText || usage.isText(left) || usage.isText(right) {
      issues.report(.joinedText, at: syntax.range)
      return .nothing
    }
    let expression = Expression.call(
      function, value(one, at: left.range), value(other, at: right.range), at: origin(syntax.range))
    let type: ExpressionType = one.type == .unknown || one.isLiteral ? other.type : one.type
    var result = Lowered.value(expression, type).optional(one.optionals + other.optionals)
    result.isLiteral = one.isLiteral && other.isLiteral
    return result
  }

  // MARK: Nothing

  private mutating func lower(_ left: SwiftSyntax, otherwise right: SwiftSyntax) -> Lowered {
    let (one, other) = (lower(left), lower(right))
    if one.isNothing || other.isNothing { return .nothing }
    if !one.isChained, one.isOptional == false {
      issues.report(.notOptional(source(left)), at: left.range)
      return .nothing
    }
    if case .condition(let predicate) = one.meaning, case .bool(let flag)? = other.constant {
      return .condition(defaulted(predicate, optionals: one.optionals, to: flag))
    }
    let (expression, replacement) = (value(one, at: left.range), value(other, at: right.range))
    // A collection is never nil, and neither is the number of its elements.
    if case .collection = one.type { return one }
    if case .constant(.list([])) = replacement { return one }
    if case .collection(.count, _, _) = expression { return one }
    let test = Predicate.comparing(expression, .notEqual, .constant(.null))
    var result = Lowered.value(
      .ternary(test, expression, replacement), one.type == .unknown ? other.type : one.type)
    result.isOptional = other.isChained ? true : other.isLiteral && !isNil(other) ? false : other.isOptional
    return result
  }

  // MARK: Comparisons

  private mutating func lower(
    _ comparator: Comparator, _ left: SwiftSyntax, _ right: SwiftSyntax, _ syntax: SwiftSyntax
  ) -> Lowered {
    let isNegation = [left, right].contains { side in
      if case .literal(.bool(let flag)) = side.unwrapped.kind { flag == (comparator == .notEqual) } else { false }
    }
    let outer = isExact
    isExact = isExact || isNegation
    let (one, other) = (lower(left), lower(right))
    isExact = outer
    if one.isNothing || other.isNothing { return .nothing }
    if ![.equal, .notEqual].contains(comparator), refuseOptional(one, left, other, right) { return .nothing }
    if refuse(nilOf: one, left, other, at: syntax.range) || refuse(nilOf: other, right, one, at: syntax.range)
      || refuse(mixing: one, other, nil, at: syntax.range)
    {
      return .nothing
    }
    if let ordered = compareOrdering(one, comparator, other) ?? compareOrdering(other, comparator, one) {
      return ordered
    }
    if let condition = compareCondition(one, comparator, other) ?? compareCondition(other, comparator, one) {
      return .condition(condition)
    }
    if [.equal, .notEqual].contains(comparator),
      let presence = one.presence(comparedWith: other) ?? other.presence(comparedWith: one)
    {
      return .condition(comparator == .equal ? presence.isNothing : presence.isThere(isExact: isExact))
    }
    if isObject(one) && !isNil(other) || isObject(other) && !isNil(one) {
      let object = isObject(one) ? left : right
      issues.report(.objectComparison(source(object)), at: syntax.range)
      return .nothing
    }
    let comparison = Predicate.comparing(
      value(one, at: left.range), comparator, value(other, at: right.range), at: origin(syntax.range))
    return Lowered.condition(comparison).optional(one.optionals + other.optionals)
  }

  /// A condition that is compared with true or false.
  private func compareCondition(_ one: Lowered, _ comparator: Comparator, _ other: Lowered) -> Predicate? {
    guard case .condition(let predicate) = one.meaning, case .bool(let flag)? = other.constant else { return nil }
    switch comparator {
    case .equal: return flag ? predicate : predicate.negated
    case .notEqual: return flag ? predicate.negated : predicate
    default: return nil
    }
  }

  /// `a.caseInsensitiveCompare(b) == .orderedSame`
  private func compareOrdering(_ one: Lowered, _ comparator: Comparator, _ other: Lowered) -> Lowered? {
    guard case .ordering(let left, let right, let options) = one.meaning,
      case .orderingCase(let wanted) = other.meaning
    else { return nil }
    let predicate = Predicate.comparing(left, wanted, right, options: options)
    switch comparator {
    case .equal: return Lowered.condition(predicate).optional(one.optionals)
    case .notEqual: return Lowered.condition(.not(predicate)).optional(one.optionals)
    default: return nil
    }
  }

  private func isObject(_ lowered: Lowered) -> Bool {
    if lowered.isIdentifier { return false }
    if case .object = lowered.type { return lowered.expression != nil }
    return lowered.expression == .object
  }

  private func isNil(_ lowered: Lowered) -> Bool { lowered.constant == .null }
}

extension Lowered {
  /// The presence of an object of a subentity that is compared with nil.
  fileprivate func presence(comparedWith other: Lowered) -> Presence? {
    subentity != nil && other.constant == .null ? presence : nil
  }
}

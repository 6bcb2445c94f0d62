internal import Modeling
internal import Queries
internal import SwiftParsing

extension PredicateLowering {
  /// A lowered value as a condition.
  mutating func condition(_ lowered: Lowered, at range: Range<Int>) -> Predicate {
    if lowered.needsUnwrapping, !lowered.isNothing {
      issues.report(.needsUnwrapping(source(range)), at: range)
      return .constant(true)
    }
    switch lowered.meaning {
    case .condition(let predicate): return predicate
    case .nothing: return .constant(true)
    case .value(let expression):
      if case .value(let type) = lowered.type, ![.boolean, .any, .transformable].contains(type) { break }
      if case .object = lowered.type { break }
      if case .collection = lowered.type { break }
      return condition(expression)
    case .range, .ordering, .orderingCase, .pattern: break
    }
    issues.report(.notACondition(source(range)), at: range)
    return .constant(true)
  }

  /// A value as a condition: it is compared with true, a choice between conditions is one of its branches.
  private func condition(_ expression: Expression) -> Predicate {
    switch expression {
    case .constant(.bool(let flag)): return .constant(flag)
    case .ternary(let test, let first, .constant(.bool(let otherwise))) where test.isNilTest(of: first):
      return defaulted(condition(first), optionals: [Presence(of: first)], to: otherwise)
    case .ternary(let test, let first, let second): return choice(test, condition(first), condition(second))
    default: return .comparing(expression, .equal, .constant(.bool(true)))
    }
  }

  /// A lowered condition as a value.
  mutating func value(_ lowered: Lowered, at range: Range<Int>) -> Expression {
    switch lowered.meaning {
    case .value(let expression):
      if let subentity = lowered.subentity { issues.report(.typeTest("as? \(subentity.name)"), at: range) }
      return expression
    case .condition(.constant(let flag)): return .constant(.bool(flag))
    case .condition(let predicate): return .ternary(predicate, .constant(.bool(true)), .constant(.bool(false)))
    case .nothing: return .constant(.null)
    case .range, .ordering, .orderingCase, .pattern:
      issues.report(.unexpected(found: source(range), expected: "a value"), at: range)
      return .constant(.null)
    }
  }

  /// A condition that is `otherwise` where one of `optionals` is nil.
  ///
  /// A condition on nil is not fulfilled anyway; only within a negation it must be said.
  func defaulted(_ condition: Predicate, optionals: [Presence], to otherwise: Bool) -> Predicate {
    let tests = optionals.map { otherwise ? $0.isNothing : $0.isThere() }
    if otherwise { return tests.dropFirst().reduce(tests.first ?? .constant(false)) { $0 | $1 } | condition }
    return isExact ? .all(tests + [condition]) : condition
  }

  /// The one condition or the other, as TERNARY where nothing simpler means the same.
  func choice(_ test: Predicate, _ first: Predicate, _ second: Predicate) -> Predicate {
    if first == .constant(true), second == .constant(false) { return test }
    let isSafe = test.isDecided
    switch (first, second) {
    case (.constant(false), .constant(true)) where isSafe: return test.negated
    case (_, .constant(false)) where isSafe || !isExact: return test & first
    case (_, .constant(true)) where isSafe: return test.negated | first
    case (.constant(true), _) where isSafe: return test | second
    case (.constant(false), _) where isSafe: return test.negated & second
    case _ where isSafe: return (test & first) | (test.negated & second)
    default:
      let ternary = Expression.ternary(test, Self.flag(first), Self.flag(second))
      return .comparing(ternary, .equal, .constant(.bool(true)))
    }
  }

  private static func flag(_ predicate: Predicate) -> Expression {
    if case .constant(let flag) = predicate { return .constant(.bool(flag)) }
    return .ternary(predicate, .constant(.bool(true)), .constant(.bool(false)))
  }

  // MARK: Choices

  mutating func lower(ternary test: SwiftSyntax, _ first: SwiftSyntax, _ second: SwiftSyntax) -> Lowered {
    let test = exactly { $0.condition($0.lower(test), at: test.range) }
    return choose(test, lower(first), lower(second), first.range, second.range)
  }

  mutating func lower(conditional: SwiftConditional, _ syntax: SwiftSyntax) -> Lowered {
    if conditional.isGuard {
      issues.report(.statement("guard"), at: syntax.range)
      return .nothing
    }
    let outer = scope
    let bindings = conditional.conditions.filter { if case .binding = $0 { true } else { false } }
    if surroundings == nil, !bindings.isEmpty {
      if bindings.count < conditional.conditions.count { issues.report(.bindingWithConditions, at: syntax.range) }
      // The branch becomes a closure of its own.
      if let place = conditional.then.values.firstResult({ $0.anonymousObject }) {
        issues.report(.unnamedInBinding, at: place)
      }
    }
    let tests = exactly { lowering in conditional.conditions.map { lowering.test($0) } }
    let first = statements(of: conditional.then)
    scope = outer
    guard let otherwise = conditional.otherwise else {
      issues.report(.missingElse, at: syntax.range)
      return .nothing
    }
    let second = statements(of: otherwise)
    return choose(.all(tests), first, second, conditional.then.range, otherwise.range)
  }

  /// The test of an `if`; a name that it binds is what it was bound to.
  mutating func test(_ condition: SwiftConditional.Condition) -> Predicate {
    switch condition {
    case .pattern(let range):
      issues.report(.statement("case"), at: range)
      return .constant(true)
    case .value(let syntax): return self.condition(lower(syntax), at: syntax.range)
    case .binding(let name, let syntax):
      var bound = lower(syntax)
      if bound.expression == nil {
        scope[name] = bound
        return .comparing(value(bound, at: syntax.range), .notEqual, .constant(.null))
      }
      let presence = bound.presence
      bound.optionals = []
      (bound.isOptional, bound.isChained) = (false, false)
      scope[name] = bound
      return presence?.isThere() ?? .constant(true)
    }
  }

  private mutating func choose(
    _ test: Predicate, _ first: Lowered, _ second: Lowered, _ firstRange: Range<Int>, _ secondRange: Range<Int>
  ) -> Lowered {
    if first.isNothing || second.isNothing { return .nothing }
    if surroundings == nil, first.needsUnwrapping != second.needsUnwrapping, first.constant != .null,
      second.constant != .null
    {
      let range = first.needsUnwrapping ? firstRange : secondRange
      issues.report(.needsUnwrapping(source(range)), at: range)
      return .nothing
    }
    if let one = first.expression, let other = second.expression {
      let type = first.type == .null ? second.type : first.type
      return .value(.ternary(test, one, other), type)
    }
    return .condition(choice(test, condition(first, at: firstRange), condition(second, at: secondRange)))
  }

  /// Lowers where it matters that a condition is false and not merely not true.
  mutating func exactly<Result>(_ body: (inout PredicateLowering) -> Result) -> Result {
    let outer = isExact
    isExact = true
    defer { isExact = outer }
    return body(&self)
  }
}

extension Predicate {
  /// Whether it asks if `expression` is there.
  fileprivate func isNilTest(of expression: Expression) -> Bool {
    self == .comparing(expression, .notEqual, .constant(.null))
  }
}

extension SwiftSyntax {
  /// Where `$0` stands in it outside of closures.
  fileprivate var anonymousObject: Range<Int>? {
    switch kind {
    case .name("$0"): range
    case .closure: nil
    default: children.firstResult(\.anonymousObject)
    }
  }
}

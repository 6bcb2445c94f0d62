internal import Modeling
internal import Queries

// What stands on the sides of a comparison.
extension RefusalRule {
  static let operands = [
    unknownKeyPath, ternaryBesideIn, textOperatorOnOther, constantLeftOfText, notEqualLeavesNil,
  ]

  private static let unknownKeyPath = RefusalRule(
    id: "unknown-key-path", severity: .refused, stores: [.sqlite],
    summary: "A key path names a property that the entity does not have.",
    appleText: "keypath … not found in entity <NSSQLEntity … id=…>",
    advice: "use a property that the model has"
  ) { subject in
    subject.expressions.compactMap { expression, scope, origin in
      let (path, entity): (PropertyPath, Entity)
      switch expression {
      case .path(let found): (path, entity) = (found, scope.entity)
      case .variablePath(let name, let found):
        guard let start = scope.variables[name] ?? nil else { return nil }
        (path, entity) = (found, start)
      default: return nil
      }
      guard (try? path.resolve(in: entity)) == nil else { return nil }
      return RefusalPlace(
        part: expression.description, origin: path.origin ?? origin,
        appleText: "keypath \(path.text) not found in entity <NSSQLEntity \(entity.name) id=…>")
    }
  }

  /// What the SQLite store says of a left side it cannot use.
  private static func badLeftSide(_ places: [RefusalPlace]) -> [RefusalPlace] {
    places.map { place in
      var place = place
      place.appleText = "unimplemented SQL generation for predicate : (\(place.part)) (bad LHS)"
      return place
    }
  }

  private static let badLeftSideText = "unimplemented SQL generation for predicate : (…) (bad LHS)"

  private static let ternaryBesideIn = RefusalRule(
    id: "ternary-left-of-in", severity: .crash, stores: [.sqlite, .swiftData],
    summary: "TERNARY, which `??` and `? :` become, is an operand of IN; the exception cannot be caught from Swift.",
    appleText: badLeftSideText,
    advice: "ask the condition first: c AND a IN l OR NOT c AND b IN l"
  ) { subject in
    badLeftSide(
      subject.comparisons { comparison, _ in
        comparison.comparator == .in && (comparison.left.isTernary || comparison.right.isTernary)
      })
  } mend: { predicate, _ in
    guard case .comparison(let comparison) = predicate, comparison.comparator == .in,
      case .ternary(let condition, let first, let second) = comparison.left, condition.isTwoValued
    else { return nil }
    let cases = [(condition, first), (.not(condition), second)].map { condition, value -> Predicate in
      var inner = comparison
      inner.left = value
      return .and([condition, .comparison(inner)])
    }
    return .or(cases)
  }

  private static let textOperatorOnOther = RefusalRule(
    id: "text-operator-on-other-type", severity: .refused, stores: [.sqlite],
    summary: "CONTAINS, BEGINSWITH, ENDSWITH, LIKE or MATCHES has something on its left that is not text.",
    appleText: badLeftSideText,
    advice: "compare numbers and dates with <, > and BETWEEN, or keep a text beside them"
  ) { subject in
    badLeftSide(
      subject.comparisons { comparison, scope in
        guard comparison.comparator.isStringOperator, comparison.left.constantValue == nil else { return false }
        if let path = scope.resolve(comparison.left) {
          if path.attribute == nil { return comparison.comparator != .contains || !path.isToMany }
          guard path.finalAttribute?.type != .transformable else { return false }
        }
        guard let type = scope.attributeType(of: comparison.left) else { return false }
        return !type.isTextual && type != .any
      })
  }

  private static let constantLeftOfText = RefusalRule(
    id: "constant-left-of-text-operator", severity: .refused, stores: [.sqlite],
    summary: "A constant stands on the left of a text operator, or of IN with a text on its right.",
    appleText: badLeftSideText,
    advice: "put the key path on the left: \"x\" IN name is name CONTAINS \"x\""
  ) { subject in
    badLeftSide(subject.comparisons(where: isConstantLeft))
  } mend: { predicate, scope in
    guard case .comparison(var comparison) = predicate, isConstantLeft(comparison, scope),
      comparison.comparator == .in
    else { return nil }
    (comparison.left, comparison.right) = (comparison.right, comparison.left)
    comparison.comparator = .contains
    return .comparison(comparison)
  }

  private static func isConstantLeft(_ comparison: Comparison, _ scope: RefusalScope) -> Bool {
    guard comparison.left.constantValue != nil, comparison.left.listElements == nil else { return false }
    if comparison.comparator == .in {
      return comparison.right.constantValue == nil && !scope.isToMany(comparison.right)
        && scope.attributeType(of: comparison.right)?.isTextual == true
    }
    return comparison.comparator.isStringOperator
  }

  private static let notEqualLeavesNil = RefusalRule(
    id: "not-equal-and-nil", severity: .wrong, stores: [.sqlite, .memory],
    summary: "A != or a NOT meets a nil: the objects without a value are in the one answer and not in the other.",
    advice: "say which is meant: AND x != nil to leave them out, OR x == nil to take them in"
  ) { subject in
    subject.comparisons(where: leavesNil)
  } mend: { predicate, scope in
    guard case .comparison(let comparison) = predicate, leavesNil(comparison, scope) else { return nil }
    // Within NOT neither is as good as true, elsewhere as false.
    let isNil = Comparison(comparison.left, scope.isNegated ? .equal : .notEqual, .constant(.null))
    return scope.isNegated ? .or([predicate, .comparison(isNil)]) : .and([predicate, .comparison(isNil)])
  }

  /// Whether a nil on the left is answered otherwise in memory, and that is not asked about.
  private static func leavesNil(_ comparison: Comparison, _ scope: RefusalScope) -> Bool {
    guard comparison.modifier == .direct, (comparison.comparator == .notEqual) != scope.isNegated,
      isOptional(comparison.left, scope), !scope.askedForNil.contains(comparison.left)
    else { return false }
    let constants = comparison.right.listElements ?? [comparison.right]
    return constants.allSatisfy { $0.constantValue.map { !$0.isNull } ?? false }
  }

  private static func isOptional(_ expression: Expression, _ scope: RefusalScope) -> Bool {
    guard let path = scope.resolve(expression), !path.isToMany else { return false }
    return !path.hops.isEmpty || path.endsInCast || path.finalAttribute?.isOptional == true
  }
}

extension Predicate {
  /// Whether it is certainly never neither: it asks for nil, or for a number of elements.
  var isTwoValued: Bool {
    switch self {
    case .constant: true
    case .and(let terms), .or(let terms): terms.allSatisfy(\.isTwoValued)
    case .not(let inner): inner.isTwoValued
    case .expression: false
    case .comparison(let comparison):
      if comparison.right.constantValue == .null {
        comparison.modifier == .direct && [.equal, .notEqual].contains(comparison.comparator)
      } else if case .collection(.count, _, _) = comparison.left {
        comparison.right.constantValue != nil
      } else {
        false
      }
    }
  }
}

internal import Modeling
internal import Queries

// What SwiftData compiles and then dies of.
extension RefusalRule {
  static let swiftData = [
    arrayOfTexts, optionalRelationshipIsNil, twoOptionalHops, isEmptyEqualsFalse, enumeration,
  ]

  private static let arrayOfTexts = RefusalRule(
    id: "swiftdata-string-array-contains", severity: .crash, stores: [.swiftData], versions: "iOS 26.5 and 27",
    summary:
      "A Codable array such as [String] is searched, counted or compared; what does not crash finds parts of words.",
    appleText: "SIGSEGV in _NSCoreDataStringSearch",
    advice: "make the elements a model of their own: ANY tags.name == \"x\""
  ) { subject in
    func isArray(_ expression: Expression, _ scope: RefusalScope) -> Bool {
      guard let path = scope.resolve(expression) else { return false }
      return path.finalAttribute?.type == .transformable && path.elements.isEmpty
    }
    let compared = subject.comparisons { comparison, scope in
      isArray(comparison.left, scope) && (comparison.comparator == .contains || comparison.modifier != .direct)
        || isArray(comparison.right, scope) && comparison.comparator == .in
    }
    return compared
      + subject.expressions { expression, scope in
        switch expression {
        case .collection(_, let source, _), .subscripted(let source, _), .subquery(let source, _, _):
          isArray(source, scope)
        default: false
        }
      }
  }

  private static let optionalRelationshipIsNil = RefusalRule(
    id: "swiftdata-optional-relationship-nil", severity: .crash, stores: [.swiftData], versions: "iOS 26",
    summary: "An optional relationship is compared with nil.",
    appleText: "SIGTRAP, or a damaged heap",
    advice: "keep an attribute beside the relationship that says whether it is set, and compare that"
  ) { subject in
    subject.comparisons { comparison, scope in
      guard [.equal, .notEqual].contains(comparison.comparator), comparison.modifier == .direct else { return false }
      let sides = [(comparison.left, comparison.right), (comparison.right, comparison.left)]
      return sides.contains { side, other in
        guard other.constantValue == .null, let path = scope.resolve(side), !path.isToMany else { return false }
        return path.attribute == nil
      }
    }
  }

  private static let twoOptionalHops = RefusalRule(
    id: "swiftdata-two-optional-hops", severity: .crash, stores: [.swiftData], versions: "iOS 26.5; iOS 27 takes it",
    summary: "A key path follows two optional relationships, as in $0.a?.b?.id.",
    advice: "keep the value in the nearer model, or fetch the nearer models first"
  ) { subject in
    subject.expressions { expression, scope in
      guard let path = scope.resolve(expression) else { return false }
      return path.hops.count { !$0.isToMany && $0.relationship?.isOptional == true } > 1
    }
  }

  private static let isEmptyEqualsFalse = RefusalRule(
    id: "swiftdata-isempty-equals-false", severity: .crash, stores: [.swiftData],
    summary: "isEmpty is compared with true or false.",
    advice: "write !x.isEmpty instead of x.isEmpty == false"
  ) { subject in
    subject.comparisons { comparison, _ in conditionAsValue(comparison) != nil }
  } mend: { predicate, _ in
    guard case .comparison(let comparison) = predicate else { return nil }
    return conditionAsValue(comparison)
  }

  /// What `TERNARY(x.@count == 0, YES, NO) == NO` asks for.
  private static func conditionAsValue(_ comparison: Comparison) -> Predicate? {
    guard [.equal, .notEqual].contains(comparison.comparator), comparison.modifier == .direct,
      case .ternary(let condition, let first, let second) = comparison.left,
      case .bool(let isTrue)? = first.constantValue, case .bool(let isFalse)? = second.constantValue,
      isTrue != isFalse, case .bool(let wanted)? = comparison.right.constantValue,
      case .comparison(let inner) = condition, case .collection(.count, _, _) = inner.left,
      inner.right.constantValue != nil
    else { return nil }
    return (isTrue == wanted) == (comparison.comparator == .equal) ? condition : .not(condition)
  }

  private static let enumeration = RefusalRule(
    id: "swiftdata-enum", severity: .refused, stores: [.swiftData],
    summary: "An enumeration is compared: the case does not compile, its rawValue fails when it is fetched.",
    advice: "keep the raw value in an attribute of its own and compare that"
  ) { subject in
    subject.expressions { expression, scope in
      guard let attribute = scope.resolve(expression)?.finalAttribute, attribute.type == .composite else {
        return false
      }
      // SwiftData keeps an enumeration as a composite with one element of its own name.
      return attribute.elements.count == 1 && attribute.elements[0].name == attribute.name
    }
  }
}

internal import Modeling

/// Determines the types of a tree and finds all errors in it.
///
/// One struct in four files: conditions here, comparisons, values and functions in extensions. An expression with a
/// reported error has the type `.unknown`, which fits everywhere, so that no error is reported twice.
struct Checker {
  let entity: Entity
  let purpose: CheckPurpose
  /// Whether aggregate functions take all rows of a group.
  var overGroup = false
  /// The variables of the enclosing SUBQUERYs, with their types.
  var scope: [String: ExpressionType] = [:]
  private(set) var issues: [PredicateError.Issue] = []

  init(entity: Entity, purpose: CheckPurpose, overGroup: Bool = false) {
    self.entity = entity
    self.purpose = purpose
    self.overGroup = overGroup
  }

  func throwIssues() throws(PredicateError) {
    if !issues.isEmpty { throw PredicateError(issues: issues.inOrderOfText) }
  }

  mutating func report(_ fact: PredicateError.Fact, at origin: Origin?) {
    issues.append(PredicateError.Issue(fact, at: origin))
  }

  mutating func report(_ error: PredicateError) { issues += error.issues }

  // MARK: Conditions

  mutating func check(_ predicate: Predicate) {
    // No more issues are reported for one text, and finding the nearest names takes time.
    guard issues.count < PredicateError.issueLimit else { return }
    switch predicate {
    case .constant: break
    case .and(let terms), .or(let terms): for term in terms { check(term) }
    case .not(let inner): check(inner)
    case .comparison(let comparison): check(comparison)
    case .expression(let expression):
      let type = scalar(expression)
      if !type.isNumber {
        report(
          .wrongOperand(function: "condition", expected: "a Bool", found: describe(expression, type)),
          at: expression.origin)
      }
    }
  }

  mutating func check(_ descriptor: SortDescriptor) {
    let type = scalar(descriptor.expression)
    if !type.isOrdered {
      report(
        .wrongOperand(
          function: "sort", expected: "an attribute with an order", found: describe(descriptor.expression, type)),
        at: descriptor.expression.origin)
    }
  }

  // MARK: Values that must be single

  /// The type of an expression in a place for a single value; reports a to-many key.
  mutating func scalar(_ expression: Expression) -> ExpressionType {
    let type = type(of: expression)
    guard case .collection = type else { return type }
    if let path = expression.pathText {
      report(.toManyWithoutQuantifier(path), at: expression.origin)
    } else {
      report(
        .wrongOperand(function: "value", expected: "one value", found: describe(expression, type)),
        at: expression.origin)
    }
    return .unknown
  }

  /// An expression and its type in words: `magnitude (Double)`, `"five" (String)`.
  func describe(_ expression: Expression, _ type: ExpressionType) -> String {
    if case .constant(.null) = expression { return "nil" }
    return "\(expression.description) (\(type.name))"
  }
}

extension Expression {
  /// The path in words, if the expression is one or contains one.
  var pathText: String? {
    switch self {
    case .path(let path): path.text
    case .variablePath(let name, let path): "$\(name).\(path.text)"
    default: nil
    }
  }
}

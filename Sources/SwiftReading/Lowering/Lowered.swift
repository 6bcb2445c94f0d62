internal import Modeling
internal import Queries

/// What a value of Swift source means in a predicate.
struct Lowered {
  enum Meaning {
    case condition(Predicate)
    case value(Expression)
    /// A range; nil where it has no end.
    case range(Expression?, Expression?, isClosed: Bool)
    /// What `caseInsensitiveCompare` answers: how the two are ordered.
    case ordering(Expression, Expression, ComparisonOptions)
    /// `.orderedSame` and its like.
    case orderingCase(Comparator)
    case pattern(String, ComparisonOptions)
    /// Reported as a mistake.
    case nothing
  }

  var meaning: Meaning
  var type = ExpressionType.unknown
  /// The values before `?`; the whole is nil if one of them is.
  var optionals: [Presence] = []
  /// The entity that the object is taken as by `as?`; its keys are those of that entity's objects alone.
  var subentity: Entity?
  /// The attribute that a path leads to, whose elements may follow.
  var attribute: Attribute?
  /// Whether it is a name from outside of the predicate.
  var isCaptured = false
  /// Whether it is a literal, which takes the type of the other side.
  var isLiteral = false
  /// Whether it is reached by `?.`, so that the whole is an optional.
  var isChained = false
  /// Whether it is an optional itself; nil where that is not known.
  var isOptional: Bool?
  /// Whether it must be unwrapped where it is used.
  var needsUnwrapping: Bool { isChained || isOptional == true }
  /// Whether it is the identifier of an object rather than the object.
  var isIdentifier = false

  static let nothing = Lowered(meaning: .nothing)

  static func value(_ expression: Expression, _ type: ExpressionType = .unknown) -> Lowered {
    Lowered(meaning: .value(expression), type: type)
  }

  static func condition(_ predicate: Predicate) -> Lowered {
    Lowered(meaning: .condition(predicate), type: .value(.boolean))
  }

  var isNothing: Bool { if case .nothing = meaning { true } else { false } }

  /// The value, if it is one.
  var expression: Expression? { if case .value(let expression) = meaning { expression } else { nil } }

  /// The constant, if it is one that stands in the text or was given before it.
  var constant: Value? {
    switch meaning {
    case .value(.constant(let value)), .value(.argument(let value, _)): value
    case .condition(.constant(let flag)): .bool(flag)
    default: nil
    }
  }

  /// Whether it is known to be a collection.
  var isCollection: Bool { if case .collection = type { true } else { false } }

  /// Whether it is known to be text.
  var isText: Bool { if case .value(let type) = type { type.isTextual } else { false } }

  /// This with further values that make it nil.
  func optional(_ more: [Presence]) -> Lowered {
    var copy = self
    for presence in more where !copy.optionals.contains(presence) { copy.optionals.append(presence) }
    return copy
  }

  /// The presence of the object that was taken as one of a subentity, or of the value.
  var presence: Presence? { expression.map { Presence(of: $0, as: subentity) } }
}

extension Comparator {
  /// What a case of `ComparisonResult` says of the left side: `orderedAscending` that it is less.
  init?(comparisonResult name: String) {
    switch name {
    case "orderedSame": self = .equal
    case "orderedAscending": self = .less
    case "orderedDescending": self = .greater
    default: return nil
    }
  }
}

extension Predicate {
  /// A comparison as a condition.
  static func comparing(
    _ left: Expression, _ comparator: Comparator, _ right: Expression, options: ComparisonOptions = [],
    modifier: ComparisonModifier = .direct, at origin: Origin? = nil
  ) -> Predicate {
    .comparison(Comparison(left, comparator, right, options: options, modifier: modifier, origin: origin))
  }

  /// All of these hold.
  static func all(_ terms: [Predicate]) -> Predicate {
    terms.dropFirst().reduce(terms.first ?? .constant(true)) { $0 & $1 }
  }

  /// Whether it is never neither true nor false: a test for nil or for an object's entity, or made of such.
  var isDecided: Bool {
    switch self {
    case .constant: true
    case .and(let terms), .or(let terms): terms.allSatisfy(\.isDecided)
    case .not(let inner): inner.isDecided
    case .comparison(let comparison):
      comparison.asksForNil || comparison.entityTest?.object.isAlwaysThere == true
        || !comparison.left.dependsOnObject && !comparison.right.dependsOnObject
    case .expression: false
    }
  }

  /// The opposite of a test for nil, or NOT.
  var negated: Predicate {
    if case .comparison(var comparison) = self, comparison.asksForNil {
      comparison.comparator = comparison.comparator == .equal ? .notEqual : .equal
      return .comparison(comparison)
    }
    return ~self
  }
}

extension Comparison {
  /// Whether it is a test for nil.
  fileprivate var asksForNil: Bool { right == .constant(.null) && [.equal, .notEqual].contains(comparator) }
}

extension Expression {
  /// Whether it depends on the object or an element, rather than on captured values alone.
  fileprivate var dependsOnObject: Bool {
    switch self {
    case .object, .path, .variablePath, .subquery, .ternary: true
    default: children.contains(where: \.dependsOnObject)
    }
  }

  /// Whether it is an object that is there whenever it is asked.
  var isAlwaysThere: Bool {
    switch self {
    case .object, .variable: true
    default: false
    }
  }
}

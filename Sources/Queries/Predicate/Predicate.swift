/// A condition on objects, as a value: the tree that the format language and Swift's `#Predicate` are read into.
///
/// The meaning is three-valued as in SQL: a comparison with nothing is neither true nor false, except `== nil` and
/// `!= nil`.
public indirect enum Predicate: Hashable, Sendable {
  /// TRUEPREDICATE or FALSEPREDICATE.
  case constant(Bool)
  case and([Predicate])
  case or([Predicate])
  case not(Predicate)
  case comparison(Comparison)
  /// An expression used as a condition, such as `isFelt` in Swift or a Boolean variable.
  case expression(Expression)
}

/// A comparison of two expressions.
public struct Comparison: Hashable, Sendable {
  public var modifier: ComparisonModifier
  public var left: Expression
  public var comparator: Comparator
  public var options: ComparisonOptions
  public var right: Expression
  /// Where it stands in the text it was read from; not part of its identity.
  public var origin: Origin?

  /// Compares `left` and `right`.
  public init(
    _ left: Expression, _ comparator: Comparator, _ right: Expression, options: ComparisonOptions = [],
    modifier: ComparisonModifier = .direct, origin: Origin? = nil
  ) {
    self.modifier = modifier
    self.left = left
    self.comparator = comparator
    self.options = options
    self.right = right
    self.origin = origin
  }

  public static func == (left: Comparison, right: Comparison) -> Bool {
    left.modifier == right.modifier && left.comparator == right.comparator && left.options == right.options
      && left.left == right.left && left.right == right.right
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(modifier)
    hasher.combine(comparator)
    hasher.combine(options)
    hasher.combine(left)
    hasher.combine(right)
  }
}

/// How a comparison counts the elements of a to-many left side.
public enum ComparisonModifier: String, CaseIterable, Hashable, Sendable {
  case direct = ""
  /// At least one element; SOME is read as ANY.
  case any = "ANY"
  case all = "ALL"
  case none = "NONE"
}

/// The operators of comparisons, spelled as the format language prints them.
public enum Comparator: String, CaseIterable, Hashable, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case between = "BETWEEN"
  case `in` = "IN"
  case contains = "CONTAINS"
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case like = "LIKE"
  case matches = "MATCHES"

  /// Whether it compares text and takes all string options.
  public var isStringOperator: Bool {
    switch self {
    case .contains, .beginsWith, .endsWith, .like, .matches: true
    default: false
    }
  }
}

/// String options in brackets: `CONTAINS[cd]`.
public struct ComparisonOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let caseInsensitive = ComparisonOptions(rawValue: 1)
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
  /// The text is known to be in a normal form: compare bytes.
  public static let normalized = ComparisonOptions(rawValue: 4)
  public static let localeSensitive = ComparisonOptions(rawValue: 8)
}

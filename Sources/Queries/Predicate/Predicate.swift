public import Modeling

/// A condition on objects, as a value: the tree into which the format language and Swift's `#Predicate` are parsed.
///
/// Evaluation is three-valued as in SQL: a comparison with nil is neither true nor false, except `== nil` and `!= nil`.
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
  /// ANY, ALL or NONE, for a to-many left side.
  public var modifier: ComparisonModifier
  /// The left operand.
  public var left: Expression
  /// The operator.
  public var comparator: Comparator
  /// The differences between texts that the operator ignores.
  public var options: ComparisonOptions
  /// The right operand.
  public var right: Expression
  /// Its place in the parsed text; not part of its identity.
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

  /// Whether the comparisons are equal, regardless of their places in a text.
  public static func == (left: Comparison, right: Comparison) -> Bool {
    left.modifier == right.modifier && left.comparator == right.comparator && left.options == right.options
      && left.left == right.left && left.right == right.right
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(modifier)
    hasher.combine(comparator)
    hasher.combine(options)
    hasher.combine(left)
    hasher.combine(right)
  }
}

/// How a comparison quantifies over the elements of a to-many left side.
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

  /// Whether it compares texts and accepts all string options.
  public var isStringOperator: Bool {
    switch self {
    case .contains, .beginsWith, .endsWith, .like, .matches: true
    default: false
    }
  }
}

/// String options in brackets: `CONTAINS[cd]`.
public struct ComparisonOptions: OptionSet, Hashable, Sendable {
  /// One bit for each option.
  public let rawValue: UInt8
  /// Creates options from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `c`: ignores case.
  public static let caseInsensitive = ComparisonOptions(rawValue: 1)
  /// `d`: ignores diacritics.
  public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
  /// `n`: compares bytes, because the texts were normalized in advance; `c` and `d` have no effect with it.
  public static let normalized = ComparisonOptions(rawValue: 4)
  /// `l`: a natural order in one fixed locale: letters before their case and marks, equivalent spellings of one
  /// character equal. `folded` documents the effect of each option on each operator.
  public static let localeSensitive = ComparisonOptions(rawValue: 8)
}

extension Predicate {
  /// Returns the predicate about a value, which replaces SELF, as in conditions on attributes.
  ///
  ///     try Predicate.parse("SELF CONTAINS 'title'").about(.string("A title"))     // "A title" CONTAINS "title"
  public func about(_ value: Value) -> Predicate {
    replacing { part, _ -> Expression? in
      if case .object = part { .constant(value) } else { nil }
    }
  }
}

/// A condition that Apple's models set on the values of an attribute, in the format language: `SELF != "none"`.
///
/// Bounds, lengths and patterns are not told this way: an attribute has them by themselves.
public struct ValidationPredicate: Hashable, Sendable {
  /// The condition; `SELF` is the value.
  public var predicate: String
  /// What is said where it does not hold; nil for nothing in particular.
  public var warning: String?

  /// Asks for a condition.
  public init(_ predicate: String, warning: String? = nil) {
    self.predicate = predicate
    self.warning = warning
  }
}

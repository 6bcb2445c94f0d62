/// A condition that Apple's models set on the values of an attribute, in the format language: `SELF != "none"`.
///
/// Bounds, lengths and patterns are not among them: an attribute has properties of its own for these.
public struct ValidationPredicate: Hashable, Sendable {
  /// The condition; `SELF` is the value.
  public var predicate: String
  /// The message if the condition does not hold; nil for the default message.
  public var warning: String?

  /// Asks for a condition.
  public init(_ predicate: String, warning: String? = nil) {
    self.predicate = predicate
    self.warning = warning
  }
}

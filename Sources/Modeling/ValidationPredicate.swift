/// A condition of an Apple model on an attribute's values, in the format language: `SELF != "none"`.
///
/// Bounds, lengths and patterns are separate: an attribute has properties of its own for them.
public struct ValidationPredicate: Hashable, Sendable {
  /// The condition; `SELF` is the value.
  public var predicate: String
  /// The message if the condition is false; nil for the default message.
  public var warning: String?

  /// Creates a condition.
  public init(_ predicate: String, warning: String? = nil) {
    self.predicate = predicate
    self.warning = warning
  }
}

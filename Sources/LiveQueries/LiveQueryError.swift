/// An error of live results.
public struct LiveQueryError: Error, Hashable {
  /// The possible errors.
  public enum Fact: Hashable, Sendable {
    /// The results were closed.
    case closed
    /// The environment has no context to fetch from.
    case noContext
    /// The model has no entity of that name.
    case unknownEntity(String)
  }

  /// The error's kind and details.
  public let fact: Fact

  init(_ fact: Fact) { self.fact = fact }
}

/// What live results cannot do.
public struct LiveQueryError: Error, Hashable {
  /// What is wrong.
  public enum Fact: Hashable, Sendable {
    /// The results were closed.
    case closed
    /// The environment has no context to fetch from.
    case noContext
    /// The model has no entity of that name.
    case unknownEntity(String)
  }

  /// What is wrong.
  public let fact: Fact

  init(_ fact: Fact) { self.fact = fact }
}

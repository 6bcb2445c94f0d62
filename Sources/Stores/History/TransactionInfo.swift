/// The author and context of a transaction in a store's history.
public struct TransactionInfo: Hashable, Sendable {
  /// The author: a program, a person, an import.
  public var author: String?
  /// The name of the saving context.
  public var contextName: String?

  /// Creates information without author and context unless given.
  public init(author: String? = nil, contextName: String? = nil) {
    self.author = author
    self.contextName = contextName
  }
}

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

extension SQLiteStore {
  /// Runs `body`, whose transactions are recorded under `info`.
  public func attributing<Result>(_ info: TransactionInfo, _ body: () throws -> Result) rethrows -> Result {
    let before = transactionInfo
    transactionInfo = info
    defer { transactionInfo = before }
    return try body()
  }
}

/// What a store's history says of a transaction beside its changes: who makes it, and in which context.
public struct TransactionInfo: Hashable, Sendable {
  /// Who changes the data: a program, a person, an import.
  public var author: String?
  /// The name of the context that saves.
  public var contextName: String?

  /// Names nobody unless told.
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

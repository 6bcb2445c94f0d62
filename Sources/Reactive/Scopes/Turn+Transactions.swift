extension Transaction {
  /// Creates a transaction with an animation. Nil also disables the animations of observers.
  public init(showing animation: Animation?) {
    self.init(animation: animation)
    disablesAnimations = animation == nil
  }
}

extension Turn {
  /// Runs `body`; `transaction` accompanies the changes that it makes.
  public func with<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    let previous = self.transaction
    self.transaction = transaction
    defer { self.transaction = previous }
    return try body()
  }
}

/// Runs `body` and notifies observers of its changes, accompanied by `transaction`.
///
///     try withTransaction(Transaction(animation: .easeIn), turn) { filter.value = "chile" }
///
/// Earlier changes are reported first, without the transaction. Within another transaction, or while observers are
/// being called, that transaction or run reports the changes.
///
/// - Throws: EndlessRounds, and the errors of `body`, after reporting the changes made until then.
public func withTransaction<Result>(
  _ transaction: Transaction, _ turn: Turn, _ body: () throws -> Result
) throws -> Result {
  guard !turn.isInTransaction, !turn.isRunning else { return try turn.with(transaction, body) }
  try turn.run()
  turn.isInTransaction = true
  defer { turn.isInTransaction = false }
  return try turn.with(transaction) {
    do {
      let result = try body()
      try turn.run()
      return result
    } catch let error as EndlessRounds {
      throw error
    } catch {
      try turn.run()
      throw error
    }
  }
}

/// Runs `body` and notifies observers of its changes with an animation; nil disables animations.
public func withAnimation<Result>(
  _ animation: Animation?, _ turn: Turn, _ body: () throws -> Result
) throws -> Result {
  try withTransaction(Transaction(showing: animation), turn, body)
}

extension Transaction {
  /// The transaction of changes that are shown by `animation`; without one, observers' own animations are left out too.
  public init(showing animation: String?) {
    self.init(animation: animation)
    disablesAnimations = animation == nil
  }
}

extension Turn {
  /// Runs `body` with what it changes accompanied by `transaction`.
  public func with<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    let previous = self.transaction
    self.transaction = transaction
    defer { self.transaction = previous }
    return try body()
  }
}

/// Runs `body` and tells of what it changes, accompanied by `transaction`.
///
///     try withTransaction(Transaction(animation: "easeIn"), turn) { filter.value = "chile" }
///
/// What was changed before is told first, without it. Within another one, or while observers are being told, the changes
/// are told by whoever tells.
///
/// - Throws: EndlessRounds, and what `body` throws; the changes until then are told.
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

/// Runs `body` and tells of what it changes, to be shown by `animation`; nil shows it without any.
public func withAnimation<Result>(
  _ animation: String?, _ turn: Turn, _ body: () throws -> Result
) throws -> Result {
  try withTransaction(Transaction(showing: animation), turn, body)
}

public import Reactive

/// Runs `body` and notifies observers of its changes, accompanied by `transaction`.
///
/// Each store takes part that `body` changes: it first reports earlier changes, without the transaction. Within another
/// transaction, that one reports the changes. Observers without end are an error of the container, `onError`.
///
/// - Throws: the error of `body`.
public func withTransaction<Result, Failure: Error>(
  _ transaction: Transaction, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try TransactionScope.run(transaction, body)
}

/// Runs `body` and notifies observers of its changes with an animation; nil disables the animations of observers.
///
///     withAnimation(.none) { quake.magnitude = 7 }
///
/// - Throws: the error of `body`.
public func withAnimation<Result, Failure: Error>(
  _ animation: Animation? = .default, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try withTransaction(Transaction(showing: animation), body)
}

extension Binding {
  /// A binding whose writes have an animation; nil for none.
  public func animation(_ animation: Animation? = .default) -> Binding {
    transaction(Transaction(showing: animation))
  }

  /// A binding whose writes are accompanied by a transaction.
  public func transaction(_ transaction: Transaction) -> Binding {
    let base = self
    return Binding(get: { base.wrappedValue }) { value in
      withTransaction(transaction) { base.wrappedValue = value }
    }
  }
}

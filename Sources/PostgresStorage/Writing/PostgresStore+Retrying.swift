import Modeling
import StoreErrors
import Stores

/// Transactions that the server could not serialize with others, or for which it did not reach a node.
extension PostgresStore {
  /// The most tries of a transaction. The pauses between them are about a second together.
  private static let mostAttempts = 8

  /// Runs `body`, and runs it again if its transaction could not be serialized with others, or if the server lost a node
  /// before the commit.
  public func retrying<Result>(_ body: () throws -> Result) throws -> Result {
    // A failure within a transaction that handwritten SQL began ends it.
    if transactions.depth > 0 || isDryRun || isInTransactionByHand { return try body() }
    var attempts = 1
    while true {
      do {
        return try body()
      } catch let error as StoreError where error.isUnserialized || pool.isOfNode(error) {
        if attempts == Self.mostAttempts {
          throw error.isUnserialized ? StoreError(.notSerialized(attempts: attempts), path: path) : error
        }
        try pause(after: attempts)
        attempts += 1
      }
    }
  }

  /// Waits for about twice as long as the last time, at random, so that transactions that met do not meet again.
  private func pause(after attempts: Int) throws {
    let share = 0.5 + Double(OutsideWorld.current.random() >> 11) / 0x1p54
    var rest = 0.004 * Double(1 << attempts) * share
    while rest > 0 {
      if isInterrupted() { throw StoreError(.interrupted, path: path) }
      OutsideWorld.current.pause(min(rest, 0.02))
      rest -= 0.02
    }
  }

  /// A transaction's failure as a fact, if it could not be serialized.
  func ordered(_ error: any Error) -> any Error {
    if case .notSerialized? = (error as? StoreError)?.fact { return error }
    // Writing row by row may have reported it as the refusal of one row.
    guard pool.hasUnserializedTransaction || (error as? StoreError)?.isUnserialized == true else { return error }
    return StoreError(.notSerialized(attempts: 1), path: path)
  }

  /// The failure of a COMMIT, whose outcome a connection that breaks leaves unknown.
  func ofCommit(_ error: any Error) -> any Error {
    guard let store = error as? StoreError else { return error }
    switch store.fact {
    case .connectionLost(let reason) where transactions.log.count > 0:
      return StoreError(.commitUnknown(reason), path: path)
    // A statement that may or may not have been completed; Citus says so as of an internal error.
    case .server(let refusal)
    where refusal.sqlState == "40003" || refusal.sqlState == "XX000" && profile.engine == .citus:
      return StoreError(.commitUnknown(refusal.message), path: path)
    default: return named(error, nil) { _ in nil }
    }
  }
}

extension StoreError {
  /// Whether the server ended the transaction because of others: it is as if it had not begun.
  var isUnserialized: Bool {
    if case .notSerialized = fact { return true }
    return ["40001", "40P01"].contains(refusal?.sqlState ?? "")
  }
}

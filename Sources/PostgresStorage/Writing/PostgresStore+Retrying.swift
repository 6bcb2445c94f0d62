import Modeling
import Storage
import StoreErrors

/// Transactions that the server could not put in order with those of others, or for which it did not reach a node.
extension PostgresStore {
  /// How often a transaction is tried. The pauses between are about a second together.
  private static let mostAttempts = 8

  /// Runs `body`, and runs it again if its transaction could not be put in order with those of others, or if the server lost a node
  /// before the commit.
  public func retrying<Result>(_ body: () throws -> Result) throws -> Result {
    // What failed in a transaction that was begun by hand ends that.
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

  /// Waits for twice as long as the last time, more or less, so that those who met do not meet again.
  private func pause(after attempts: Int) throws {
    let share = 0.5 + Double(OutsideWorld.current.random() >> 11) / 0x1p54
    var rest = 0.004 * Double(1 << attempts) * share
    while rest > 0 {
      if isInterrupted() { throw StoreError(.interrupted, path: path) }
      OutsideWorld.current.pause(min(rest, 0.02))
      rest -= 0.02
    }
  }

  /// A transaction's failure as a fact, where it is that of its order.
  func ordered(_ error: any Error) -> any Error {
    if case .notSerialized? = (error as? StoreError)?.fact { return error }
    // Those who write row by row may have made it a refusal of one row.
    guard pool.hasUnserializedTransaction || (error as? StoreError)?.isUnserialized == true else { return error }
    return StoreError(.notSerialized(attempts: 1), path: path)
  }

  /// The failure of a COMMIT, whose outcome a connection that breaks leaves unknown.
  func ofCommit(_ error: any Error) -> any Error {
    guard let store = error as? StoreError else { return error }
    switch store.fact {
    case .connectionLost(let reason) where transactions.log.count > 0:
      return StoreError(.commitUnknown(reason), path: path)
    // A statement of which it is not known whether it was completed.
    case .server(let refusal) where refusal.sqlState == "40003":
      return StoreError(.commitUnknown(refusal.message), path: path)
    default: return named(error, nil) { _ in nil }
    }
  }
}

extension StoreError {
  /// Whether the server ended the transaction for the sake of others: it is as if it had not begun.
  var isUnserialized: Bool {
    if case .notSerialized = fact { return true }
    return ["40001", "40P01"].contains(refusal?.sqlState ?? "")
  }
}

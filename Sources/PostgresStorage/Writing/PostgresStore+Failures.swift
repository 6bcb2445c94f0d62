import Modeling
import StoreErrors
import Stores

/// What the server refuses as facts that every store has, and transactions that it could not serialize with others, or for which it did
/// not reach a node.
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
    where refusal.sqlState == "40003" || refusal.sqlState == "XX000" && profile.distributesTables:
      return StoreError(.commitUnknown(refusal.message), path: path)
    default: return named(error, nil) { _ in nil }
    }
  }

  // MARK: Refusals

  /// A refusal of the server as a fact that every store has, if it is one; `value` returns the value that was written to a
  /// column.
  func named(_ error: any Error, _ entity: Entity?, _ value: (String) -> Value?) -> any Error {
    guard let error = error as? StoreError, case .server(let answer) = error.fact else { return error }
    let refusal = profile.distributesTables ? answer.withoutShard : answer
    switch refusal.sqlState {
    case "23505":
      return StoreError(duplicate(refusal, entity, value) ?? .constraint(refusal.message), path: path)
    case "23502", "23503", "23514", "23P01", "22003", "22001":
      return StoreError(.constraint(refusal.message), path: path)
    case "25006": return readOnlyError
    case "40001", "40P01": return StoreError(.notSerialized(attempts: 1), path: path)
    case "55P03": return StoreError(.busy(seconds: 0, holders: []), path: path)
    case "53100": return StoreError(.full, path: path)
    default: return error
    }
  }

  /// Whose values are there already.
  private func duplicate(_ refusal: ServerError, _ entity: Entity?, _ value: (String) -> Value?) -> StoreError.Fact? {
    guard let entity, let constraint = refusal.constraint,
      let columns = tables[layout(of: entity).table].unique(constraint)
    else { return nil }
    let layout = layout(of: entity)
    let names = columns.compactMap { name -> String? in
      guard let column = layout.columns.firstIndex(where: { $0.name == name }) else { return nil }
      let property =
        layout.properties.firstIndex(of: .column(column))
        ?? layout.properties.firstIndex {
          if case .reference(let columns, _) = $0 { columns.contains(column) } else { false }
        }
      return property.map { entity.properties[$0].name }
    }
    guard names.count == columns.count else { return nil }
    let values = columns.compactMap(value)
    return .notUnique(entity: entity.name, properties: names, values: values.count == names.count ? values : [])
  }
}

extension StoreError {
  /// Whether the server ended the transaction because of others: it is as if it had not begun.
  var isUnserialized: Bool {
    if case .notSerialized = fact { return true }
    return ["40001", "40P01"].contains(refusal?.sqlState ?? "")
  }
}

extension ServerError {
  /// The refusal of a node of Citus with the names of the database. The node appends the number of a shard to names, and
  /// the server passes only the message on.
  fileprivate var withoutShard: ServerError {
    var plain = self
    let names = message.matches(of: /["«„“]([^"«»„“”]+)_[0-9]{6,}["»”“]/).map(\.1)
    plain.message = message.replacing(/_[0-9]{6,}(["»”“])/) { $0.1 }
    // A constraint is named behind its table.
    plain.constraint = names.last.map(String.init) ?? constraint
    return plain
  }
}

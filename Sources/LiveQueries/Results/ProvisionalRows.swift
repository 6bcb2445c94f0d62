internal import Stores

/// The rows that live results read while a transaction of their store was open that had written.
///
/// A commit reports what the whole transaction changed, and a transaction that is rolled back reports nothing. Neither
/// leads from the rows that were read within it to the rows afterwards: no commit reports a row that was changed and
/// changed back. So these rows are read once more when the transaction is over. While it goes on, they are read again
/// whenever it has written, because its changes so far do not include those that it has reverted.
struct ProvisionalRows {
  /// The rows to read again.
  enum Rest {
    case rows(Set<Int64>)
    case everything
  }

  /// Whether nothing was read in a transaction. Kept, since each round asks each result.
  private(set) var isEmpty = true
  private var rest = Rest.rows([])

  /// Whether there is something to read again, now that the transaction is over.
  func isDue(in store: @autoclosure () -> any ObjectStore) -> Bool { !isEmpty && !store().showsUncommittedRows }

  /// Notes rows that are read in a round.
  mutating func note(_ keys: @autoclosure () -> [Int64], _ round: RoundChanges) {
    guard round.showsUncommittedRows, case .rows(var known) = rest else { return }
    rest = .everything
    known.formUnion(keys())
    rest = .rows(known)
    isEmpty = known.isEmpty
  }

  /// Notes that everything is read.
  mutating func noteEverything(in store: any ObjectStore) {
    isEmpty = !store.showsUncommittedRows
    rest = isEmpty ? .rows([]) : .everything
  }

  /// Returns the rows to read again in a round: none while the transaction goes on and has not written. When it is over,
  /// they are returned once.
  mutating func take(_ round: RoundChanges, in store: @autoclosure () -> any ObjectStore) -> Rest {
    if round.isWithinTransaction { return rest }
    guard isDue(in: store()) else { return .rows([]) }
    defer { (isEmpty, rest) = (true, .rows([])) }
    return rest
  }
}

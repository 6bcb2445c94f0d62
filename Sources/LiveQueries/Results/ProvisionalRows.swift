internal import Storage

/// The rows that live results read while a transaction of their store was open that had written.
///
/// The commit tells what the whole transaction changed, and a transaction that is taken back tells nothing. Neither leads from
/// what was read in its midst to what is there afterwards: a row that it changed and changed back is told by no commit. So
/// these rows are read once more when the transaction is over.
struct ProvisionalRows {
  /// What is to be read again.
  enum Rest {
    case rows(Set<Int64>)
    case everything
  }

  private var rest = Rest.rows([])

  /// Whether nothing was read in a transaction.
  var isEmpty: Bool {
    if case .rows(let keys) = rest { keys.isEmpty } else { false }
  }

  /// Whether there is something to read again, now that the transaction is over.
  func isDue(in store: any ObjectStore) -> Bool { !isEmpty && !store.showsUncommittedRows }

  /// Notes rows that are read on an occasion.
  mutating func note(_ keys: @autoclosure () -> [Int64], _ occasion: Occasion) {
    guard occasion.showsUncommittedRows, case .rows(var known) = rest else { return }
    rest = .everything
    known.formUnion(keys())
    rest = .rows(known)
  }

  /// Notes that everything is read.
  mutating func noteEverything(in store: any ObjectStore) {
    rest = store.showsUncommittedRows ? .everything : .rows([])
  }

  /// Returns what is to be read again, once; no rows where nothing is, or while the transaction goes on.
  mutating func take(in store: any ObjectStore) -> Rest {
    guard isDue(in: store) else { return .rows([]) }
    defer { rest = .rows([]) }
    return rest
  }
}

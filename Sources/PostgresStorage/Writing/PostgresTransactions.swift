import Storage

/// How deep transactions are nested, and what the outermost one has written.
final class PostgresTransactions {
  var depth = 0
  var log = CommitLog()
  /// A number that grows with whatever may have been written since the store was opened.
  private(set) var writeCount: Int64 = 0
  /// How many rows were written since then, as far as that is known.
  private(set) var changeCount: Int64 = 0
  /// How often something that was written was taken back.
  var undoneCount = 0
  /// How many rows triggers may have changed.
  var triggeredCount: Int64 = 0
  var info = TransactionInfo()
  /// Whether SQL by hand has written in the transaction, so that only the record knows its rows.
  var tellsRecord = false
  /// The save that the transaction takes back; nil for a save.
  var reversal: PostgresReversal.Entry?
  /// How many rows the outermost transaction has inserted into a table whose keys are asked for.
  private var inserts: [String: Int] = [:]
  /// How many bulk inserts are under way.
  var bulkDepth = 0
  /// The table into which the outermost bulk insert copies rows that are kept for the undo of saves when it ends.
  var bulkTable: String?
  /// Whether the outermost transaction is a part of one that SQL by hand began.
  var isPart = false
  /// Whether everything is taken back at the end.
  var isDryRun = false
  /// Whether a part was undone where the server can only undo all of it.
  var isDoomed = false

  /// Takes note of rows that were written.
  func noteWrites(_ rows: Int = 1) {
    writeCount += Int64(rows)
    changeCount += Int64(rows)
  }

  /// Takes note of a statement by hand, which has written `rows` as far as the server tells.
  func noteStatement(writing rows: Int) {
    writeCount += 1
    changeCount += Int64(rows)
  }

  /// Takes note of an insert into a table, and tells whether it is one of many.
  func isMany(insertsInto table: String) -> Bool {
    if bulkDepth > 0 { return true }
    inserts[table, default: 0] += 1
    return (inserts[table] ?? 0) > 8
  }

  /// Begins a new outermost transaction.
  func begin() {
    log = CommitLog()
    inserts = [:]
    tellsRecord = false
    isDoomed = false
  }
}

/// Who is told of commits.
final class CommitObservers {
  private var observers: [(id: Int, body: (OwnCommit) -> Void)] = []
  private var next = 0

  func add(_ body: @escaping (OwnCommit) -> Void) -> CommitSubscription {
    let id = next
    next += 1
    observers.append((id, body))
    return CommitSubscription { [weak self] in self?.observers.removeAll { $0.id == id } }
  }

  func tell(_ commit: OwnCommit) { for observer in observers { observer.body(commit) } }
}

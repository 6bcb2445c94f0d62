import Stores

/// The state of nested transactions, and what the outermost one has written.
final class PostgresTransactions {
  var depth = 0
  var log = CommitLog()
  /// A number that grows with everything that may have been written since the store was opened.
  private(set) var writeCount: Int64 = 0
  /// The number of rows written since then, as far as it is known.
  private(set) var changeCount: Int64 = 0
  /// The number of rollbacks of writes.
  var undoneCount = 0
  /// The number of rows that triggers may have changed.
  var triggeredCount: Int64 = 0
  var info = TransactionInfo()
  /// Whether handwritten SQL has written in the transaction, so that only the record knows its rows.
  var tellsRecord = false
  /// The save that the transaction reverts; nil for a save.
  var reversal: PostgresReversal.Entry?
  /// The name by which the nodes of Citus record the transaction; nil where they do not.
  var save: String?
  /// The number of rows that the outermost transaction has inserted into a table, if their keys are asked for.
  private var inserts: [String: Int] = [:]
  /// The number of bulk inserts in progress.
  var bulkDepth = 0
  /// The table into which the outermost bulk insert copies rows that are kept for the undo of saves when it ends.
  var bulkTable: String?
  /// Whether the outermost transaction is a part of one that handwritten SQL began.
  var isPart = false
  /// Whether everything is rolled back at the end.
  var isDryRun = false
  /// Whether a part was rolled back on a server that can only roll back the whole.
  var isDoomed = false

  /// Counts rows that were written.
  func noteWrites(_ rows: Int = 1) {
    writeCount += Int64(rows)
    changeCount += Int64(rows)
  }

  /// Counts the rows of a handwritten statement, as far as the server reports them.
  func noteStatement(writing rows: Int) {
    writeCount += 1
    changeCount += Int64(rows)
  }

  /// Notes an insert into a table; returns whether it is one of many.
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

/// The observers of commits.
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

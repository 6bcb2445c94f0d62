import Modeling
import SQLite

extension SQLiteStore {
  /// Calls `body` with the changes of each transaction after its commit; nil if the store is read-only.
  public func onCommit(_ body: @escaping (ChangeSet) -> Void) -> CommitSubscription? { commits?.subscribe(body) }

  /// Returns what the open transaction has changed so far; nil if the store is read-only. O(changed rows).
  ///
  /// - Throws: StoreError.
  public func changesOfTransaction() throws(StoreError) -> ChangeSet? { try commits?.capture.changes() }

  /// Records the transaction's changes in it, then runs `body`, which commits.
  func committing<Result>(_ body: () throws -> Result) throws -> Result {
    try recorder.willCommit(connection)
    let result = try commits.map { try $0.committing(body) } ?? body()
    if !connection.isInTransaction {
      transactions.commitCount += 1
      recorder.didCommit()
    }
    return result
  }

  /// Begins to record changes.
  func makeRecorder() -> CommitRecorder {
    let capture = ChangeCapture(connection, names: tableNames)
    format.prepare(capture)
    let isInFile = format.keepsOurBooks && !isBeingMade
    let recorder = CommitRecorder(connection, capture, SaveJournal(connection, isInFile: isInFile))
    recorder.author = { [history = self.recorder] in history.info.author }
    recorder.bookkeeping = format.bookkeeping(of: self)
    // Scripts must get the change counts of their own statements, without rows of the history and the journal.
    let asked = AskedStore(self, recorder)
    // These replace SQLite's own functions, which triggers may call.
    connection.register(
      function: "changes", arguments: 0, deterministic: false, forSchema: true, context: asked
    ) { context, _, _ in
      let call = SQLFunctionCall(context)
      call.setResult(call.registered(as: AskedStore.self)?.recorder?.lastChanges ?? 0)
    }
    connection.register(
      function: "total_changes", arguments: 0, deterministic: false, forSchema: true, context: asked
    ) { context, _, _ in
      let call = SQLFunctionCall(context)
      call.setResult(call.registered(as: AskedStore.self)?.store?.changeCount ?? 0)
    }
    return recorder
  }

  private var tableNames: [String: ChangeCapture.TableNames] {
    var names: [String: ChangeCapture.TableNames] = [:]
    for entity in model.entities {
      let layout = layout(of: entity)
      let table = asciiLowercased(layout.table)
      names[table, default: ChangeCapture.TableNames()].entity = entity.root
      // SQLite itself reports the columns that it generates; triggers of other programs guarantee nothing.
      names[table, default: ChangeCapture.TableNames()].computed.formUnion(format.computedColumns(of: layout))
    }
    return names
  }
}

/// A weak reference to the store for functions of its connection, which the store retains.
private final class AskedStore {
  weak var store: SQLiteStore?
  weak var recorder: CommitRecorder?

  init(_ store: SQLiteStore, _ recorder: CommitRecorder) {
    self.store = store
    self.recorder = recorder
  }
}

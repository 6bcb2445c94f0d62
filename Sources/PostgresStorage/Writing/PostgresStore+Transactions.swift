import Modeling
import Postgres
import StoreErrors
public import Stores

extension PostgresStore {
  /// Runs `body` in one transaction, which is rolled back if it throws. Nested calls are savepoints. So is a call within a
  /// transaction that handwritten SQL began, whose COMMIT commits it.
  @discardableResult
  public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    if isReadOnly { throw readOnlyError }
    try begin()
    let mark = transactions.log.count
    do {
      let result = try body()
      try end()
      return result
    } catch {
      let error = ordered(error)
      undo(to: mark)
      throw error
    }
  }

  private func begin() throws {
    if transactions.depth == 0, !isDryRun {
      transactions.isPart = isInTransactionByHand
      if transactions.isPart {
        if !profile.has(.savepoints) { throw lacking("savepoints") }
        _ = try pool.run("SAVEPOINT \(raw: savepoint(0))")
      } else {
        // All of it sees one moment, in which a changed row is compared: a row that others have changed since is refused.
        try pool.begin(" ISOLATION LEVEL REPEATABLE READ")
      }
      pool.pin()
      do {
        try lookForOthersBeforeWriting(
          writer: recording?.writer(
            transactions.info, reversing: transactions.reversal, isMaking: isBeingMade))
        transactions.save = transactions.isPart ? nil : try nameSaveOnNodes()
      } catch {
        rollBack()
        throw ordered(error)
      }
    } else if profile.has(.savepoints) {
      _ = try pool.run("SAVEPOINT \(raw: savepoint(transactions.depth))")
      do { if transactions.depth == 0 { try nameWriterOfDryRun() } } catch {
        undoPart()
        throw ordered(error)
      }
    } else {
      try flush()
    }
    if transactions.depth == 0 { transactions.begin() }
    transactions.depth += 1
  }

  private func end() throws {
    if isInterrupted() { throw StoreError(.interrupted, path: path) }
    guard transactions.depth == 1, !isDryRun else {
      try flush()
      // What a dry run keeps is as complete as a save.
      if transactions.depth == 1, !isMigrating {
        try logRecorded()
        try derived?.refresh(transactions.log, self)
        try ClientRecord.write(transactions.log, self)
      }
      if profile.has(.savepoints) {
        _ = try pool.run("RELEASE SAVEPOINT \(raw: savepoint(transactions.depth - 1))")
      }
      transactions.depth -= 1
      return
    }
    try flush()
    // A part of it should have been rolled back alone, and is still there.
    if transactions.isDoomed { throw lacking("savepoints") }
    try logRecorded()
    try derived?.refresh(transactions.log, self)
    try ClientRecord.write(transactions.log, self)
    if transactions.isPart {
      _ = try pool.run("RELEASE SAVEPOINT \(raw: savepoint(0))")
      transactions.depth = 0
      transactions.log = CommitLog()
      return pool.unpin()
    }
    let recordedTransaction = try prepareRecord()
    // The log lacks the rows of handwritten SQL, and an error of COMMIT leaves open whether there is one.
    if let save = transactions.save { nodeRecord?.unreported.insert(save) }
    do {
      _ = try pool.run("COMMIT")
    } catch {
      // What a commit checks at its end is the store's refusal of the whole.
      throw ofCommit(error)
    }
    transactions.depth = 0
    pool.unpin()
    if let save = transactions.save, !transactions.tellsRecord { nodeRecord?.unreported.remove(save) }
    let log = transactions.log
    transactions.log = CommitLog()
    noteCommit(log)
    if let recordedTransaction { tellRecorded(recordedTransaction) } else { tell(log) }
  }

  private func undo(to mark: Int) {
    guard transactions.depth > 0 else { return }
    transactions.depth -= 1
    transactions.undoneCount += 1
    // Writes that were not sent are rolled back, too.
    _ = pending.take()
    transactions.log.cut(to: min(mark, transactions.log.count))
    if transactions.depth == 0, !isDryRun {
      rollBack()
    } else if !profile.has(.savepoints) {
      transactions.isDoomed = true
    } else {
      undoPart()
    }
  }

  /// Rolls back the outermost transaction, as far as it is ours.
  private func rollBack() {
    if transactions.isPart { undoPart() } else { _ = try? pool.run("ROLLBACK") }
    pool.unpin()
  }

  /// Rolls back to the savepoint of the present depth.
  private func undoPart() {
    let name = savepoint(transactions.depth)
    _ = try? pool.run("ROLLBACK TO SAVEPOINT \(raw: name)")
    _ = try? pool.run("RELEASE SAVEPOINT \(raw: name)")
  }

  /// The error for a rollback that the server cannot do.
  func lacking(_ feature: String) -> StoreError {
    StoreError(.lacking(server: profile.engine.name, feature: feature), path: path)
  }

  /// Whether a transaction is open that handwritten SQL began.
  public var isInTransactionByHand: Bool { pool.pins == 0 && pool.main.transactionStatus == .inTransaction }

  private func savepoint(_ depth: Int) -> String { "perilune_\(depth)" }

  /// Runs a write in a transaction of its own, or in the open one, which ends if the write fails. The server accepts no
  /// further statement then, except after a rollback to a savepoint.
  func write<Result>(_ entity: Entity, _ body: () throws -> Result) throws -> Result {
    if isReadOnly { throw readOnlyError }
    if entity.isReadOnly { throw StoreError(.readOnlyEntity(entity.name), path: path) }
    func change() throws -> Result {
      transactions.noteWrites()
      if tables[layout(of: entity).table].hasTriggers { transactions.triggeredCount += 1 }
      return try body()
    }
    // A savepoint for each write would cost two round trips: a statement that fails ends the server's transaction.
    return try transactions.depth > 0 ? change() : transaction(change)
  }

  private func tell(_ log: CommitLog) {
    if log.count == 0 { return }
    let touched = log.touched(layout)
    if touched.isEmpty { return }
    commits.tell(
      OwnCommit(author: transactions.info.author, touched: { touched }) { root in { log.replacedValues(of: root) } })
  }

  /// Has `body` called after each commit made here.
  public func onOwnCommit(_ body: @escaping (OwnCommit) -> Void) -> CommitSubscription? {
    isReadOnly ? nil : commits.add(body)
  }

  /// Runs `body`, whose transactions get the author and process of `info`.
  public func attributing<Result>(_ info: TransactionInfo, _ body: () throws -> Result) rethrows -> Result {
    let before = transactions.info
    transactions.info = info
    defer { transactions.info = before }
    return try body()
  }

  /// The number of rows that triggers may have changed.
  public var triggeredChangeCount: Int64 { transactions.triggeredCount }

  /// The number of rows written since the store was opened.
  public var writeCount: Int64 { transactions.writeCount }
}

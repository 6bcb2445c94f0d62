import Glibc
import Modeling
package import SQLite
package import StoreErrors
package import Stores

/// Runs at each commit of a store: finds the changes, keeps them for an undo, and tells observers.
///
/// `committing` first has the format write its own bookkeeping, within a savepoint; then it writes the changes into the
/// undo journal; then it runs the body, which commits. If the body throws or leaves the transaction open, both writes are
/// reverted, and the changes stay recorded for the next attempt. After the commit the changes wait in `untold` until `tell`
/// passes them to the observers, because an observer may write. `reversal` is set while the transaction is itself an undo
/// or redo, whose changes are known beforehand. SQLite's `changes()` must count the script's own statements, so
/// `changesBefore` keeps its value while internal rows are written.
package final class CommitRecorder {
  package let capture: ChangeCapture
  package let journal: SaveJournal?
  private let connection: Connection
  private var observers: [(id: Int, body: (ChangeSet) -> Void)] = []
  private var nextObserver = 0
  private var untold: [ChangeSet] = []
  /// The journal entry that the transaction undoes or redoes; nil for a save.
  private var reversal: (direction: SaveDirection, entry: JournalEntry, changes: ChangeSet)?
  /// The format's own writes before a commit; nil for none.
  package var bookkeeping: Bookkeeping?
  /// The author of saves.
  package var author: () -> String? = { nil }
  /// The number of rows written to the journal, which do not count as changes.
  package private(set) var rowsWritten: Int64 = 0
  /// The value for SQLite's function `changes()`, saved before internal rows were written.
  private var changesBefore: Int64?

  /// What a store format writes before its commits.
  package struct Bookkeeping {
    /// Writes it; returns true if this has changed further rows.
    package var willCommit: (ChangeSet) throws -> Bool
    /// Why the transaction cannot be undone; nil if it can.
    package var loss: () -> ChangeCapture.Loss?
    package var didCommit: () -> Void

    package init(
      willCommit: @escaping (ChangeSet) throws -> Bool, loss: @escaping () -> ChangeCapture.Loss?,
      didCommit: @escaping () -> Void
    ) {
      self.willCommit = willCommit
      self.loss = loss
      self.didCommit = didCommit
    }
  }

  package init(_ connection: Connection, _ capture: ChangeCapture, _ journal: SaveJournal?) {
    self.connection = connection
    self.capture = capture
    self.journal = journal
  }

  /// Calls `body` after every commit.
  package func subscribe(_ body: @escaping (ChangeSet) -> Void) -> CommitSubscription {
    let id = nextObserver
    nextObserver += 1
    observers.append((id, body))
    return CommitSubscription { [weak self] in self?.observers.removeAll { $0.id == id } }
  }

  /// Begins a transaction. Records that are left belong to one that SQLite ended by itself.
  package func transactionBegan() {
    capture.clear()
    reversal = nil
    changesBefore = nil
  }

  /// Marks the transaction as the undo or redo of an entry, which is replaced by its inverse.
  package func transactionReverses(_ direction: SaveDirection, _ entry: JournalEntry, _ changes: ChangeSet) {
    reversal = (direction, entry, changes)
  }

  /// Records the changes within the transaction, then runs `body`, which ends it.
  package func committing<Result>(_ body: () throws -> Result) throws -> Result {
    guard connection.isInTransaction, !capture.isEmpty || reversal != nil else { return try body() }
    journal?.begin()
    let changes = try settled()
    try write(changes)
    do {
      let result = try body()
      if connection.isInTransaction { try retract() } else { settle(changes) }
      return result
    } catch {
      try? retract()
      throw error
    }
  }

  /// Reports pending commits to observers.
  package func tell() {
    while !untold.isEmpty {
      let changes = untold.removeFirst()
      for observer in observers { observer.body(changes) }
    }
  }

  /// Saves the value of `changes()` before internal rows are written.
  package func keepAnswers() {
    if changesBefore == nil { changesBefore = connection.lastChanges }
  }

  /// Discards the saved value of `changes()`, because a statement of the script runs.
  package func answersAreLive() { changesBefore = nil }

  /// The number of rows that the script's last statement changed.
  package var lastChanges: Int64 { changesBefore ?? connection.lastChanges }

  private func changes() throws(StoreError) -> ChangeSet {
    if let reversal { return reversal.changes }
    do throws(StoreError) {
      return try capture.changes()
    } catch {
      // Changes that cannot be read cannot be undone, but they can be saved.
      switch error.fact {
      case .sql, .corrupt, .notUndoable: return ChangeSet(tables: [], isComplete: false)
      default: throw error
      }
    }
  }

  /// Reverts the writes for the commit, because the transaction goes on.
  private func retract() throws {
    if bookkeeping != nil, connection.isInTransaction {
      try connection.execute("ROLLBACK TO \(Self.savepoint); RELEASE \(Self.savepoint)")
    }
    try journal?.retract()
  }

  private static let savepoint = "perilune_bookkeeping"

  /// Returns the changes, after the format has written its bookkeeping.
  private func settled() throws -> ChangeSet {
    let changes = try self.changes()
    guard let bookkeeping, connection.handle != nil else { return changes }
    try connection.execute("SAVEPOINT \(Self.savepoint)")
    keepAnswers()
    let (total, rowID) = (connection.totalChanges, connection.lastInsertedRowID)
    defer {
      rowsWritten += connection.totalChanges - total
      connection.lastInsertedRowID = rowID
    }
    do {
      return try bookkeeping.willCommit(changes) && reversal == nil ? try self.changes() : changes
    } catch {
      try? retract()
      throw error
    }
  }

  private func write(_ changes: ChangeSet) throws(StoreError) {
    guard let journal, !changes.isEmpty || capture.barrier != nil || reversal != nil else { return }
    var update = SaveJournal.Update()
    update.removed = reversal?.entry.number
    update.forgets = reversal == nil ? .redo : .nothing
    if changes.isComplete {
      var entry = JournalEntry(role: reversal?.direction == .undo ? .redo : .undo)
      entry.changes = changes.withoutPresentRows
      (entry.author, entry.process) = (author(), Int64(getpid()))
      if let reversal {
        (entry.time, entry.author, entry.process) = (reversal.entry.time, reversal.entry.author, reversal.entry.process)
      }
      if !changes.isEmpty { update.entry = entry }
      if reversal == nil, entry.size > SaveJournal.byteLimit { bar(&update, .tooLarge) }
    } else {
      bar(&update, capture.loss ?? .failure)
    }
    if let loss = capture.barrier ?? bookkeeping?.loss() { bar(&update, loss) }
    update.dataVersion = try? connection.dataVersion()
    update.entry?.dataVersion = update.dataVersion
    keepAnswers()
    let total = connection.totalChanges
    try journal.write(update)
    rowsWritten += connection.totalChanges - total
  }

  /// Makes this transaction and all earlier ones impossible to undo.
  private func bar(_ update: inout SaveJournal.Update, _ loss: ChangeCapture.Loss) {
    update.forgets = .all
    switch loss {
    case .tooLarge: update.entry = JournalEntry(role: .tooLarge)
    case .schema: update.entry = JournalEntry(role: .schema)
    case .failure: update.entry = JournalEntry(role: .failure)
    case .externalFiles: update.entry = JournalEntry(role: .externalFiles)
    case .virtualTable(let name):
      update.entry = JournalEntry(role: .virtualTable)
      update.entry?.bytes = Array(name.utf8)
    }
  }

  private func settle(_ changes: ChangeSet) {
    capture.clear()
    reversal = nil
    bookkeeping?.didCommit()
    journal?.commit()
    if !observers.isEmpty, !changes.isEmpty { untold.append(changes) }
  }
}

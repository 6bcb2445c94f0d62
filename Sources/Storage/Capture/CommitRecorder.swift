import Modeling
import SQLite

/// What happens at each commit of a store: its changes are found, kept for an undo, and told.
final class CommitRecorder {
  let capture: ChangeCapture
  let journal: SaveJournal?
  private let connection: Connection
  private var observers: [(id: Int, body: (ChangeSet) -> Void)] = []
  private var nextObserver = 0
  private var untold: [ChangeSet] = []
  /// What the transaction is, if it is no save: an undo or redo of this entry.
  private var reversal: (direction: SaveDirection, entry: JournalEntry, changes: ChangeSet)?
  /// What else has to be written before a commit, and what becomes of it afterwards; nil for nothing.
  var bookkeeping: Bookkeeping?
  /// How many rows of the journal were written: nobody's own changes.
  private(set) var rowsWritten: Int64 = 0
  /// What SQLite's function `changes` is to say, once other rows were written than the script's.
  private var changesBefore: Int64?

  /// What a kind of store writes before its commits.
  struct Bookkeeping {
    /// Writes it; true where the changes are others than those given.
    var willCommit: (ChangeSet) throws -> Bool
    /// Why the transaction cannot be undone; nil where it can.
    var loss: () -> ChangeCapture.Loss?
    var didCommit: () -> Void
  }

  init(_ connection: Connection, _ capture: ChangeCapture, _ journal: SaveJournal?) {
    self.connection = connection
    self.capture = capture
    self.journal = journal
  }

  /// Tells `body` of every commit.
  func subscribe(_ body: @escaping (ChangeSet) -> Void) -> CommitSubscription {
    let id = nextObserver
    nextObserver += 1
    observers.append((id, body))
    return CommitSubscription { [weak self] in self?.observers.removeAll { $0.id == id } }
  }

  /// A transaction begins: what is still noted belongs to one that ended behind our back.
  func transactionBegan() {
    capture.clear()
    reversal = nil
    changesBefore = nil
  }

  /// The transaction has gone the way of an entry, which is replaced by its opposite.
  func transactionReverses(_ direction: SaveDirection, _ entry: JournalEntry, _ changes: ChangeSet) {
    reversal = (direction, entry, changes)
  }

  /// Runs `body`, which ends the transaction, with its changes recorded within it.
  func committing<Result>(_ body: () throws -> Result) throws -> Result {
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

  /// Tells observers what was committed since they were told last.
  func tell() {
    while !untold.isEmpty {
      let changes = untold.removeFirst()
      for observer in observers { observer.body(changes) }
    }
  }

  /// From here on rows are written of which scripts know nothing.
  func keepAnswers() {
    if changesBefore == nil { changesBefore = connection.lastChanges }
  }

  /// A statement of the script's runs.
  func answersAreLive() { changesBefore = nil }

  /// How many rows the last statement of a script changed.
  var lastChanges: Int64 { changesBefore ?? connection.lastChanges }

  private func changes() throws(StoreError) -> ChangeSet {
    if let reversal { return reversal.changes }
    do throws(StoreError) {
      return try capture.changes()
    } catch {
      // What cannot be read cannot be undone, but it can be saved.
      switch error.fact {
      case .sql, .corrupt, .notUndoable: return ChangeSet(tables: [], isComplete: false)
      default: throw error
      }
    }
  }

  /// The transaction goes on: what was written for its end is taken back.
  private func retract() throws {
    if bookkeeping != nil, connection.isInTransaction {
      try connection.execute("ROLLBACK TO \(Self.savepoint); RELEASE \(Self.savepoint)")
    }
    try journal?.retract()
  }

  private static let savepoint = "perilune_bookkeeping"

  /// The changes, with all that others count on written into the transaction.
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
    guard let journal, !changes.isEmpty || reversal != nil else { return }
    var update = SaveJournal.Update()
    update.removed = reversal?.entry.number
    update.forgets = reversal == nil ? .redo : .nothing
    if changes.isComplete {
      var entry = JournalEntry(role: reversal?.direction == .undo ? .redo : .undo)
      entry.changes = changes.encoded()
      if let reversal { entry.time = reversal.entry.time }
      if !changes.isEmpty { update.entry = entry }
      if reversal == nil, entry.changes.count > SaveJournal.byteLimit { bar(&update, .tooLarge) }
    } else {
      bar(&update, capture.loss ?? .failure)
    }
    if let loss = bookkeeping?.loss() { bar(&update, loss) }
    update.dataVersion = try? connection.dataVersion()
    update.entry?.dataVersion = update.dataVersion
    keepAnswers()
    let total = connection.totalChanges
    try journal.write(update)
    rowsWritten += connection.totalChanges - total
  }

  /// Nothing from before this transaction can be undone.
  private func bar(_ update: inout SaveJournal.Update, _ loss: ChangeCapture.Loss) {
    update.forgets = .all
    switch loss {
    case .tooLarge: update.entry = JournalEntry(role: .tooLarge)
    case .schema: update.entry = JournalEntry(role: .schema)
    case .failure: update.entry = JournalEntry(role: .failure)
    case .externalFiles: update.entry = JournalEntry(role: .externalFiles)
    case .virtualTable(let name):
      update.entry = JournalEntry(role: .virtualTable)
      update.entry?.changes = Array(name.utf8)
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

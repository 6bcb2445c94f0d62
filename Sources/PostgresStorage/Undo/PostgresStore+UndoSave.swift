import Modeling
import Postgres
import StoreErrors
public import Stores

extension PostgresStore {
  /// Undoes the last save in a transaction of its own; `.redo` reverts the last undo.
  ///
  /// Any transaction of a store counts as a save: a context's, a batch request, an import, SQL. If it throws, nothing has
  /// changed.
  public func reverseSave(_ direction: SaveDirection) throws -> ReversedSave {
    let (found, recording) = try lastSave(direction)
    transactions.reversal = found
    defer { transactions.reversal = nil }
    return try transaction {
      // It may be another one by now.
      guard let entry = try journalEntry(direction, recording), entry.number == found.number else {
        throw StoreError(.nothingTo(direction), path: path)
      }
      let reversal = try PostgresReversal(entry, recording, self)
      try reversal.check()
      transactions.tellsRecord = true
      transactions.noteWrites()
      let result = try reversal.apply()
      _ = try pool.run("DELETE FROM \(raw: recording.books.journal) WHERE number = \(.int(entry.number))")
      return result
    }
  }

  /// Returns the save that `reverseSave` would reverse, with the objects that it would write.
  public func saveToReverse(_ direction: SaveDirection) throws -> ReversibleSave {
    let (entry, recording) = try lastSave(direction)
    let reversal = try PostgresReversal(entry, recording, self)
    try reversal.check()
    return reversal.save
  }

  private func lastSave(_ direction: SaveDirection) throws -> (PostgresReversal.Entry, PostgresRecording) {
    if isReadOnly { throw readOnlyError }
    if transactions.depth > 0 || pool.main.transactionStatus == .inTransaction && !isDryRun {
      throw StoreError(.openTransaction, path: path)
    }
    guard canRecord else { throw lacking("triggers that record what a save has changed") }
    guard let recording, let entry = try journalEntry(direction, recording) else {
      throw StoreError(.nothingTo(direction), path: path)
    }
    return (entry, recording)
  }

  /// The newest save that has changed something.
  private func journalEntry(
    _ direction: SaveDirection, _ recording: PostgresRecording
  ) throws -> PostgresReversal.Entry? {
    let books = recording.books
    let roles = direction == .redo ? "'redo'" : isBeingMade ? "'undo', '\(RecordingBooks.makingRole)'" : "'undo'"
    let result = try pool.run(
      """
      SELECT j.number, j.tx::text, extract(epoch FROM j.time)::float8, j.time::text, t.author, t.store FROM ( \
      SELECT * FROM \(raw: books.journal) ORDER BY number DESC LIMIT \(.int(Int64(RecordingBooks.savesKept)))) AS j \
      LEFT JOIN \(raw: books.transaction) AS t ON t.tx = j.tx WHERE j.role IN (\(raw: roles)) \
      AND EXISTS (SELECT 1 FROM \(raw: books.image) AS i WHERE i.tx = j.tx) ORDER BY j.number DESC LIMIT 1
      """)
    guard result.rowCount > 0 else { return nil }
    return PostgresReversal.Entry(
      number: result.int(0, 0), direction: direction, transaction: result.text(0, 1),
      time: Timestamp(result.double(0, 2)), timeText: result.text(0, 3),
      author: result.isNull(0, 4) ? nil : result.text(0, 4),
      isOwn: !result.isNull(0, 5) && result.text(0, 5) == recording.store)
  }

  /// Copies the record of the present transaction into the log, for the attributes that are derived from what SQL, or the undo of
  /// a save, has written in it.
  func logRecorded() throws {
    guard transactions.tellsRecord, derived != nil, let recording, recording.isComplete else { return }
    let number = try pool.run("SELECT pg_current_xact_id_if_assigned()::text")
    if number.isNull(0, 0) { return }
    let transaction = number.text(0, 0)
    guard let touched = try recorded(transaction, recording), !touched.tables.values.contains(where: \.isUnknown) else {
      // The rows are too many to be recorded one by one.
      try derived?.refreshAll(self)
      return
    }
    for table in touched.tables.values {
      guard let entity = table.entity else {
        for (values, isNew) in [(table.presentReferences, true), (table.formerReferences ?? [:], false)] {
          for (column, ends) in values {
            for end in ends { transactions.log.add(.pair(table: table.name, isNew: isNew, [column: end])) }
          }
        }
        continue
      }
      if !table.inserted.isEmpty { transactions.log.add(.inserted(entity, table.inserted)) }
      var updated = CommitLog.UpdatedRows([])
      // A row that comes back has no derived values, not even those of itself.
      updated.keys = table.updated + table.inserted
      if !updated.keys.isEmpty { transactions.log.add(.updated(entity, updated)) }
      for key in table.deleted { transactions.log.add(.deleted(entity, key, references: [:])) }
      // The rows to which any row referred before.
      for (column, values) in table.formerReferences ?? [:] {
        for value in values { transactions.log.add(.deleted(entity, .min, references: [column: value])) }
      }
    }
  }
}

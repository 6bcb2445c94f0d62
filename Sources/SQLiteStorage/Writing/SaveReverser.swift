import Glibc
import Modeling
import SQLite

/// Undoes saves, and reverts what was undone, by the journal.
struct SaveReverser {
  let store: SQLiteStore

  /// Undoes the last save in a transaction of its own; `.redo` reverts the last undo.
  ///
  /// Any transaction counts as a save: a context's, a batch request, an import, SQL. If it throws, nothing has changed.
  ///
  /// - Throws: StoreError: `.changedSince` with the rows that others changed, `.notUndoable`, `.nothingTo`.
  func reverse(_ direction: SaveDirection) throws -> ReversedSave {
    let (commits, journal) = try reversible(direction)
    // The setting cannot be changed within a transaction. Rows are written in an order that may violate foreign keys.
    let enforced = try store.connection.first("PRAGMA foreign_keys") == .int(1)
    if enforced { try store.connection.execute("PRAGMA foreign_keys = OFF") }
    defer { if enforced { try? store.connection.execute("PRAGMA foreign_keys = ON") } }
    return try store.transaction {
      let entry = try entry(direction, journal)
      let changes = try decoded(entry)
      var reversal = try checkedReversal(of: changes, direction, entry, commits)
      try store.measuringWork({ changes.rowCount }) { try reversal.apply() }
      var done = try reversal.complete()
      // If no other connection has written since, the restored state is known to be consistent.
      let isAmongOthers = entry.dataVersion != store.dataVersion
      // Of a save before this run it is not known who has written since: its rows are restored as they were.
      if isAmongOthers, entry.dataVersion != nil, try store.pairs.separatePlaces(of: done) {
        done = try reversal.done()
      }
      if enforced || isAmongOthers { try reversal.checkReferences(done) }
      commits.transactionReverses(direction, entry, done)
      return reversal.result
    }
  }

  private func reversible(_ direction: SaveDirection) throws -> (CommitRecorder, SaveJournal) {
    if store.isReadOnly { throw store.readOnlyError }
    guard let commits = store.commits, let journal = commits.journal else {
      throw StoreError(.nothingTo(direction), path: store.path)
    }
    if store.connection.isInTransaction { throw StoreError(.openTransaction, path: store.path) }
    return (commits, journal)
  }

  private func checkedReversal(
    of changes: ChangeSet, _ direction: SaveDirection, _ entry: JournalEntry, _ commits: CommitRecorder
  ) throws(StoreError) -> SaveReversal {
    let context = SaveReversal.Context(
      store.connection, commits.capture, path: store.path, runsTriggers: store.format.declaresSchema
    ) { entityName(of: $0, $1) }
    let reversal = try SaveReversal(changes, direction, time: entry.time, context)
    try reversal.check()
    return reversal
  }

  /// Returns the changes that `reverse` would revert.
  ///
  /// - Throws: StoreError, `.nothingTo` if there is no such save.
  func changes(_ direction: SaveDirection) throws -> ChangeSet {
    if store.isReadOnly { throw store.readOnlyError }
    guard let journal = store.commits?.journal else { throw StoreError(.nothingTo(direction), path: store.path) }
    return try decoded(try entry(direction, journal))
  }

  /// Returns the save that `reverse` would reverse, with the objects that it would write.
  ///
  /// - Throws: StoreError, as `reverse` does.
  func save(_ direction: SaveDirection) throws -> ReversibleSave {
    let (commits, journal) = try reversible(direction)
    return try store.connection.reading {
      let entry = try entry(direction, journal)
      let changes = try decoded(entry)
      _ = try checkedReversal(of: changes, direction, entry, commits)
      var save = ReversibleSave(
        time: Timestamp(entry.time), author: entry.author, isOwn: entry.process == Int64(getpid()))
      for (id, kind) in try objects(in: changes) {
        switch kind {
        case .inserted: save.deleted.append(id)
        case .updated: save.updated.append(id)
        case .deleted: save.inserted.append(id)
        }
      }
      return save
    }
  }

  private func entry(_ direction: SaveDirection, _ journal: SaveJournal) throws(StoreError) -> JournalEntry {
    guard let entry = try journal.newest(direction) else { throw StoreError(.nothingTo(direction), path: store.path) }
    let obstacle: UndoObstacle
    switch entry.role {
    case .undo, .redo: return entry
    case .tooLarge: obstacle = .tooLarge
    case .schema: obstacle = .schemaChanged(table: nil)
    case .virtualTable: obstacle = .virtualTable(String(decoding: entry.bytes, as: UTF8.self))
    case .failure: obstacle = .unreadable
    case .externalFiles: obstacle = .externalFiles
    }
    throw StoreError(.notUndoable(obstacle), path: store.path)
  }

  private func decoded(_ entry: JournalEntry) throws(StoreError) -> ChangeSet {
    if let changes = entry.changes { return changes }
    do throws(StoreError) {
      return try ChangeSet(encoded: entry.bytes) { store.commits?.capture.entity(ofTable: $0) }
    } catch {
      throw StoreError(error.fact, path: store.path)
    }
  }

  /// The entity name of a changed row: its exact entity if the image contains it, otherwise the table's.
  func entityName(of changes: TableChanges, _ image: [UInt8]) -> String {
    guard let entity = changes.entity else { return changes.name }
    guard let column = store.layout(of: entity).discriminator?.column,
      let index = changes.columns.firstIndex(of: column), !image.isEmpty
    else { return entity.name }
    var reader = ImageReader(image)
    for _ in 0..<index { _ = try? reader.pass() }
    guard case .string(let name)? = try? reader.value() else { return entity.name }
    return entity.family.contains { $0.name == name } ? name : entity.name
  }

  /// Returns the objects whose rows a save wrote.
  private func objects(in changes: ChangeSet) throws -> [(id: ObjectID, kind: RowChange.Kind)] {
    var objects: [(ObjectID, RowChange.Kind)] = []
    for table in changes.tables {
      guard let entity = table.entity else { continue }
      for row in try table.rows() {
        guard let key = try key(of: entity, from: row.key, table) else { continue }
        objects.append((ObjectID(entity: entity, key: key), row.kind))
      }
    }
    return objects
  }

  /// Returns the key of the object whose key columns have `values`.
  private func key(of entity: Entity, from values: [Value], _ table: TableChanges) throws -> Int64? {
    guard let interner = store.interner(of: entity) else {
      if case .int(let number)? = values.first { return number }
      return nil
    }
    let names = table.keyColumns.map(asciiLowercased)
    let wanted = store.layout(of: entity).key.columns.map(asciiLowercased)
    let ordered = wanted.compactMap { names.firstIndex(of: $0).map { values[$0] } }
    return ordered.count == wanted.count ? interner.number(of: ordered) : nil
  }
}

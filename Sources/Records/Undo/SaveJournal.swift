import Layouts
import Modeling
package import SQLite
package import StoreErrors

/// The undoable and redoable saves, newest last: in the file for our own stores, otherwise in memory, as the saves that make a
/// store are.
///
/// An entry contains the changes of one transaction, from which its inverse follows. It is written within that
/// transaction, so both are committed together. The number and size of entries are limited; the oldest are deleted
/// first.
package final class SaveJournal {
  package static let table = BookTables.journal
  /// The maximum number of saves.
  package static let saveLimit = 20
  /// The maximum size of all entries in bytes.
  package static let byteLimit = 32 << 20
  /// Surplus entries are deleted in batches of this size, before small entries need a second page.
  private static let trimInterval: Int64 = 4
  /// Entries larger than this are deleted earlier.
  private static let longSize = 64 << 10

  /// The pending change of the journal at the commit.
  package struct Update {
    package var entry: JournalEntry?
    package var removed: Int64?
    /// Whether redo entries are dropped, or all earlier entries.
    package var forgets: Forgetting = .nothing
    /// The data version seen by the transaction.
    package var dataVersion: Int64?

    package enum Forgetting {
      case nothing
      case redo
      case all
    }
  }

  private let connection: Connection
  private let isInFile: Bool
  /// Whether the table is known to exist.
  private var isMade = false
  /// Whether the transaction created it.
  private var isMaking = false
  /// Entries in memory.
  private var entries: [JournalEntry] = []
  private var pending: Update?
  /// The entry written by the transaction.
  private var written: Int64?
  /// The first entry of this run in the file, and the data version at that time.
  private var first: (number: Int64, dataVersion: Int64)?
  /// The data version at which the file was known to have no redo entries, and its pending value.
  private var versionWithoutRedo: Int64?
  private var nextVersionWithoutRedo: Int64?
  private var hasWritten = false

  package init(_ connection: Connection, isInFile: Bool) {
    self.connection = connection
    self.isInFile = isInFile
  }

  /// Returns the newest undo or redo entry; nil if there is none.
  package func newest(_ direction: SaveDirection) throws(StoreError) -> JournalEntry? {
    guard isInFile else { return entries.last { ($0.role == .redo) == (direction == .redo) } }
    guard try exists else { return nil }
    func sql(_ columns: String) -> String {
      """
      SELECT number, role, time, changes, \(columns) FROM main.\(Self.table)
      WHERE (role = '\(JournalEntry.Role.redo.rawValue)') = ? AND number >= coalesce(
        (SELECT number FROM main.\(Self.table) ORDER BY number DESC LIMIT 1 OFFSET \(Self.saveLimit - 1)), 0)
      ORDER BY number DESC LIMIT 1
      """
    }
    let hasAuthors = try knownSchema?.contains(Self.authorColumns[0]) == true
    let columns = hasAuthors ? "author, process" : "NULL, NULL"
    guard let row = try connection.all(sql(columns), [.bool(direction == .redo)]).first else { return nil }
    guard case .int(let number) = row[0], case .string(let name) = row[1], let role = JournalEntry.Role(rawValue: name)
    else { throw StoreError(.corrupt("\(Self.table) holds what is no save"), path: connection.path) }
    var entry = JournalEntry(role: role)
    entry.number = number
    if case .double(let seconds) = row[2] { entry.time = seconds }
    if case .data(let bytes) = row[3] { entry.bytes = bytes }
    if case .string(let author) = row[4] { entry.author = author }
    if case .int(let process) = row[5] { entry.process = process }
    if let first, number >= first.number { entry.dataVersion = first.dataVersion }
    return entry
  }

  /// Prepares for the end of a transaction.
  package func begin() {
    written = nil
    nextVersionWithoutRedo = nil
    hasWritten = false
  }

  /// Writes an update within the transaction; in memory it takes effect at `commit`.
  package func write(_ update: Update) throws(StoreError) {
    begin()
    guard isInFile else {
      pending = update
      return
    }
    // SQLite's counters must keep the values of the script's own statements.
    let rowID = connection.lastInsertedRowID
    defer { connection.lastInsertedRowID = rowID }
    isMaking = false
    if !isMade {
      let schema = try knownSchema
      if schema == nil, update.entry == nil { return }
      if let schema, schema.contains(Self.authorColumns[0]) { isMade = true } else { try make(isThere: schema != nil) }
    }
    do throws(StoreError) {
      try writeRows(update)
    } catch {
      // The table may have been dropped since.
      guard case .sql = error.fact, try !exists else { throw error }
      try make(isThere: false)
      try writeRows(update)
    }
  }

  /// Makes the update permanent after the commit.
  package func commit() {
    written = nil
    isMade = isMade || isMaking
    if hasWritten { versionWithoutRedo = nextVersionWithoutRedo }
    hasWritten = false
    guard let update = pending else { return }
    pending = nil
    switch update.forgets {
    case .nothing: break
    case .redo: entries.removeAll { $0.role == .redo }
    case .all: entries = []
    }
    entries.removeAll { $0.number == update.removed }
    guard var entry = update.entry else { return }
    entry.number = (entries.last?.number ?? 0) + 1
    entries.append(entry)
    let kept = Self.kept(entries.reversed().map(\.size))
    entries.removeFirst(entries.count - kept)
  }

  /// Reverts the update, because the transaction goes on or was rolled back.
  package func retract() throws(StoreError) {
    pending = nil
    guard let number = written else { return }
    written = nil
    guard connection.isInTransaction else { return }
    try connection.run("DELETE FROM main.\(Self.table) WHERE number = ?", [.int(number)])
  }

  // MARK: In the file

  /// Makes the table, or adds the columns that those of former versions lack.
  private func make(isThere: Bool) throws(StoreError) {
    if isThere {
      for column in Self.authorColumns { try connection.execute("ALTER TABLE main.\(Self.table) ADD COLUMN \(column)") }
    } else {
      let columns = ["number INTEGER PRIMARY KEY", "role TEXT", "time REAL", "changes BLOB"] + Self.authorColumns
      try connection.execute(
        "CREATE TABLE IF NOT EXISTS main.\(Self.table) (\(columns.joined(separator: ", ")))")
    }
    isMaking = true
  }

  private func writeRows(_ update: Update) throws(StoreError) {
    switch update.forgets {
    case .nothing: break
    case .redo: try deleteRedo(update.dataVersion)
    case .all:
      try connection.run("DELETE FROM main.\(Self.table) WHERE 1")
      nextVersionWithoutRedo = update.dataVersion
    }
    if let removed = update.removed {
      try connection.run("DELETE FROM main.\(Self.table) WHERE number = ?", [.int(removed)])
    }
    if let entry = update.entry { try insert(entry) }
    hasWritten = true
  }

  /// Deletes the redo entries, unless it is known that there are none because no other connection has written since.
  private func deleteRedo(_ version: Int64?) throws(StoreError) {
    nextVersionWithoutRedo = version
    if let version, version == versionWithoutRedo { return }
    try connection.run("DELETE FROM main.\(Self.table) WHERE role = ?", [.string(JournalEntry.Role.redo.rawValue)])
  }

  private static let authorColumns = ["author TEXT", "process INTEGER"]

  private var exists: Bool { get throws(StoreError) { try knownSchema != nil } }

  /// The statement that made the table; nil if there is none.
  private var knownSchema: String? {
    get throws(StoreError) {
      let found = try connection.first("SELECT sql FROM main.sqlite_schema WHERE name = ?", [.string(Self.table)])
      guard case .string(let sql)? = found else { return nil }
      return sql
    }
  }

  private func insert(_ entry: JournalEntry) throws(StoreError) {
    let statement = try connection.kept(.addToJournal)
    defer { statement.clearBindings() }
    try statement.bind(entry.role.rawValue, at: 1)
    try statement.bind(entry.time, at: 2)
    try statement.bind(entry.changes?.encoded() ?? entry.bytes, at: 3)
    if let author = entry.author { try statement.bind(author, at: 4) }
    if let process = entry.process { try statement.bind(process, at: 5) }
    _ = try statement.step()
    let number = connection.lastInsertedRowID
    written = number
    if first == nil, let version = entry.dataVersion { first = (number, version) }
    if entry.size > Self.longSize {
      try trim()
    } else if number % Self.trimInterval == 0 {
      // Small entries cannot exceed the total size.
      _ = try connection.kept(.trimJournal).step()
    }
  }

  /// Deletes surplus entries, oldest first.
  private func trim() throws(StoreError) {
    let sizes = try connection.all(
      "SELECT number, length(changes) FROM main.\(Self.table) ORDER BY number DESC")
    let kept = Self.kept(sizes.map { if case .int(let size) = $0[1] { Int(clamping: size) } else { 0 } })
    if kept < sizes.count {
      try connection.run("DELETE FROM main.\(Self.table) WHERE number <= ?", [sizes[kept][0]])
    }
  }

  /// Returns the number of the newest entries that may stay.
  private static func kept(_ sizes: [Int]) -> Int {
    var bytes = 0
    for (index, size) in sizes.enumerated() {
      bytes += min(size, byteLimit)
      if index > 0, index >= saveLimit || bytes > byteLimit { return index }
    }
    return sizes.count
  }
}

extension UsualStatement {
  /// Inserts a save that can be undone: its role, time and changes, and who made it.
  fileprivate static let addToJournal = UsualStatement(
    "INSERT INTO main.\(SaveJournal.table)(role, time, changes, author, process) VALUES (?, ?, ?, ?, ?)")
  /// Deletes surplus saves.
  fileprivate static let trimJournal = UsualStatement(
    """
    DELETE FROM main.\(SaveJournal.table) WHERE number <=
      (SELECT number FROM main.\(SaveJournal.table) ORDER BY number DESC LIMIT 1 OFFSET \(SaveJournal.saveLimit))
    """)
}

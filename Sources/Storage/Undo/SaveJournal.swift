import Modeling
import SQLite

/// The saves that can be undone and redone, the newest last: in the file for stores of our own, else in memory.
///
/// An entry is what one transaction changed, from which its inverse follows. It is written within that transaction, so
/// that the two are never apart. Entries and their bytes are bounded; the oldest go first.
final class SaveJournal {
  static let table = "_perilune_undo"
  /// How many saves are kept.
  static let saveLimit = 20
  /// How many bytes all of them may take.
  static let byteLimit = 32 << 20
  /// Entries that are too many are deleted a few at a time: seldom, but before small ones need a second page.
  private static let trimInterval: Int64 = 4
  /// Larger entries do not stay so long.
  private static let longSize = 64 << 10

  /// What is to become of the journal when the transaction commits.
  struct Update {
    var entry: JournalEntry?
    var removed: Int64?
    /// Whether saves that were undone can no longer be redone, or nothing from before can be undone.
    var forgets: Forgetting = .nothing
    /// The data version that the transaction sees.
    var dataVersion: Int64?

    enum Forgetting {
      case nothing
      case redo
      case all
    }
  }

  private let connection: Connection
  private let isInFile: Bool
  /// Whether the table is known to be there.
  private var isMade = false
  /// Whether the transaction has made it.
  private var isMaking = false
  /// Entries in memory.
  private var entries: [JournalEntry] = []
  private var pending: Update?
  /// The entry that the transaction has written.
  private var written: Int64?
  /// The data version at which the file was known to hold nothing that can be redone; what the transaction makes of it.
  private var versionWithoutRedo: Int64?
  private var nextVersionWithoutRedo: Int64?
  private var hasWritten = false

  init(_ connection: Connection, isInFile: Bool) {
    self.connection = connection
    self.isInFile = isInFile
  }

  /// The newest entry to be undone, or to be redone; nil where there is none.
  func newest(_ direction: SaveDirection) throws(StoreError) -> JournalEntry? {
    guard isInFile else { return entries.last { ($0.role == .redo) == (direction == .redo) } }
    guard try exists else { return nil }
    let sql = """
      SELECT number, role, time, changes FROM main.\(Self.table)
      WHERE (role = '\(JournalEntry.Role.redo.rawValue)') = ? AND number >= coalesce(
        (SELECT number FROM main.\(Self.table) ORDER BY number DESC LIMIT 1 OFFSET \(Self.saveLimit - 1)), 0)
      ORDER BY number DESC LIMIT 1
      """
    guard let row = try connection.all(sql, [.bool(direction == .redo)]).first else { return nil }
    guard case .int(let number) = row[0], case .string(let name) = row[1], let role = JournalEntry.Role(rawValue: name)
    else { throw StoreError(.corrupt("\(Self.table) holds what is no save"), path: connection.path) }
    var entry = JournalEntry(role: role)
    entry.number = number
    if case .double(let seconds) = row[2] { entry.time = seconds }
    if case .data(let bytes) = row[3] { entry.changes = bytes }
    return entry
  }

  /// A transaction is about to end: whatever was written before is that of others.
  func begin() {
    written = nil
    nextVersionWithoutRedo = nil
    hasWritten = false
  }

  /// Writes an update into the transaction; in memory it waits for `commit`.
  func write(_ update: Update) throws(StoreError) {
    begin()
    guard isInFile else {
      pending = update
      return
    }
    // What scripts ask SQLite afterwards shall be about their own statements.
    let rowID = connection.lastInsertedRowID
    defer { connection.lastInsertedRowID = rowID }
    isMaking = false
    if !isMade {
      isMade = try exists
      if !isMade {
        guard update.entry != nil else { return }
        try make()
      }
    }
    do throws(StoreError) {
      try writeRows(update)
    } catch {
      // Somebody may have dropped the table since.
      guard case .sql = error.fact, try !exists else { throw error }
      try make()
      try writeRows(update)
    }
  }

  /// The transaction has ended well.
  func commit() {
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
    let kept = Self.kept(entries.reversed().map(\.changes.count))
    entries.removeFirst(entries.count - kept)
  }

  /// The transaction goes on after all, or is gone: what was written last is taken back.
  func retract() throws(StoreError) {
    pending = nil
    guard let number = written else { return }
    written = nil
    guard connection.isInTransaction else { return }
    try connection.run("DELETE FROM main.\(Self.table) WHERE number = ?", [.int(number)])
  }

  // MARK: In the file

  private func make() throws(StoreError) {
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS main.\(Self.table) (number INTEGER PRIMARY KEY, role TEXT, time REAL, changes BLOB)")
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

  /// Deletes what can be redone, unless it is known that there is nothing: no other connection has written since.
  private func deleteRedo(_ version: Int64?) throws(StoreError) {
    nextVersionWithoutRedo = version
    if let version, version == versionWithoutRedo { return }
    try connection.run("DELETE FROM main.\(Self.table) WHERE role = ?", [.string(JournalEntry.Role.redo.rawValue)])
  }

  private var exists: Bool {
    get throws(StoreError) {
      try connection.first("SELECT 1 FROM main.sqlite_schema WHERE name = ?", [.string(Self.table)]) != nil
    }
  }

  private func insert(_ entry: JournalEntry) throws(StoreError) {
    let statement = try connection.kept(.addToJournal)
    defer { statement.clearBindings() }
    try statement.bind(entry.role.rawValue, at: 1)
    try statement.bind(entry.time, at: 2)
    try statement.bind(entry.changes, at: 3)
    _ = try statement.step()
    let number = connection.lastInsertedRowID
    written = number
    if entry.changes.count > Self.longSize {
      try trim()
    } else if number % Self.trimInterval == 0 {
      // Small ones do not add up to what all may take.
      _ = try connection.kept(.trimJournal).step()
    }
  }

  /// Deletes the oldest entries where there are too many.
  private func trim() throws(StoreError) {
    let sizes = try connection.all(
      "SELECT number, length(changes) FROM main.\(Self.table) ORDER BY number DESC")
    let kept = Self.kept(sizes.map { if case .int(let size) = $0[1] { Int(clamping: size) } else { 0 } })
    if kept < sizes.count {
      try connection.run("DELETE FROM main.\(Self.table) WHERE number <= ?", [sizes[kept][0]])
    }
  }

  /// How many of the entries may stay, the newest first.
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
  /// Adds a save to those that can be undone: its role, time and changes.
  fileprivate static let addToJournal = UsualStatement(
    "INSERT INTO main.\(SaveJournal.table)(role, time, changes) VALUES (?, ?, ?)")
  /// Deletes the saves that are too many.
  fileprivate static let trimJournal = UsualStatement(
    """
    DELETE FROM main.\(SaveJournal.table) WHERE number <=
      (SELECT number FROM main.\(SaveJournal.table) ORDER BY number DESC LIMIT 1 OFFSET \(SaveJournal.saveLimit))
    """)
}

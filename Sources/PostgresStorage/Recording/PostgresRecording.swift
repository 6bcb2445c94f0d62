internal import Foundation
import Layouts
import Modeling
import Postgres
import StoreErrors
import Stores

/// The recording of a database: what it records of its own changes, as far as it is known here.
final class PostgresRecording {
  let books: RecordingBooks
  /// What the numbers in the records mean, and whether a history is kept.
  private(set) var names: HistoryNames
  /// The name of the store in its records, so that its own commits are not taken for remote ones.
  let store = UUID.random().uuidString
  /// The tables whose rows are recorded one by one, by name in lower case.
  private(set) var tableNames: Set<String>
  /// Whether all tables of the model are recorded, so that an empty record means no change.
  private(set) var isComplete: Bool
  /// Whether saves write the record themselves, because the server has no such triggers.
  let isWrittenBySaves: Bool
  /// The number of this process.
  let process = Int64(ProcessInfo.processInfo.processIdentifier)
  /// Changes whenever recorded changes were deleted.
  var cut: String?

  /// The keys of the history's metadata.
  enum Entry {
    static let names = "names"
    static let isOn = "on"
    static let triggers = "triggers"
    static let last = "last"
    static let gap = "gap"
    static let cut = "cut"
    static let isWrittenBySaves = "saves"
  }

  private init(
    _ books: RecordingBooks, _ names: HistoryNames, _ triggers: RecordingTriggers, isComplete: Bool,
    isWrittenBySaves: Bool, cut: String?
  ) {
    (self.books, self.names, tableNames, self.isComplete) = (books, names, triggers.tableNames, isComplete)
    (self.isWrittenBySaves, self.cut) = (isWrittenBySaves, cut)
  }

  /// Finds out what a database records; nil for nothing.
  static func find(_ pool: PostgresPool, _ tables: RecordedTables) throws -> PostgresRecording? {
    let found = try pool.run(
      """
      SELECT n.nspname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
      WHERE c.relname = \(.untyped(BookTables.change)) AND pg_table_is_visible(c.oid)
      """)
    guard found.rowCount > 0 else { return nil }
    let books = RecordingBooks(schema: found.text(0, 0), pool.profile)
    let entries = try Self.entries(pool, books)
    guard let names = entries[Entry.names].flatMap({ HistoryNames(encoded: $0) }) else { return nil }
    let triggers = tables.triggers(books, names)
    if entries[Entry.isWrittenBySaves] != nil {
      return PostgresRecording(
        books, names, triggers, isComplete: false, isWrittenBySaves: true, cut: entries[Entry.cut])
    }
    let present = try pool.run(
      """
      SELECT count(*) FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid \
      JOIN pg_namespace AS n ON n.oid = p.pronamespace \
      WHERE n.nspname = \(.untyped(books.schema)) AND starts_with(p.proname, \(.untyped(RecordingTriggers.prefix))) \
      AND t.tgenabled <> 'D'
      """
    ).int(0, 0)
    let isCurrent =
      entries[Entry.triggers] == RecordingTriggers.mark(triggers.statements) && present == Int64(triggers.count)
    return PostgresRecording(
      books, names, triggers, isComplete: isCurrent, isWrittenBySaves: false, cut: entries[Entry.cut])
  }

  private static func entries(_ pool: PostgresPool, _ books: RecordingBooks) throws -> [String: String] {
    let rows = try pool.run("SELECT key, value FROM \(raw: books.history)")
    var entries: [String: String] = [:]
    for row in 0..<rows.rowCount { entries[rows.text(row, 0)] = rows.text(row, 1) }
    return entries
  }

  /// Begins to record, within the caller's transaction.
  static func make(
    _ pool: PostgresPool, _ tables: RecordedTables, _ names: HistoryNames, bySaves: Bool
  ) throws -> PostgresRecording {
    let books = RecordingBooks(schema: try pool.run("SELECT current_schema()").text(0, 0), pool.profile)
    for statement in books.tables + (bySaves ? [] : books.functions) { _ = try pool.run(PostgresSQL(raw: statement)) }
    if bySaves { try put(pool, books, Entry.isWrittenBySaves, "true") }
    try write(pool, books, tables, names, bySaves: bySaves)
    return PostgresRecording(
      books, names, tables.triggers(books, names), isComplete: !bySaves, isWrittenBySaves: bySaves,
      cut: try entries(pool, books)[Entry.cut])
  }

  /// Makes the present functions and triggers, in place of the existing ones.
  static func write(
    _ pool: PostgresPool, _ books: RecordingBooks, _ tables: RecordedTables, _ names: HistoryNames,
    bySaves: Bool = false
  ) throws {
    let triggers = tables.triggers(books, names)
    if !bySaves {
      try drop(pool, books)
      for statement in triggers.statements { _ = try pool.run(PostgresSQL(raw: statement)) }
    }
    try put(pool, books, Entry.names, names.encoded)
    try put(pool, books, Entry.triggers, RecordingTriggers.mark(triggers.statements))
    if names.isOn {
      try put(pool, books, Entry.isOn, "true")
    } else {
      _ = try pool.run("DELETE FROM \(raw: books.history) WHERE key = \(.text(Entry.isOn))")
    }
  }

  /// Drops the functions of all triggers, and the triggers with them.
  static func drop(_ pool: PostgresPool, _ books: RecordingBooks) throws {
    let functions = try pool.run(
      """
      SELECT p.oid::regprocedure::text FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace \
      WHERE n.nspname = \(.untyped(books.schema)) AND starts_with(p.proname, \(.untyped(RecordingTriggers.prefix)))
      """)
    for row in 0..<functions.rowCount { _ = try pool.run("DROP FUNCTION \(raw: functions.text(row, 0)) CASCADE") }
  }

  static func put(_ pool: PostgresPool, _ books: RecordingBooks, _ key: String, _ value: String) throws {
    _ = try pool.run(
      """
      INSERT INTO \(raw: books.history) VALUES (\(.text(key)), \(.text(value))) \
      ON CONFLICT (key) DO UPDATE SET value = excluded.value
      """)
  }

  /// Renews the triggers where the model, or a newer version of this program, wants others; within the caller's transaction.
  func renew(_ pool: PostgresPool, _ tables: RecordedTables, names: HistoryNames? = nil) throws {
    let names = names ?? self.names
    if !isWrittenBySaves {
      for statement in books.tables + books.functions { _ = try pool.run(PostgresSQL(raw: statement)) }
    }
    try Self.write(pool, books, tables, names, bySaves: isWrittenBySaves)
    self.names = names
    tableNames = tables.triggers(books, names).tableNames
    isComplete = !isWrittenBySaves
  }

  /// The setting by which a transaction of the store names itself to the triggers; `isMaking` if it belongs to the making
  /// of the store.
  func writer(
    _ info: TransactionInfo, reversing entry: PostgresReversal.Entry?, isMaking: Bool
  ) -> PostgresArgument {
    var fields: [String: JSON] = [
      "store": .string(store), "process": .int(process),
    ]
    if let author = info.author { fields["author"] = .string(author) }
    if let context = info.contextName { fields["context"] = .string(context) }
    if isMaking { fields["role"] = .string(RecordingBooks.makingRole) }
    if let entry {
      let role = isMaking ? RecordingBooks.makingRole : "undo"
      fields["role"] = .string(entry.direction == .undo ? "redo" : role)
      fields["reverses"] = .bool(true)
      fields["time"] = .string(entry.timeText)
    }
    return .text(JSON.object(fields).text)
  }
}

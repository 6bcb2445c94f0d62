package import Layouts
import Modeling
package import SQLite
package import StoreErrors
package import Stores

/// Switches a store's history on and off in the file, within the caller's transaction.
package struct HistorySwitch {
  package let connection: Connection

  package init(_ connection: Connection) { self.connection = connection }

  /// The names of the history; nil if there never was one.
  package func names() throws(StoreError) -> HistoryNames? {
    let sql = "SELECT value FROM \(BookTables.metadata) WHERE key = ?"
    guard let value = try connection.first(sql, [.string(HistoryNames.metadataKey)]) else { return nil }
    guard case .string(let text) = value, let names = HistoryNames(encoded: text) else {
      throw StoreError(.corrupt("the history in \(BookTables.metadata) cannot be read"), path: connection.path)
    }
    return names
  }

  /// Begins to record changes.
  package func turnOn(_ layout: ModelLayout) throws(StoreError) {
    let known = try names()
    var names = known ?? HistoryNames(layout.model)
    guard !names.isOn else { return }
    names.isOn = true
    for statement in HistoryTables.statements { try connection.execute(statement) }
    // Changes made while it was off are unknown.
    if known != nil { try markGap(nil) }
    try makeTriggers(layout, names)
    try write(names)
  }

  /// Stops recording. Recorded changes stay.
  package func turnOff() throws(StoreError) {
    guard var names = try names(), names.isOn else { return }
    names.isOn = false
    try dropTriggers()
    try write(names)
  }

  /// Records that changes are missing before a number, or before the next one. The number stays in use, so that later
  /// ones are greater even if all changes are deleted.
  package func markGap(_ number: Int64?) throws(StoreError) {
    try connection.run(
      "INSERT INTO \(HistoryTables.change) (id, kind) VALUES (?, ?)",
      [number.map(Value.int) ?? .null, .int(RecordedKind.gap)])
    try connection.run(
      "INSERT OR REPLACE INTO \(BookTables.metadata) VALUES (?, ?)",
      [.string(HistoryTables.gapKey), .int(number ?? connection.lastInsertedRowID)])
  }

  /// Whether the present triggers differ from those that would be created now.
  package func isOutdated(_ layout: ModelLayout) throws(StoreError) -> Bool {
    guard let names = try names(), names.isOn else { return false }
    return try triggers() != Set(HistoryTriggers(layout, names).all.map { [.string($0.name), .string($0.sql)] })
  }

  /// Replaces the triggers by those that would be created now.
  package func renew(_ layout: ModelLayout) throws(StoreError) {
    guard let names = try names(), names.isOn else { return }
    try dropTriggers()
    try makeTriggers(layout, names)
  }

  /// The names and texts of the recording triggers.
  private func triggers() throws(StoreError) -> Set<[Value]> {
    let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ?) = ?"
    let prefix = HistoryTriggers.prefix
    return Set(try connection.all(sql, [.int(Int64(prefix.utf8.count)), .string(prefix)]))
  }

  /// Creates the recording triggers.
  package func makeTriggers(_ layout: ModelLayout, _ names: HistoryNames) throws(StoreError) {
    for trigger in HistoryTriggers(layout, names).all { try connection.execute(trigger.sql) }
  }

  /// Drops the recording triggers, which does not count as changing data.
  package func dropTriggers() throws(StoreError) {
    for row in try triggers() {
      if case .string(let name) = row[0] { try connection.execute("DROP TRIGGER \(quoteIdentifier(name))") }
    }
  }

  /// Keeps the names in the file.
  package func write(_ names: HistoryNames) throws(StoreError) {
    try connection.run(
      "INSERT OR REPLACE INTO \(BookTables.metadata) VALUES (?, ?)",
      [.string(HistoryNames.metadataKey), .string(names.encoded)])
  }
}

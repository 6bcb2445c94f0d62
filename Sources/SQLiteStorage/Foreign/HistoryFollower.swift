import Modeling
import SQLite

/// Reads from a store's history which rows others have touched since the last check.
///
/// It remembers the last change read, and skips the connection's own changes by their numbers.
final class HistoryFollower {
  private unowned let store: SQLiteStore
  private var schema = SchemaMark()
  private var places = HistoryPlaces()
  /// Whether all changes are recorded.
  private(set) var isOn = false
  /// Whether the history also records former owners of rows, which earlier versions did not.
  private var tellsOwners = false
  /// The last change read, and its time if known.
  private var last: Int64 = 0
  private var lastTime: Double?
  /// Follows a history in another format; nil if there is none.
  private let foreign: ForeignHistory?

  /// The maximum number of changes that are reported individually.
  static let limit = 250_000

  private var connection: Connection { store.connection }

  /// Begins after the changes that are already recorded.
  init(_ store: SQLiteStore) throws {
    self.store = store
    foreign = try store.format.foreignHistory(of: store)
    _ = try schema.look(store.connection)
    guard store.format.keepsOurBooks else { return }
    store.recorder.keepsRanges = true
    try readNames()
    try restart()
  }

  /// Adds the rows that others have touched; returns false without a history.
  func read(into rows: inout TouchedRows) throws(StoreError) -> Bool {
    let wasOn = isOn
    if case let change = try schema.look(connection), change != .none {
      if change == .tables { rows.isComplete = false }
      if store.format.keepsOurBooks { try readNames() }
    }
    if let foreign { return try foreign(&rows) }
    if wasOn, isOn, try isUnbroken() {
      try readChanges(&rows)
      return true
    }
    // Changes made while the history was off, and purged changes, are unknown.
    if wasOn || isOn { rows.isComplete = false }
    try restart()
    return wasOn || isOn
  }

  // MARK: Where it stands

  private func readNames() throws(StoreError) {
    isOn = false
    guard let names = try HistorySwitch(connection).names(), names.isOn else { return }
    places = HistoryPlaces(names, store)
    let wanted = HistoryTriggers(ModelLayout(layoutsOf: store.model), names).all.map(\.name)
    let rows = try connection.all("SELECT name FROM main.sqlite_schema WHERE type = 'trigger'")
    let present = Set(rows.map { $0[0] })
    let missing = wanted.filter { !present.contains(.string($0)) }
    tellsOwners = missing.isEmpty
    isOn = missing.allSatisfy { $0.hasPrefix(HistoryTriggers.touchPrefix) }
  }

  /// Continues after the last recorded change.
  private func restart() throws(StoreError) {
    _ = store.recorder.takeCommitted()
    (last, lastTime) = (0, nil)
    guard isOn else { return }
    let sql = "SELECT id, time FROM \(HistoryTables.change) ORDER BY id DESC LIMIT 1"
    try connection.with(sql) { statement throws(StoreError) in
      if try statement.step() { (last, lastTime) = (statement.integer(0), Self.time(statement, 1)) }
    }
  }

  /// Whether the last change read is still present. If not, later changes were purged, or the file is an older state of
  /// the store, restored from a copy.
  private func isUnbroken() throws(StoreError) -> Bool {
    if last == 0 { return true }
    let sql = "SELECT time, kind FROM \(HistoryTables.change) WHERE id = ?"
    return try connection.with(sql, [.int(last)]) { statement throws(StoreError) in
      guard try statement.step() else { return false }
      if statement.integer(1) == RecordedKind.gap { return true }
      return lastTime.map { $0 == Self.time(statement, 0) } ?? true
    }
  }

  // MARK: What it tells

  private func readChanges(_ rows: inout TouchedRows) throws(StoreError) {
    var reading = Reading(collector: TouchCollector(places, tellsOwners: tellsOwners))
    for own in store.recorder.takeCommitted() where own.upperBound > last {
      if own.lowerBound > last, let others = ClosedRange(from: last +| 1, through: own.lowerBound -| 1) {
        try read(others, &reading)
      }
      (last, lastTime) = (own.upperBound, nil)
    }
    // No change can have a greater number than the largest integer.
    if last < .max { try read(last + 1...Int64.max, &reading) }
    try reading.collector.finish(&rows) { table, key throws(StoreError) in
      let sql = "SELECT 1 FROM main.\(quotedName(table)) WHERE \(HistoryTriggers.key) = ?"
      return try connection.first(sql, [.int(key)]) != nil
    }
    if reading.isBroken {
      rows.isComplete = false
      try restart()
    }
    if reading.authors.count == 1, reading.attributedCount >= reading.count {
      rows.author = reading.authors.first ?? nil
    }
  }

  private struct Reading {
    var collector: TouchCollector
    var count: Int64 = 0
    var isBroken = false
    var authors: Set<String?> = []
    var attributedCount: Int64 = 0
  }

  private func read(_ range: ClosedRange<Int64>, _ reading: inout Reading) throws(StoreError) {
    let before = reading.count
    try readRows(range, &reading)
    guard reading.count > before else { return }
    let sql = "SELECT author, last - first + 1 FROM \(HistoryTables.transaction) WHERE first BETWEEN ? AND ?"
    try connection.with(sql, [.int(range.lowerBound), .int(range.upperBound)]) { statement throws(StoreError) in
      while try statement.step() {
        reading.authors.insert(statement.storageClass(0) == .null ? nil : statement.text(0))
        reading.attributedCount = reading.attributedCount +| statement.integer(1)
      }
    }
  }

  private func readRows(_ range: ClosedRange<Int64>, _ reading: inout Reading) throws(StoreError) {
    let sql = "SELECT id, time, entity, key, kind, properties FROM \(HistoryTables.change) WHERE id BETWEEN ? AND ?"
    try connection.with(sql, [.int(range.lowerBound), .int(range.upperBound)]) { statement throws(StoreError) in
      while try statement.step() {
        reading.count += 1
        (last, lastTime) = (statement.integer(0), Self.time(statement, 1))
        if statement.integer(4) == RecordedKind.gap || reading.count > Self.limit {
          reading.isBroken = true
          return
        }
        reading.collector.add(statement)
      }
    }
  }

  private static func time(_ statement: Statement, _ column: Int) -> Double? {
    statement.storageClass(column) == .real ? statement.real(column) : nil
  }
}

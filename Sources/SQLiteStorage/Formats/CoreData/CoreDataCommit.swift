import Modeling
import SQLite

/// Writes the bookkeeping of a Core Data store before a transaction commits: versions, places in ordered relationships,
/// and the history.
///
/// It is derived from the rows that the transaction changed in the file, whether by objects, pairs, batches or SQL.
struct CoreDataCommit {
  let store: SQLiteStore
  let coreData: CoreDataStore
  let changes: ChangeSet

  var connection: Connection { store.connection }

  /// The changes of an object.
  struct Touched {
    var kind: HistoryChange.Kind
    /// The columns of the object's own row whose values changed, in lower case.
    var columns: Set<String> = []
    /// The object's relationships that changed in other rows.
    var relationships: Set<String> = []
    /// For a deleted object, its row's former values, by column in lower case.
    var row: [String: Value] = [:]
    var isVersioned = false
  }

  /// The changed objects, by root entity and key.
  var touched: [Entity: [Int64: Touched]] = [:]
  /// The names of external files to which rows no longer refer.
  var released: Set<String> = []

  init(_ store: SQLiteStore, _ coreData: CoreDataStore, _ changes: ChangeSet) {
    self.store = store
    self.coreData = coreData
    self.changes = changes
  }

  /// Writes the bookkeeping; returns whether it changed columns of objects other than their versions.
  mutating func write() throws -> Bool {
    guard changes.isComplete else {
      throw StoreError(.coreDataNotWritable(.unknownChanges), path: store.path)
    }
    let hasPlaced = try writeOrders()
    for table in changes.tables {
      if let root = coreData.links.rootOfTable[asciiLowercased(table.name)] {
        try collect(table, root)
      } else if let pairs = coreData.links.pairs[asciiLowercased(table.name)] {
        try collect(table, pairs)
      }
    }
    try collectOwnersOfInserted()
    try writeVersions()
    try writeHighestKeys()
    try CoreDataHistoryWriter(self).write()
    try releaseFiles()
    return hasPlaced
  }

  /// Calls `body` with each record of a table's changes.
  func forEach(_ table: TableChanges, _ body: (ChangeRecord) throws -> Void) throws {
    var records = ChangeRecords(table.bytes, of: table.table)
    while let record = try records.next() { try body(record) }
  }

  /// Returns ascending keys as ranges without gaps.
  func runs(_ keys: some Sequence<Int64>) -> [ClosedRange<Int64>] {
    var runs: [ClosedRange<Int64>] = []
    for key in keys.sorted() {
      if let last = runs.last, last.upperBound < .max, last.upperBound + 1 == key {
        runs[runs.count - 1] = last.lowerBound...key
      } else {
        runs.append(key...key)
      }
    }
    return runs
  }

  // MARK: Versions and keys

  /// Increments the version of each changed object.
  private func writeVersions() throws {
    for (entity, table) in coreData.links.roots {
      let name = quotedName(table)
      let known = touched[entity] ?? [:]
      let inserted = known.lazy.filter { $0.value.kind == .insert }.map(\.key)
      for run in runs(inserted) {
        try connection.run(
          "UPDATE \(name) SET Z_OPT = 1 WHERE Z_PK BETWEEN ? AND ? AND Z_OPT IS NULL",
          [.int(run.lowerBound), .int(run.upperBound)])
      }
      let updated = known.lazy.filter { $0.value.kind == .update && !$0.value.isVersioned }.map(\.key)
      for run in runs(updated) {
        try connection.run(
          "UPDATE \(name) SET Z_OPT = coalesce(Z_OPT, 0) + 1 WHERE Z_PK BETWEEN ? AND ?",
          [.int(run.lowerBound), .int(run.upperBound)])
      }
    }
  }

  /// Writes the highest keys, including those that the caller chose, so that no key is reused.
  private func writeHighestKeys() throws {
    for (entity, table) in coreData.links.roots
    where touched[entity]?.contains(where: { $0.value.kind == .insert }) == true {
      try connection.run(
        """
        UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM \(quotedName(table)))
        WHERE Z_ENT = ? AND coalesce(Z_MAX, 0) < (SELECT max(Z_PK) FROM \(quotedName(table)))
        """, [.int(coreData.rootNumber(of: entity))])
    }
  }

  // MARK: Files

  /// Marks the files to which no row refers any more for removal after the commit.
  private func releaseFiles() throws {
    let candidates = released.union(coreData.externalFiles.fresh)
    guard !candidates.isEmpty else { return }
    let columns = coreData.externalColumns
    var retired: Set<String> = []
    for name in candidates {
      let marker = Value.data([2] + Array(name.utf8) + [0])
      let isNamed = try columns.contains { table, column in
        try connection.first(
          "SELECT 1 FROM \(quotedName(table)) WHERE \(quotedName(column)) = ? LIMIT 1", [marker]) != nil
      }
      if !isNamed { retired.insert(name) }
    }
    coreData.externalFiles.retire(retired)
  }
}

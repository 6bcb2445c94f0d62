internal import CSQLite
import Glibc
import Modeling
import SQLite

/// Collects what each transaction of a store's connection changes, by one preupdate hook of SQLite's.
///
/// The hook notes keys and the first old row of each; what really changed is found at the commit, when the rows are
/// looked at. Never a session object on this connection: it takes the same hook.
final class ChangeCapture {
  /// What the store knows of a table.
  struct TableNames {
    var entity: Entity?
    /// Columns that triggers of ours keep, in lower case.
    var computed: Set<String> = []
  }

  /// Why a transaction's changes cannot be told one by one.
  enum Loss {
    case tooLarge
    case schema
    case virtualTable(String)
    case failure
    case externalFiles
  }

  /// Tables whose rows are no changes of anybody's, in lower case.
  var ignoredTables: Set<String> = []
  /// Whether a transaction is followed however much it writes.
  var isUnlimited = false

  /// A transaction that touches more rows is not recorded.
  static let rowLimit = 100_000
  /// Nor one that needs more bytes for old rows.
  static let byteLimit = 16 << 20

  private let connection: Connection
  private let names: [String: TableNames]
  /// Whether an entity's table is called as tables of ours are that keep records.
  private let hasEntityAmongRecords: Bool
  private var shapes: [String: TableShape?] = [:]
  private var tables: [String: CapturedTable?] = [:]
  /// The table that was touched last, by SQLite's own name for it.
  private var lastName: [CChar] = []
  private var lastTable: CapturedTable?
  private var rowCount = 0
  private var byteCount = 0
  private var hasStarted = false
  /// Whether the transaction was undone.
  private var isAbandoned = false
  private(set) var loss: Loss?
  private var schemaVersion: Int64?
  private var schemaText: Value?

  /// Watches `connection`; `names` tells by tables' names in lower case what the model makes of them.
  init(_ connection: Connection, names: [String: TableNames]) {
    self.connection = connection
    self.names = names
    hasEntityAmongRecords = names.keys.contains { $0.hasPrefix(StoreMetadata.table) }
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = sqlite3_preupdate_hook(
      connection.handle,
      { context, database, operation, schema, table, old, new in
        guard let context, let schema, let table, strcmp(schema, "main") == 0 else { return }
        Unmanaged<ChangeCapture>.fromOpaque(context).takeUnretainedValue().note(operation, database, table, old, new)
      }, context)
    _ = sqlite3_rollback_hook(
      connection.handle,
      { context in
        guard let context else { return }
        // Statements are ended later: SQLite is in the middle of something.
        Unmanaged<ChangeCapture>.fromOpaque(context).takeUnretainedValue().isAbandoned = true
      }, context)
  }

  /// Ends the watch.
  func stop() {
    guard let handle = connection.handle else { return }
    _ = sqlite3_preupdate_hook(handle, nil, nil)
    _ = sqlite3_rollback_hook(handle, nil, nil)
    clear()
    // They hold statements.
    tables = [:]
  }

  /// Whether the transaction touched any row.
  var isEmpty: Bool { !hasStarted || isAbandoned }

  /// Forgets everything: a transaction has ended.
  func clear() {
    // A schema that was undone had a number that another may have later.
    if isAbandoned { schemaVersion = nil }
    isAbandoned = false
    guard hasStarted else { return }
    for table in tables.values { table?.clear() }
    lastName = []
    lastTable = nil
    (rowCount, byteCount) = (0, 0)
    hasStarted = false
    loss = nil
  }

  /// What the transaction has changed so far.
  ///
  /// - Throws: StoreError.
  func changes() throws(StoreError) -> ChangeSet {
    var changes = ChangeSet()
    if isEmpty { return changes }
    if loss == nil { try checkSchema() }
    guard loss == nil else {
      changes.isComplete = false
      return changes
    }
    do throws(StoreError) {
      changes.tables = try folded()
    } catch {
      guard error.fact == .notUndoable(.tooLarge) else { throw error }
      loss = .tooLarge
      changes.isComplete = false
    }
    return changes
  }

  private func folded() throws(StoreError) -> [TableChanges] {
    var size = 0
    var folded: [TableChanges] = []
    for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
      guard let table, !table.isClear else { continue }
      if let changed = try table.changes(entity: entity(ofTable: name), size: &size) { folded.append(changed) }
      if size > Self.byteLimit, !isUnlimited { throw StoreError(.notUndoable(.tooLarge)) }
    }
    return folded
  }

  /// The shape of a table as it is now; nil where its rows cannot be told apart.
  func shape(of name: String) throws(StoreError) -> TableShape? {
    let computed = names[asciiLowercased(name)]?.computed ?? []
    return try TableShape(name, connection) { computed.contains(asciiLowercased($0)) }
  }

  /// The root entity whose rows a table keeps.
  func entity(ofTable name: String) -> Entity? { names[asciiLowercased(name)]?.entity }
}

// MARK: The hook

extension ChangeCapture {
  private func note(
    _ operation: Int32, _ database: OpaquePointer?, _ name: UnsafePointer<CChar>, _ old: Int64, _ new: Int64
  ) {
    if isAbandoned { clear() }
    if loss != nil || (!hasEntityAmongRecords && Self.keepsRecords(name)) { return }
    do throws(StoreError) {
      let isLast =
        !lastName.isEmpty
        && lastName.withUnsafeBufferPointer { last in last.baseAddress.map { strcmp(name, $0) == 0 } ?? false }
      guard let table = isLast ? lastTable : try self.table(name) else { return }
      let size = table.byteCount
      rowCount += try table.note(operation, database, old, new)
      byteCount += table.byteCount - size
      if !isUnlimited, rowCount > Self.rowLimit || byteCount > Self.byteLimit { lose(.tooLarge) }
    } catch {
      lose(error.fact == .notUndoable(.tooLarge) ? .tooLarge : .failure)
    }
  }

  private func lose(_ loss: Loss) {
    self.loss = loss
    for table in tables.values { table?.clear() }
  }

  /// Whether a table of ours keeps records, so that its rows are nobody's changes.
  private static func keepsRecords(_ name: UnsafePointer<CChar>) -> Bool {
    strncmp(name, StoreMetadata.table, StoreMetadata.table.utf8.count) == 0
  }

  /// Where the changes of a table are noted; nil for tables of ours that keep records.
  private func table(_ name: UnsafePointer<CChar>) throws(StoreError) -> CapturedTable? {
    let text = String(cString: name)
    let isInternal =
      (text.hasPrefix(StoreMetadata.table) || ignoredTables.contains(asciiLowercased(text)))
      && names[asciiLowercased(text)] == nil
    if !hasStarted, !isInternal {
      hasStarted = true
      try readSchema()
    }
    let table: CapturedTable?
    if let known = tables[text] {
      table = known
    } else if isInternal {
      table = nil
    } else {
      if shapes[text] == nil { shapes.updateValue(try shape(of: text), forKey: text) }
      guard let shape = shapes[text] ?? nil else {
        lose(.virtualTable(text))
        return nil
      }
      table = CapturedTable(shape, connection)
    }
    tables.updateValue(table, forKey: text)
    lastName = Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
    lastTable = table
    return table
  }

  /// Forgets the shapes of tables if somebody changed the schema since they were read.
  private func readSchema() throws(StoreError) {
    let version = try connection.number(.schemaVersion)
    guard version != schemaVersion else { return }
    schemaVersion = version
    schemaText = try tablesText()
    shapes = [:]
    tables = [:]
  }

  /// Finds out whether the transaction changed a table itself; indexes may come and go.
  private func checkSchema() throws(StoreError) {
    let version = try connection.number(.schemaVersion)
    guard version != schemaVersion else { return }
    if try tablesText() != schemaText { lose(.schema) }
  }

  private func tablesText() throws(StoreError) -> Value? {
    try connection.first(
      """
      SELECT group_concat(sql, ';') FROM (SELECT sql FROM main.sqlite_schema WHERE type = 'table'
        AND name NOT LIKE '\\_perilune%' ESCAPE '\\' ORDER BY name)
      """)
  }
}

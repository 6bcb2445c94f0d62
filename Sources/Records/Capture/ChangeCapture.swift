internal import CSQLite
import Glibc
package import Modeling
package import SQLite
package import StoreErrors

/// Records what each transaction of a store's connection changes, through SQLite's preupdate hook.
///
/// The cycle of a transaction:
///
/// 1. The hook calls `note` for each row that is written. Its key and first old image go into a `CapturedTable`; the
///   limits on rows and bytes are checked. A recorded row is only a candidate: it may be written back.
/// 2. At the commit `changes()` reads the present rows, and keeps those that differ from their old images.
/// 3. After the commit, or at the beginning of the next transaction, `clear` empties the tables. A rollback only sets
///    `isAbandoned`, because statements must not be finalised within SQLite's hook; the next call of `note` clears.
///
/// `loss` says why the changes of a transaction are unknown; it lasts until `clear`. The rows of a virtual table that no
/// entity uses, such as a full-text index that triggers keep, are left out, and `barrier` says that the transaction
/// cannot be undone. The shapes of tables outlive
/// transactions and are discarded when the schema's version changes. The session extension must not be used on this
/// connection, because it takes the same hook.
package final class ChangeCapture {
  /// The model's information about a table.
  package struct TableNames {
    package var entity: Entity?
    /// Columns maintained by our triggers, in lower case.
    package var computed: Set<String> = []

    package init() {}
  }

  /// Why a transaction's changes are not known in detail.
  package enum Loss {
    case tooLarge
    case schema
    case virtualTable(String)
    case failure
    case externalFiles
  }

  /// Internal tables, whose changes are not recorded, in lower case.
  package var ignoredTables: Set<String> = []
  /// Whether the limits on rows and bytes are ignored.
  package var isUnlimited = false

  /// The name prefix of our internal tables. A constant of this file, because the hook compares it.
  private static let internalPrefix = "_perilune"
  /// The maximum number of recorded rows of a transaction.
  package static let rowLimit = 100_000
  /// The maximum number of bytes of old rows.
  package static let byteLimit = 16 << 20

  private let connection: Connection
  private let names: [String: TableNames]
  /// Whether an entity's table has the name prefix of our internal tables.
  private let hasEntityAmongRecords: Bool
  private var shapes: [String: TableShape?] = [:]
  private var tables: [String: CapturedTable?] = [:]
  /// The virtual tables that no entity uses, by the tables of their content.
  private var virtualTables: [String: String] = [:]
  /// The name of the last touched table, as SQLite gave it.
  private var lastName: [CChar] = []
  private var lastTable: CapturedTable?
  private var rowCount = 0
  private var byteCount = 0
  private var hasStarted = false
  /// Whether the transaction was rolled back.
  private var isAbandoned = false
  package private(set) var loss: Loss?
  /// Why a transaction whose changes of objects are known cannot be undone.
  package private(set) var barrier: Loss?
  /// The number of writes of rows so far, in all transactions.
  package private(set) var writtenRows = 0
  private var schemaVersion: Int64?
  private var schemaText: Value?

  /// Begins to record changes of `connection`; `names` has the model's information by lower-case table name.
  package init(_ connection: Connection, names: [String: TableNames]) {
    self.connection = connection
    self.names = names
    hasEntityAmongRecords = names.keys.contains { $0.hasPrefix(Self.internalPrefix) }
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
        // Statements must not be finalised within the hook.
        Unmanaged<ChangeCapture>.fromOpaque(context).takeUnretainedValue().isAbandoned = true
      }, context)
  }

  /// Stops recording.
  package func stop() {
    guard let handle = connection.handle else { return }
    _ = sqlite3_preupdate_hook(handle, nil, nil)
    _ = sqlite3_rollback_hook(handle, nil, nil)
    clear()
    // The tables hold prepared statements.
    tables = [:]
  }

  /// Whether the transaction touched any row.
  package var isEmpty: Bool { !hasStarted || isAbandoned }

  /// Clears all records at the end of a transaction.
  package func clear() {
    // The version of a rolled back schema may be used again by another one.
    if isAbandoned { schemaVersion = nil }
    isAbandoned = false
    guard hasStarted else { return }
    for table in tables.values { table?.clear() }
    lastName = []
    lastTable = nil
    (rowCount, byteCount) = (0, 0)
    hasStarted = false
    (loss, barrier) = (nil, nil)
  }

  /// Returns what the transaction has changed so far.
  ///
  /// - Throws: StoreError.
  package func changes() throws(StoreError) -> ChangeSet {
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
    for (_, table) in tables.sorted(by: { $0.key < $1.key }) {
      guard let table, !table.isClear else { continue }
      if let changed = try table.changes(size: &size) { folded.append(changed) }
      if size > Self.byteLimit, !isUnlimited { throw StoreError(.notUndoable(.tooLarge)) }
    }
    return folded
  }

  /// Returns the present shape of a table; nil if its rows have no usable key.
  package func shape(of name: String) throws(StoreError) -> TableShape? {
    let computed = names[asciiLowercased(name)]?.computed ?? []
    return try TableShape(name, connection) { computed.contains(asciiLowercased($0)) }
  }

  /// Returns the root entity of a table.
  package func entity(ofTable name: String) -> Entity? { names[asciiLowercased(name)]?.entity }
}

// MARK: The hook

extension ChangeCapture {
  private func note(
    _ operation: Int32, _ database: OpaquePointer?, _ name: UnsafePointer<CChar>, _ old: Int64, _ new: Int64
  ) {
    if isAbandoned { clear() }
    if !hasEntityAmongRecords, Self.keepsRecords(name) { return }
    writtenRows &+= 1
    if loss != nil { return }
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

  /// Whether a table is internal, so that its changes are not recorded.
  private static func keepsRecords(_ name: UnsafePointer<CChar>) -> Bool {
    strncmp(name, Self.internalPrefix, Self.internalPrefix.utf8.count) == 0
  }

  /// Returns the record of a table; nil for internal tables.
  private func table(_ name: UnsafePointer<CChar>) throws(StoreError) -> CapturedTable? {
    let text = String(cString: name)
    let isInternal =
      (text.hasPrefix(Self.internalPrefix) || ignoredTables.contains(asciiLowercased(text)))
      && names[asciiLowercased(text)] == nil
    if !hasStarted, !isInternal {
      hasStarted = true
      try readSchema()
    }
    let table: CapturedTable?
    if let known = tables[text] {
      table = known
      if let owner = virtualTables[text] { barrier = .virtualTable(owner) }
    } else if isInternal {
      table = nil
    } else {
      if shapes[text] == nil { shapes.updateValue(try shape(of: text), forKey: text) }
      if let shape = shapes[text] ?? nil {
        table = CapturedTable(shape, of: entity(ofTable: text), connection)
      } else if let owner = try virtualTable(of: text), names[asciiLowercased(owner)] == nil {
        virtualTables[text] = owner
        barrier = .virtualTable(owner)
        table = nil
      } else {
        lose(.virtualTable(text))
        return nil
      }
    }
    tables.updateValue(table, forKey: text)
    lastName = Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
    lastTable = table
    return table
  }

  /// The virtual table whose content a table holds; nil if it is an ordinary table.
  private func virtualTable(of name: String) throws(StoreError) -> String? {
    let owner = try connection.first(
      """
      SELECT v.name FROM pragma_table_list(?1) AS s
      JOIN pragma_table_list AS v ON v.schema = 'main' AND v.type = 'virtual'
        AND substr(?1, 1, length(v.name) + 1) = v.name || '_' COLLATE NOCASE
      WHERE s.schema = 'main' AND s.type = 'shadow' ORDER BY length(v.name) DESC
      """, [.string(name)])
    if case .string(let owner)? = owner { return owner }
    return nil
  }

  /// Discards the tables' shapes if the schema has changed.
  private func readSchema() throws(StoreError) {
    let version = try connection.number(.schemaVersion)
    guard version != schemaVersion else { return }
    schemaVersion = version
    schemaText = try tablesText()
    shapes = [:]
    tables = [:]
    virtualTables = [:]
  }

  /// Checks whether the transaction changed a table definition. Changes of indexes do not matter.
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

public import Modeling
import SQLite
public import Stores

extension SQLiteStore {
  /// Makes a store of the kind of `original`, without its objects, has `fill` fill it, and gives it its name only when it is
  /// complete. For an original that is no file, it is one of our own with `options.model`.
  ///
  /// - Throws: StoreError, `.cannotCreate` where there is a file already; what `fill` throws. Then no file is left.
  package static func make<Result>(
    _ options: StoreOptions, like original: any OpenedStore, fill: (SQLiteStore) throws -> Result
  ) throws -> Result {
    let original = original as? SQLiteStore
    let new = try NewFile(at: options.path, rights: original.flatMap { FileRights(of: $0.path) })
    defer { new.discard() }
    var making = options
    (making.path, making.create, making.isMaking, making.writesCoreData) = (new.path, true, true, true)
    var late: [String] = []
    if let original, !original.format.declaresSchema {
      (making.model, making.original) = (nil, original)
      let connection = try Connection(new.path, StoreOpener.connectionOptions(making, readOnly: false))
      defer { connection.close() }
      late = try original.format.makeTables(in: connection, like: original)
    }
    let store = try SQLiteStore(making)
    let result: Result
    do {
      result = try fill(store)
      for statement in late { try store.connection.execute(statement) }
      // The file alone is the store: nothing stays in the log.
      store.log?.stop()
      _ = try store.connection.first("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      store.close()
      throw error
    }
    store.close()
    try new.keep()
    return result
  }

  /// A file can be copied; the tables of a Core Data store are its app's.
  public var abilities: Set<StoreAbility> { format.addsEntities ? [.backup, .addEntities] : [.backup] }

  /// Adds an entity without relationships, and calls `body` with a store that has it, all in one transaction: if `body` throws, or
  /// the process ends meanwhile, there is no entity.
  ///
  /// The given store is of use within `body` alone; this one has to be reopened to see the entity.
  ///
  /// - Throws: StoreError; what `body` throws.
  public func adding<Result>(_ description: EntityDescription, _ body: (any OpenedStore) throws -> Result) throws
    -> Result
  {
    if isReadOnly { throw readOnlyError }
    // The store that `body` gets names columns in errors by its own model.
    defer { nameConstraints() }
    return try transaction {
      guard let (model, layouts) = try format.add(description, to: self) else {
        throw StoreError(.cannot(.addEntities), path: path)
      }
      return try body(SQLiteStore(connection, model, layouts, isReadOnly: false, format))
    }
  }
}

extension Connection {
  /// Makes the tables, views, indexes and triggers of another database, without rows. Returns the statements that are
  /// run once there are rows: the triggers that `isLate` selects.
  func copySchema(of other: Connection, isLate: (_ trigger: String) -> Bool = { _ in false }) throws(StoreError)
    -> [String]
  {
    for setting in ["page_size", "auto_vacuum", "encoding", "user_version", "application_id"] {
      guard let value = try other.first("PRAGMA \(setting)") else { continue }
      try execute("PRAGMA \(setting) = \(SQLFragment(value: value).displayText)")
    }
    let shadows = try other.all("SELECT name FROM pragma_table_list WHERE type = 'shadow'").map { $0[0] }
    var late: [String] = []
    // Tables first: a view or trigger is read together with what it names.
    let rows = try other.all(
      """
      SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
      ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, rowid
      """)
    for row in rows where !shadows.contains(row[1]) {
      guard case .string(let type) = row[0], case .string(let sql) = row[2] else { continue }
      if type == "trigger", isLate(sql) { late.append(sql) } else { try execute(sql) }
    }
    return late
  }
}

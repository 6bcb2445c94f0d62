import Modeling

/// Changes a store of ours from one model to another, in one transaction.
///
/// Tables that change are written anew under other names and take their places at the end, so that tables and columns
/// may swap names; the old ones live on as `_old_...` for as long as a `migrate` function runs.
struct Migrator {
  let connection: Connection
  let plan: MigrationPlan
  let old: ModelLayout
  let new: ModelLayout
  let migrate: ((Migration) throws -> Void)?

  private let changes: [String: TableMigration.Change]
  /// Names of old tables that go.
  private let retired: [String]

  /// Prepares the way from `old` to `new`.
  init(
    _ connection: Connection, from old: ModelLayout, to new: ModelLayout, migrate: ((Migration) throws -> Void)?
  ) {
    self.connection = connection
    self.old = old
    self.new = new
    self.migrate = migrate
    plan = MigrationPlan(from: old.model, to: new.model)
    let tables = TableMigration(plan: plan, old: old, new: new)
    changes = Dictionary(uniqueKeysWithValues: new.schema.tables.map { ($0.name, tables.change(of: $0)) })
    retired = old.schema.tables.map(\.name).filter { [changes] name in
      if case .make? = changes[name] { return true }
      return changes[name] == nil
    }
  }

  /// Does everything, or nothing.
  ///
  /// - Throws: StoreError, `.migrationRefused` with every obstacle; what `migrate` throws.
  func run(_ metadata: StoreMetadata) throws {
    if migrate == nil, !plan.obstacles.isEmpty { throw refusal(plan.obstacles) }
    ValueConversion.register(on: connection)
    // Neither can be changed within a transaction, and both would follow tables to their new names.
    try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON")
    defer { try? connection.execute("PRAGMA legacy_alter_table = OFF; PRAGMA foreign_keys = ON") }
    try connection.execute("BEGIN IMMEDIATE")
    do {
      try change()
      var metadata = metadata
      metadata.model = new.model.encoded()
      try metadata.write(connection)
      try connection.execute("COMMIT")
    } catch {
      connection.resetAll()
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  private func refusal(_ obstacles: [String]) -> StoreError {
    StoreError(.migrationRefused(obstacles), path: connection.path)
  }

  private func change() throws {
    let lossy = try unconvertibleValues()
    if migrate == nil, !lossy.isEmpty { throw refusal(lossy) }
    let history = HistorySwitch(connection)
    try history.suspend()
    let others = try dropIndexesAndTriggers()
    try extendTables()
    try makeTables()
    let obstacles = plan.obstacles + lossy + (try missingValues()) + (try duplicates())
    if let migrate, !obstacles.isEmpty {
      try migrate(Migration(old: oldStore, new: newStore, obstacles: obstacles))
      connection.resetAll()
    }
    for table in retired { try connection.execute("DROP TABLE \(quoteIdentifier(oldName(table)))") }
    try clearDanglingReferences()
    let remaining = try missingValues() + duplicates()
    if !remaining.isEmpty { throw refusal(remaining) }
    try computeDerivedColumns()
    try makeIndexesAndTriggers()
    try restore(others)
    try history.resume(plan, new)
  }
}

// MARK: Tables

extension Migrator {
  private func oldName(_ table: String) -> String { "_old_\(table)" }
  private func makingName(_ table: String) -> String { "_new_\(table)" }

  private func extendTables() throws(StoreError) {
    for table in new.schema.tables {
      guard case .extend(let columns)? = changes[table.name] else { continue }
      let name = quoteIdentifier(table.name)
      for (column, fill) in columns {
        let quoted = quoteIdentifier(column.name)
        try connection.execute("ALTER TABLE \(name) ADD COLUMN \(quoted) \(column.declaration)")
        if !fill.isNull { try connection.run("UPDATE \(name) SET \(quoted) = ?", [fill]) }
      }
    }
  }

  private func makeTables() throws(StoreError) {
    let made = new.schema.tables.compactMap { table in
      if case .make(let fillings)? = changes[table.name] { (table, fillings) } else { nil }
    }
    for (table, fillings) in made {
      try connection.execute(table.createStatement(as: makingName(table.name)))
      for filling in fillings {
        let columns = filling.columns.map(quoteIdentifier).joined(separator: ", ")
        let target = quoteIdentifier(makingName(table.name))
        try connection.run(
          "INSERT OR IGNORE INTO \(target) (\(columns)) \(filling.select.sql)", filling.select.values)
      }
    }
    for table in retired { try rename(table, to: oldName(table)) }
    for (table, _) in made { try rename(makingName(table.name), to: table.name) }
  }

  private func rename(_ table: String, to name: String) throws(StoreError) {
    try connection.execute("ALTER TABLE \(quoteIdentifier(table)) RENAME TO \(quoteIdentifier(name))")
  }

  /// Ends references to objects whose entity was taken out of a table that stayed.
  private func clearDanglingReferences() throws(StoreError) {
    guard plan.steps.contains(where: { if case .removeEntity = $0 { true } else { false } }) else { return }
    for table in new.schema.tables {
      let name = quoteIdentifier(table.name)
      let keys = try connection.all("SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?)", [.string(table.name)])
      for case let row in keys {
        guard case .string(let column) = row[0], case .string(let target) = row[1] else { continue }
        let quoted = quoteIdentifier(column)
        let dangling = """
          \(quoted) IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM \(quoteIdentifier(target)) AS target WHERE target.\(ModelLayout.key) = \(name).\(quoted))
          """
        let change = table.pairKey.isEmpty ? "UPDATE \(name) SET \(quoted) = NULL" : "DELETE FROM \(name)"
        try connection.run("\(change) WHERE \(dangling)")
      }
    }
  }

  private func computeDerivedColumns() throws(StoreError) {
    for table in new.schema.tables {
      let isMade = if case .make? = changes[table.name] { true } else { false }
      let known = isMade ? [] : old.schema.table(table.name)?.computations ?? []
      for computation in table.computations where !known.contains(computation) {
        try connection.execute(computation.statement)
      }
    }
  }

  private var oldStore: SQLiteStore {
    let layouts = old.layouts.mapValues { $0.renamingTables { retired.contains($0) ? oldName($0) : $0 } }
    return SQLiteStore(connection, old.model, layouts, isReadOnly: true)
  }

  private var newStore: SQLiteStore { SQLiteStore(connection, new.model, new.layouts, isReadOnly: false) }
}

extension EntityLayout {
  /// The layout with other names of tables.
  fileprivate func renamingTables(_ name: (String) -> String) -> EntityLayout {
    var layout = self
    layout.table = name(table)
    layout.properties = properties.map { property in
      guard case .join(var join) = property else { return property }
      join.table = name(join.table)
      return .join(join)
    }
    return layout
  }
}

// MARK: Indexes and triggers

extension Migrator {
  /// An index or trigger that somebody else put on a table of ours.
  private struct Foreign {
    var name: String
    var table: String
    var sql: String
  }

  private func ownStatements(_ schema: StoreSchema) -> [String: String] {
    let indexes = schema.tables.flatMap(\.indexes).map { ($0.name, $0.createStatement) }
    let triggers = schema.tables.flatMap(\.triggers).map { ($0.name, $0.sql) }
    return Dictionary(indexes + triggers, uniquingKeysWith: { first, _ in first })
  }

  /// Drops what changes or stands on a table that does; returns what was not ours, to be put back.
  private func dropIndexesAndTriggers() throws(StoreError) -> [Foreign] {
    let (ours, wanted) = (ownStatements(old.schema), ownStatements(new.schema))
    var others: [Foreign] = []
    let sql =
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"
    for row in try connection.all(sql) {
      guard case .string(let type) = row[0], case .string(let name) = row[1], case .string(let table) = row[2],
        case .string(let sql) = row[3]
      else { continue }
      let isRetired = retired.contains(table)
      if let statement = ours[name] {
        guard isRetired || wanted[name] != statement else { continue }
      } else {
        guard isRetired else { continue }
        others.append(Foreign(name: name, table: table, sql: sql))
      }
      try connection.execute("DROP \(type == "index" ? "INDEX" : "TRIGGER") \(quoteIdentifier(name))")
    }
    return others
  }

  private func makeIndexesAndTriggers() throws(StoreError) {
    let present = Set(
      try connection.all("SELECT name FROM sqlite_schema WHERE type IN ('index', 'trigger')").map { $0[0] })
    for table in new.schema.tables {
      for index in table.indexes where !present.contains(.string(index.name)) {
        try connection.execute(index.createStatement)
      }
      for trigger in table.triggers where !present.contains(.string(trigger.name)) {
        try connection.execute(trigger.sql)
      }
    }
  }

  private func restore(_ others: [Foreign]) throws(StoreError) {
    var obstacles: [String] = []
    for other in others {
      do throws(StoreError) {
        try connection.execute(other.sql)
      } catch {
        guard case .sql(let message, _, _) = error.fact else { throw error }
        obstacles.append("\(other.name), which was added to the table \(other.table), no longer fits: \(message)")
      }
    }
    if !obstacles.isEmpty { throw refusal(obstacles) }
  }
}

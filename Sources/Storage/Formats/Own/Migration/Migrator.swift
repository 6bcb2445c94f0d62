import Modeling
import SQLite

/// Changes the tables of one model into those of another, within the caller's transaction.
///
/// Tables that change are rebuilt under temporary names and renamed at the end, so that tables and columns may swap
/// names. The old tables remain as `_old_...` while a `migrate` function runs.
struct Migrator {
  let connection: Connection
  let plan: MigrationPlan
  let old: ModelLayout
  let new: ModelLayout
  let shifts: KeyShifts
  let leg: MigrationRoute.Leg

  private let changes: [String: TableMigration.Change]
  let relinks: [TableMigration.Relink]
  /// The names of old tables to drop.
  let retired: [String]

  /// Prepares one leg; reads the existing keys.
  init(_ connection: Connection, _ leg: MigrationRoute.Leg) throws(StoreError) {
    self.connection = connection
    self.leg = leg
    (old, new) = (leg.old, leg.new)
    plan = MigrationPlan(from: old.model, to: new.model)
    shifts = try KeyShifts(connection, plan, old)
    let tables = TableMigration(plan: plan, old: old, new: new, shifts: shifts)
    changes = Dictionary(uniqueKeysWithValues: new.schema.tables.map { ($0.name, tables.change(of: $0)) })
    relinks = tables.relinks
    retired = old.schema.tables.map(\.name).filter { [changes] name in
      if case .make? = changes[name] { return true }
      return changes[name] == nil
    }
  }

  /// Makes all changes.
  ///
  /// - Throws: StoreError, `.migrationRefused` with every obstacle; what `migrate` throws.
  func run() throws {
    // The journal records saves by table and column names, which may now belong to others.
    try connection.execute("DROP TABLE IF EXISTS \(SaveJournal.table)")
    let links = PairLinks(connection, new, relinks)
    var obstacles = try plan.obstacles + unconvertibleValues() + lostPairs()
    obstacles += try links.collect()
    let history = HistorySwitch(connection)
    try history.suspend()
    let others = try dropIndexesAndTriggers()
    try extendTables()
    try makeTables()
    try links.write()
    obstacles += try missingValues() + duplicates()
    if !obstacles.isEmpty, leg.migrate == nil { throw refusal(obstacles) }
    var mayBeUnchecked = isSevering
    if let migrate = leg.migrate, leg.isAlwaysCalled || !obstacles.isEmpty {
      try call(migrate, obstacles)
      mayBeUnchecked = true
    }
    for table in retired { try connection.execute("DROP TABLE \(quoteIdentifier(oldName(table)))") }
    try clearDanglingReferences()
    let remaining = mayBeUnchecked ? try missingValues() + duplicates() : []
    if !remaining.isEmpty { throw refusal(remaining) }
    try computeDerivedColumns()
    try makeIndexesAndTriggers()
    try restore(others)
    try history.resume(plan, new, shifts)
  }

  /// Calls the function, which may do anything but end the transaction.
  private func call(_ migrate: (Migration) throws -> Void, _ obstacles: [String]) throws {
    connection.refusesCommits = true
    defer { connection.refusesCommits = false }
    try migrate(Migration(old: oldStore, new: newStore, obstacles: obstacles, plan: plan, shifts: shifts))
    connection.resetAll()
    guard connection.isInTransaction else {
      throw refusal(["the function that migrates ended the transaction, so nothing was kept"])
    }
  }

  func refusal(_ obstacles: [String]) -> StoreError {
    StoreError(.migrationRefused(obstacles), path: connection.path)
  }

  /// Whether rows are rewritten or dropped, so that values computed from them may be out of date.
  private var changesRows: Bool {
    let makes = changes.values.contains { if case .make = $0 { true } else { false } }
    return makes || !relinks.isEmpty || leg.migrate != nil
  }

  /// Whether a table is new or rebuilt.
  func isMade(_ table: String) -> Bool { if case .keep? = changes[table] { false } else { true } }

  /// Whether objects are removed or relationships change, so that required relationships may become nil.
  var isSevering: Bool {
    plan.steps.contains { step in
      switch step {
      case .removeEntity, .moveEntity, .renumberKeys, .changeRelationship: true
      default: false
      }
    }
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

  /// Clears references to objects whose entity was moved out of the table.
  private func clearDanglingReferences() throws(StoreError) {
    guard isSevering else { return }
    for entity in new.model.entities {
      let layout = new.layouts[entity]!
      for index in new.ownIndices(of: entity) {
        switch layout.properties[index] {
        case .reference(let columns, _):
          try clear(layout.columns[columns[0]].name, of: layout.table, entity.destination(at: index), isPair: false)
        case .join(let join):
          try clear(join.ownerColumns[0], of: join.table, entity, isPair: true)
          try clear(join.memberColumns[0], of: join.table, entity.destination(at: index), isPair: true)
        case .column, .inverse, .none: break
        }
      }
    }
  }

  private func clear(
    _ column: String, of table: String, _ destination: Entity, isPair: Bool
  ) throws(StoreError) {
    let (table, column) = (quoteIdentifier(table), quoteIdentifier(column))
    let condition = """
      \(column) IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM \(quoteIdentifier(new.tableName(of: destination))) AS target
          WHERE target.\(ModelLayout.key) = \(table).\(column))
      """
    let change = isPair ? "DELETE FROM \(table)" : "UPDATE \(table) SET \(column) = NULL"
    try connection.run("\(change) WHERE \(condition)")
  }

  private func computeDerivedColumns() throws(StoreError) {
    for table in new.schema.tables {
      let known = changesRows ? [] : old.schema.table(table.name)?.computations ?? []
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
  /// The layout with other table names.
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

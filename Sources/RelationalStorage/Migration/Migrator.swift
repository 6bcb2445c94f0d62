package import Layouts
package import Modeling
package import StoreErrors
package import Stores

/// Changes the tables of one model into those of another, within the caller's transaction.
///
/// Tables that change are rebuilt under temporary names and renamed at the end, so that tables and columns may swap
/// names. The old tables remain as `_old_...` while a `migrate` function runs.
package struct Migrator {
  /// An index or trigger that another program added to one of our tables.
  package struct Foreign {
    package var name: String
    package var table: String
    package var sql: String

    package init(name: String, table: String, sql: String) { (self.name, self.table, self.sql) = (name, table, sql) }
  }

  package let connection: any MigrationDatabase
  package let plan: MigrationPlan
  package let old: ModelLayout
  package let new: ModelLayout
  package let shifts: KeyShifts
  let leg: MigrationRoute.Leg

  private let changes: [String: TableMigration.Change]
  let relinks: [TableMigration.Relink]
  /// The names of old tables to drop.
  package let retired: [String]

  /// Prepares one leg; reads the existing keys.
  package init(_ connection: any MigrationDatabase, _ leg: MigrationRoute.Leg) throws(StoreError) {
    self.connection = connection
    self.leg = leg
    (old, new) = (leg.old, leg.new)
    plan = MigrationPlan(from: old.model, to: new.model)
    shifts = try KeyShifts(connection, plan, old)
    let tables = TableMigration(
      plan: plan, old: old, new: new, shifts: shifts, converted: connection.converted)
    changes = Dictionary(uniqueKeysWithValues: new.schema.tables.map { ($0.name, tables.change(of: $0)) })
    relinks = tables.relinks
    retired = old.schema.tables.map(\.name).filter { [changes] name in
      if case .make? = changes[name] { return true }
      return changes[name] == nil
    }
  }

  /// Makes all changes; returns the lost content that does not fit the new model, in words.
  ///
  /// - Throws: StoreError, `.migrationRefused` with every obstacle; the errors of `migrate`.
  package func run() throws -> [String] {
    let others = try connection.begin(self)
    let links = PairLinks(connection, new, relinks)
    var unfit = try plan.obstacles + unconvertibleValues() + lostPairs()
    unfit += try links.collect()
    try extendTables()
    try makeTables()
    try links.write()
    let breaches = try missingValues() + duplicates()
    if let migrate = leg.migrate {
      try call(migrate, unfit + breaches)
      unfit = []
    } else if !breaches.isEmpty || !unfit.isEmpty && !leg.permitsLosses {
      throw refusal(unfit + breaches)
    }
    for table in retired { try connection.execute("DROP TABLE \(quoteIdentifier(oldName(table)))") }
    try clearDanglingReferences()
    let remaining = isSevering || leg.migrate != nil ? try missingValues() + duplicates() : []
    if !remaining.isEmpty { throw refusal(remaining) }
    try connection.end(self, others)
    return unfit
  }
  /// Calls the function, which may do anything but end the transaction.
  private func call(_ migrate: (Migration) throws -> Void, _ obstacles: [String]) throws {
    let (old, new) = try connection.stores(of: self)
    let isOpen = try connection.refusingCommits {
      try migrate(Migration(old: old, new: new, obstacles: obstacles, plan: plan, shifts: shifts))
    }
    guard isOpen else { throw refusal(["the function that migrates ended the transaction, so nothing was kept"]) }
  }

  package func refusal(_ obstacles: [String]) -> StoreError {
    StoreError(.migrationRefused(obstacles), path: connection.path)
  }

  /// Whether rows are rewritten or dropped, so that values computed from them may be out of date.
  package var changesRows: Bool {
    let makes = changes.values.contains { if case .make = $0 { true } else { false } }
    return makes || !relinks.isEmpty || leg.migrate != nil
  }

  /// Whether rows of several tables are read together: to rewrite them, or to find what leads nowhere.
  package var readsSeveralTables: Bool { !retired.isEmpty || !relinks.isEmpty || isSevering || leg.migrate != nil }

  /// Whether a table is new or rebuilt.
  package func isMade(_ table: String) -> Bool { if case .keep? = changes[table] { false } else { true } }

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
  package func oldName(_ table: String) -> String { "_old_\(table)" }
  private func makingName(_ table: String) -> String { "_new_\(table)" }

  private func extendTables() throws(StoreError) {
    for table in new.schema.tables {
      guard case .extend(let columns)? = changes[table.name] else { continue }
      for (column, fill) in columns {
        try connection.add(column, to: table.name, of: new)
        if fill.isNull { continue }
        let (name, quoted) = (quoteIdentifier(table.name), quoteIdentifier(column.name))
        try connection.run("UPDATE \(name) SET \(quoted) = ?", [fill])
      }
    }
  }

  /// How many columns are added to a table with a value for each row.
  func filledColumns(of table: String) -> Int {
    guard case .extend(let columns)? = changes[table] else { return 0 }
    return columns.count { !$0.1.isNull }
  }

  private func makeTables() throws(StoreError) {
    let made = new.schema.tables.compactMap { table in
      if case .make(let fillings)? = changes[table.name] { (table, fillings) } else { nil }
    }
    for (table, fillings) in made {
      try connection.make(table, as: makingName(table.name), of: new)
      for filling in fillings {
        let columns = filling.columns.map(quoteIdentifier).joined(separator: ", ")
        let target = quoteIdentifier(makingName(table.name))
        let (start, end) = connection.insertion
        try connection.run(
          "\(start) \(target) (\(columns)) \(filling.select.sql)\(end)", filling.select.values)
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

  /// The columns of a table that are computed now and were not, or may be out of date.
  func newComputations(of table: TableSchema) -> [ComputationSchema] {
    let known = changesRows ? [] : old.schema.table(table.name)?.computations ?? []
    return table.computations.filter { !known.contains($0) }
  }

  package func computeDerivedColumns() throws(StoreError) {
    for table in new.schema.tables {
      for computation in newComputations(of: table) { try connection.execute(computation.statement) }
    }
  }

  /// The layouts of the old model, as long as its tables are kept under other names.
  package var oldLayouts: [Entity: EntityLayout] {
    old.layouts.mapValues { $0.renamingTables { retired.contains($0) ? oldName($0) : $0 } }
  }
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

import Layouts
import Modeling
import Postgres
import RelationalStorage
import StoreErrors
import Stores

// Tables that a server spreads over its nodes.
extension PostgresMigrationDatabase {
  /// The distribution of a model's tables; nil on a server that spreads none.
  ///
  /// - Throws: StoreError, `.notDistributable`.
  func distribution(_ layout: ModelLayout) throws(StoreError) -> TableDistribution? {
    pool.profile.distributesTables ? try TableDistribution(layout, path: path) : nil
  }

  /// The entities that are spread otherwise than before.
  func steps(besides plan: MigrationPlan) -> [MigrationStep] {
    guard pool.profile.distributesTables else { return [] }
    return plan.matching.new.entities.compactMap { entity in
      guard entity.parent == nil, let source = plan.matching.source(of: entity), source.parent == nil else {
        return nil
      }
      let (before, now) = (source.description.userInfo, entity.description.userInfo)
      let (former, wanted) = (before[TableDistribution.option], now[TableDistribution.option])
      let heir = wanted.flatMap(entity.index).flatMap { plan.matching.source(ofProperty: $0, in: entity) }
      return former.flatMap(source.index) == heir && (former == nil) == (wanted == nil)
        ? nil : .distributeEntity(entity.name, by: wanted)
    }
  }

  /// The present distribution of tables: the distribution column, none if each node has a copy.
  private func places(_ layout: ModelLayout) throws(StoreError) -> [String: String?] {
    let names = layout.schema.tables.map { quotedText(quoted($0.name)) }.joined(separator: ", ")
    if names.isEmpty { return [:] }
    let rows = try all(
      """
      SELECT n.name::text, \(TableSpread.column) FROM unnest(ARRAY[\(names)]) AS n(name)
      JOIN pg_dist_partition AS t ON t.logicalrelid = to_regclass(n.name)
      WHERE \(TableSpread.column) IS NOT NULL OR \(TableSpread.isReference)
      """)
    var places: [String: String?] = [:]
    for table in layout.schema.tables {
      guard let row = rows.first(where: { $0[0] == .string(quoted(table.name)) }) else { continue }
      if case .string(let column) = row[1] {
        places[table.name] = .some(column)
      } else {
        places[table.name] = .some(nil)
      }
    }
    return places
  }

  /// Brings the rows of all tables together where a migration reads rows of several at once; called when no foreign keys are left.
  func gather(_ migrator: Migrator) throws(StoreError) {
    guard try distribution(migrator.new) != nil else { return }
    guard migrator.readsSeveralTables else { return }
    for table in try places(migrator.old).keys.sorted() { try gather(table) }
  }

  private func gather(_ table: String) throws(StoreError) {
    try execute("SELECT undistribute_table(\(quotedText(quoted(table))))")
  }

  /// Spreads the tables as the new model says. Reference tables come first.
  func spread(_ migrator: Migrator) throws(StoreError) {
    guard let distribution = try distribution(migrator.new) else { return }
    let places = try places(migrator.new)
    let tables = migrator.new.schema.tables.sorted { one, other in
      distribution.place(of: one.name) == nil && distribution.place(of: other.name) != nil
    }
    for table in tables {
      let wanted = distribution.place(of: table.name)
      let present = places[table.name]
      if present == .some(wanted) { continue }
      if let present {
        try gather(table.name)
        if let former = present, former != ModelLayout.key, !table.pairKey.contains(former),
          table.columns.first(where: { $0.name == former })?.declaration.contains("NOT NULL") == false
        {
          try dropKey(table.name)
          try execute("ALTER TABLE \(quoted(table.name)) ALTER COLUMN \(quoted(former)) DROP NOT NULL")
        }
      }
      if table.pairKey.isEmpty { try setKey(of: table.name, distribution, migrator) }
      try execute(distribution.statement(for: table.name))
    }
  }

  /// Gives a table the primary key that its distribution needs.
  private func setKey(
    of table: String, _ distribution: TableDistribution, _ migrator: Migrator
  ) throws(StoreError) {
    let name = quoted(table)
    if let column = distribution.column(of: table) {
      let empty = try all("SELECT count(*) FROM \(name) WHERE \(quoted(column)) IS NULL")
      if case .int(let count)? = empty.first?.first, count > 0 {
        throw migrator.refusal(["\(count) rows of \(table) have no '\(column)' by which they could be distributed"])
      }
    }
    try dropKey(table)
    try execute("ALTER TABLE \(name) ADD PRIMARY KEY (\(distribution.key(table) ?? quoted(ModelLayout.key)))")
  }

  private func dropKey(_ table: String) throws(StoreError) {
    let keys = try all(
      "SELECT conname::text FROM pg_constraint WHERE contype = 'p' AND conrelid = \(quotedText(quoted(table)))::regclass"
    )
    for case .string(let key)? in keys.map(\.first) {
      try execute("ALTER TABLE \(quoted(table)) DROP CONSTRAINT \(quoted(key))")
    }
  }

  /// Makes the references of a table that spread rows can have.
  func refer(
    _ table: TableSchema, _ column: ColumnSchema, _ distribution: TableDistribution, _ migrator: Migrator
  ) throws(StoreError) {
    guard let reference = distribution.reference(table.name, column) else { return }
    do {
      try execute(reference)
    } catch {
      guard case .server(let refusal) = error.fact, refusal.sqlState == "23503" else { throw error }
      throw migrator.refusal([
        "rows of \(table.name) refer by \(column.name) to rows that have another value to be distributed by"
      ])
    }
  }
}

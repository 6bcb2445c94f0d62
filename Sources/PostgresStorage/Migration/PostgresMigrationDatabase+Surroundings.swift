internal import Foundation
import Layouts
import Modeling
import Postgres
import RelationalStorage
import StoreErrors
import Stores

// The surroundings of tables: references, indexes, triggers, the record.
extension PostgresMigrationDatabase {
  func begin(_ migrator: Migrator) throws(StoreError) -> [Migrator.Foreign] {
    // A distribution that the new model cannot have is refused before anything changes.
    _ = try distribution(migrator.new)
    for (number, conversion) in conversions.enumerated() { try convert(conversion, number) }
    let books = try books()
    if books != nil || pool.profile.distributesTables {
      try dropTriggers(in: books.map { quotedText($0.schema) } ?? "current_schema()")
    }
    if let books {
      // The journal knows rows by their tables, which may now be others.
      try execute("DELETE FROM \(books.image)")
      try execute("DELETE FROM \(books.journal)")
    }
    let others = try foreignDefinitions(migrator)
    for row in try constraints(migrator.old) {
      if case .string(let table) = row[0], case .string(let name) = row[1] {
        try execute("ALTER TABLE \(table) DROP CONSTRAINT \(quoted(name))")
      }
    }
    try gather(migrator)
    let wanted = Set(migrator.new.schema.tables.flatMap(\.indexes).map(\.createStatement))
    for table in migrator.old.schema.tables {
      for index in table.indexes where migrator.retired.contains(table.name) || !wanted.contains(index.createStatement)
      {
        try execute("DROP INDEX IF EXISTS \(quoted(index.name))")
      }
    }
    return others
  }

  /// Drops the triggers that record, which know the columns; on Citus, also those on the nodes.
  private func dropTriggers(in schema: String) throws(StoreError) {
    for row in try all(
      """
      SELECT p.oid::regprocedure::text FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
      WHERE n.nspname = \(schema) AND starts_with(p.proname, \(quotedText(RecordingTriggers.prefix)))
      """)
    { if case .string(let function) = row[0] { try execute("DROP FUNCTION \(function) CASCADE") } }
  }

  /// The foreign keys of a layout's tables: table, name, text.
  func constraints(_ layout: ModelLayout) throws(StoreError) -> [[Value]] {
    let names = layout.schema.tables.map { quotedText($0.name) }.joined(separator: ", ")
    if names.isEmpty { return [] }
    return try all(
      """
      SELECT c.conrelid::regclass::text, c.conname::text, pg_get_constraintdef(c.oid) FROM pg_constraint AS c
      JOIN pg_class AS t ON t.oid = c.conrelid WHERE c.contype = 'f' AND t.relname IN (\(names))
        AND pg_table_is_visible(t.oid)
      """)
  }

  /// Indexes and triggers that other programs added to tables that are rewritten.
  func foreignDefinitions(_ migrator: Migrator) throws(StoreError) -> [Migrator.Foreign] {
    let tables = migrator.retired.map(quotedText).joined(separator: ", ")
    if tables.isEmpty { return [] }
    let own = Set(migrator.old.schema.tables.flatMap(\.indexes).map { kept($0.name) })
    var found: [Migrator.Foreign] = []
    let rows = try all(
      """
      SELECT t.relname::text, i.relname::text, pg_get_indexdef(i.oid) FROM pg_index AS x
      JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid
      WHERE t.relname IN (\(tables)) AND pg_table_is_visible(t.oid) AND NOT x.indisprimary
        AND NOT EXISTS (SELECT 1 FROM pg_constraint AS c WHERE c.conindid = i.oid)
      UNION ALL SELECT t.relname::text, g.tgname::text, pg_get_triggerdef(g.oid) FROM pg_trigger AS g
      JOIN pg_class AS t ON t.oid = g.tgrelid
      WHERE t.relname IN (\(tables)) AND pg_table_is_visible(t.oid) AND NOT g.tgisinternal
      """)
    for row in rows {
      guard case .string(let table) = row[0], case .string(let name) = row[1], case .string(let sql) = row[2],
        !own.contains(name)
      else { continue }
      found.append(Migrator.Foreign(name: name, table: table, sql: sql))
      if sql.hasPrefix("CREATE INDEX") || sql.hasPrefix("CREATE UNIQUE") { try execute("DROP INDEX \(quoted(name))") }
    }
    return found
  }

  func end(_ migrator: Migrator, _ others: [Migrator.Foreign]) throws {
    for number in conversions.indices { try execute("DROP TABLE \(Self.tableName(number))") }
    conversions = []
    let layout = migrator.new
    try finishTables(migrator)
    for other in others {
      do throws(StoreError) {
        try execute(other.sql)
      } catch {
        guard case .server(let refusal) = error.fact else { throw error }
        throw migrator.refusal([
          "\(other.name), which was added to the table \(other.table), no longer fits: \(refusal.message)"
        ])
      }
    }
    let tables = PostgresSchemaInstaller.tables(of: layout)
    if migrator.changesRows || derives(migrator) {
      let store = try PostgresStore(migrating: pool, layout.model, layout.layouts, tables, isReadOnly: false)
      try store.deriveAll()
      pool.willRun = {}
    }
    try resumeRecord(migrator, RecordedTables(model: layout.model, layouts: layout.layouts, tables: tables))
  }

  /// Whether the derivation of an attribute has changed.
  func derives(_ migrator: Migrator) -> Bool {
    migrator.plan.steps.contains { step in
      switch step {
      case .changeDerivation, .addAttribute: true
      default: false
      }
    }
  }

  /// Keys, references, indexes and the next numbers of tables.
  func finishTables(_ migrator: Migrator) throws(StoreError) {
    let layout = migrator.new
    let present = Set(
      try all("SELECT c.relname::text FROM pg_class AS c WHERE c.relkind = 'i' AND pg_table_is_visible(c.oid)").map {
        $0[0]
      })
    for table in layout.schema.tables {
      let name = quoted(table.name)
      if migrator.isMade(table.name) {
        if table.pairKey.isEmpty {
          let (made, wanted) = ("_new_\(table.name)", table.name)
          try execute(
            "ALTER SEQUENCE IF EXISTS \(quoted("\(made)_\(ModelLayout.key)_seq")) RENAME TO \(quoted("\(wanted)_\(ModelLayout.key)_seq"))"
          )
          try execute(
            """
            SELECT setval(pg_get_serial_sequence(\(quotedText(name)), '\(ModelLayout.key)'), greatest(max(\(ModelLayout.key)), 1),
              max(\(ModelLayout.key)) IS NOT NULL) FROM \(name)
            """)
        }
        try execute(
          "ALTER INDEX IF EXISTS \(quoted("_new_\(table.name)_pkey")) RENAME TO \(quoted("\(table.name)_pkey"))")
      }
      for index in table.indexes where index.expressions.isEmpty && !present.contains(.string(kept(index.name))) {
        try execute(index.createStatement)
      }
    }
    try spread(migrator)
    let distribution = try distribution(layout)
    let tables = PostgresSchemaInstaller.tables(of: layout)
    for table in layout.schema.tables {
      for column in table.columns {
        if let distribution {
          try refer(table, column, distribution, migrator)
          continue
        }
        let reference = declaration(column, tables.form(table.name, column.name), of: table.name).reference
        if reference.isEmpty { continue }
        try execute("ALTER TABLE \(quoted(table.name)) ADD FOREIGN KEY (\(quoted(column.name))) \(reference)")
      }
    }
  }

  /// The schema of the record; nil where there is none.
  func books() throws(StoreError) -> RecordingBooks? {
    let rows = try all(
      """
      SELECT n.nspname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relname = \(quotedText(BookTables.change)) AND pg_table_is_visible(c.oid)
      """)
    if case .string(let schema)? = rows.first?.first { return RecordingBooks(schema: schema, pool.profile) }
    return nil
  }

  /// Records under the new names from now on; earlier records stay readable.
  func resumeRecord(_ migrator: Migrator, _ subject: RecordedTables) throws {
    guard let books = try books() else { return }
    let rows = try all("SELECT value FROM \(books.history) WHERE key = '\(PostgresRecording.Entry.names)'")
    guard case .string(let text)? = rows.first?.first, let old = HistoryNames(encoded: text) else { return }
    for entity in migrator.plan.matching.old.entities {
      guard let heir = migrator.plan.matching.result(of: entity), let number = old.number(of: entity),
        case let offset = migrator.shifts.offset(from: entity, to: heir), offset != 0
      else { continue }
      try execute("UPDATE \(books.change) SET key = key + \(offset) WHERE entity = \(number)")
    }
    let bySaves = try all("SELECT 1 FROM \(books.history) WHERE key = '\(PostgresRecording.Entry.isWrittenBySaves)'")
    try PostgresRecording.write(
      pool, books, subject, old.migrated(by: migrator.plan, to: migrator.new.model), bySaves: !bySaves.isEmpty)
    // Followers of the record have another model.
    try PostgresRecording.put(pool, books, PostgresRecording.Entry.cut, UUID.random().uuidString)
  }
}

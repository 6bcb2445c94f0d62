internal import Foundation
import Layouts
import Modeling
import Postgres
import Records
import Storage
import StoreErrors

/// A store of our own in PostgreSQL while it is migrated, within the caller's transaction.
final class PostgresMigrationDatabase: MigrationDatabase {
  private let pool: PostgresPool
  let path: String
  /// The columns whose values become those of another type, each with a table of what they become.
  private var conversions: [Conversion] = []

  private struct Conversion: Hashable {
    let column: String
    let table: String
    let old: AttributeType
    let new: AttributeType
  }

  init(_ pool: PostgresPool) {
    self.pool = pool
    path = pool.address.shown
  }

  // MARK: Statements

  func execute(_ sql: String) throws(StoreError) { _ = try run(sql, []) }

  @discardableResult
  func run(_ sql: String, _ values: [Value]) throws(StoreError) -> Int { try result(sql, values).affectedRows }

  func all(_ sql: String, _ values: [Value]) throws(StoreError) -> [[Value]] {
    let result = try result(sql, values)
    var scratch = ColumnReader.Scratch()
    return (0..<result.rowCount).map { row in
      (0..<result.columnCount).map { column in
        if result.isNull(row, column) { return .null }
        let type = Self.typeNames[result.typeOID(column)] ?? "text"
        // Numbers and objects come in a binary form that only their texts have a reader for.
        if type == "numeric" || type == "jsonb" { return .string(result.text(row, column)) }
        let form = ColumnForm(typeName: type, name: type)
        return Value(keyColumn: ColumnReader.read(result.bytes(row, column), form, &scratch))
      }
    }
  }

  private static let typeNames: [UInt32: String] = [
    PostgresType.bool: "bool", PostgresType.bytea: "bytea", PostgresType.int8: "int8", PostgresType.int4: "int4",
    PostgresType.float8: "float8", PostgresType.timestamptz: "timestamptz", PostgresType.uuid: "uuid",
    PostgresType.numeric: "numeric", PostgresType.jsonb: "jsonb",
  ]

  private func result(_ sql: String, _ values: [Value]) throws(StoreError) -> PostgresResult {
    // What stands in quotes has no argument.
    let parts = sql.split(separator: "?", omittingEmptySubsequences: false)
    var statement = PostgresSQL(raw: values.isEmpty ? sql : String(parts[0]))
    if !values.isEmpty {
      for (part, value) in zip(parts.dropFirst(), values) {
        statement += Self.argument(value)
        statement += PostgresSQL(raw: String(part))
      }
    }
    do {
      return try pool.run(statement)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.constraint("\(error)"), path: path)
    }
  }

  /// A value as a text whose type the server infers.
  private static func argument(_ value: Value) -> PostgresSQL {
    text(of: value).map { PostgresSQL(.untyped($0)) } ?? PostgresSQL(.null)
  }

  /// A value as PostgreSQL reads it, whatever type its column has; nil for nothing.
  private static func text(of value: Value) -> String? {
    switch value {
    case .null: nil
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): number.canonicalText
    case .string(let text), .url(let text): text
    case .uuid(let uuid): uuid.canonicalText
    case .json(let json): json.text
    case .data(let bytes): "\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    case .date(let date): text(of: date)
    default: value.displayText
    }
  }

  /// An instant to the microsecond.
  private static func text(of date: Timestamp) -> String {
    let microseconds = (date.seconds * 1e6).rounded()
    guard abs(microseconds) < 9e18 else { return date.iso8601 }
    let (seconds, rest) = (microseconds / 1e6).rounded(.down).splitFraction(microseconds)
    let whole = Timestamp(seconds).iso8601
    guard rest > 0, let end = whole.firstIndex(of: "Z") else { return whole }
    let digits = String(Int(rest) + 1_000_000).dropFirst()
    return whole[..<end].prefix { $0 != "." } + "." + digits + "Z"
  }

  // MARK: Tables

  private func declaration(
    _ column: ColumnSchema, _ form: ColumnForm, of table: String
  ) -> (type: String, reference: String) {
    PostgresSchemaInstaller.declaration(column, form, of: table, pool.profile)
  }

  func make(_ table: TableSchema, as name: String, of layout: ModelLayout) throws(StoreError) {
    let tables = PostgresSchemaInstaller.tables(of: layout)
    var lines = table.columns.map { column in
      let type = declaration(column, tables.form(table.name, column.name), of: table.name).type
      return "\(quoted(column.name)) \(type)"
    }
    if !table.pairKey.isEmpty { lines.append("PRIMARY KEY (\(table.pairKey.map(quoted).joined(separator: ", ")))") }
    try execute("CREATE TABLE \(quoted(name)) (\(lines.joined(separator: ", ")))")
  }

  func add(_ column: ColumnSchema, to table: String, of layout: ModelLayout) throws(StoreError) {
    let form = PostgresSchemaInstaller.tables(of: layout).form(table, column.name)
    let type = declaration(column, form, of: table).type
    try execute("ALTER TABLE \(quoted(table)) ADD COLUMN \(quoted(column.name)) \(type)")
  }

  func makeLinks(_ table: String) throws(StoreError) {
    try execute(
      "CREATE TABLE \(table) (owner bigint, member bigint, place bigint, other bigint, PRIMARY KEY (owner, member))")
  }

  var insertion: (start: String, end: String) { ("INSERT INTO", " ON CONFLICT DO NOTHING") }

  // MARK: Conversions

  func converted(_ column: String, of table: String, from old: AttributeType, to new: AttributeType) -> String {
    let conversion = Conversion(column: column, table: table, old: old, new: new)
    if !conversions.contains(conversion) { conversions.append(conversion) }
    let number = conversions.firstIndex(of: conversion) ?? 0
    return "(SELECT v.value FROM \(Self.tableName(number)) AS v WHERE v.key = source.\(ModelLayout.key))"
  }

  private static func tableName(_ number: Int) -> String { quoted("_new_values_\(number)") }

  /// Converts values here, by the rules of all stores, and keeps what they become by the keys of their rows.
  private func convert(_ conversion: Conversion, _ number: Int) throws(StoreError) {
    let (name, form) = (Self.tableName(number), ColumnForm(own: conversion.new))
    try execute("CREATE TABLE \(name) (key bigint PRIMARY KEY, value \(form.typeName))")
    let old = ColumnForm(own: conversion.old)
    var last: Int64 = .min
    while true {
      let rows = try result(
        """
        SELECT \(ModelLayout.key), \(old.selected(conversion.column)) FROM \(quoted(conversion.table))
        WHERE \(ModelLayout.key) > \(last) AND \(conversion.column) IS NOT NULL ORDER BY \(ModelLayout.key) LIMIT 5000
        """, [])
      if rows.rowCount == 0 { break }
      var (keys, texts): ([Int64], [String?]) = ([], [])
      var scratch = ColumnReader.Scratch()
      for row in 0..<rows.rowCount {
        last = rows.int(row, 0)
        let stored = Value(keyColumn: ColumnReader.read(rows.bytes(row, 1), old, &scratch))
        guard let converted = ValueConversion.convert(stored, from: conversion.old, to: conversion.new) else {
          continue
        }
        keys.append(last)
        texts.append(Self.text(of: ValueCoding.decode(converted, as: conversion.new)))
      }
      let insertion: PostgresSQL = """
        INSERT INTO \(raw: name) SELECT v.key, v.value::\(raw: form.typeName) \
        FROM unnest(\(.ints(keys)), \(.texts(texts))) AS v(key, value)
        """
      do { _ = try pool.run(insertion) } catch {
        throw error as? StoreError ?? StoreError(.constraint("\(error)"), path: path)
      }
    }
  }

  // MARK: What hangs on tables

  func begin(_ migrator: Migrator) throws(StoreError) -> [Migrator.Foreign] {
    for (number, conversion) in conversions.enumerated() { try convert(conversion, number) }
    if let books = try books() {
      for row in try all(
        """
        SELECT p.oid::regprocedure::text FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
        WHERE n.nspname = \(quotedText(books.schema)) AND starts_with(p.proname, \(quotedText(RecordingTriggers.prefix)))
        """)
      { if case .string(let function) = row[0] { try execute("DROP FUNCTION \(function) CASCADE") } }
      // The journal knows rows by their tables, which may now be others.
      try execute("DELETE FROM \(books.image)")
      try execute("DELETE FROM \(books.journal)")
    }
    let others = try foreign(migrator)
    for row in try constraints(migrator.old) {
      if case .string(let table) = row[0], case .string(let name) = row[1] {
        try execute("ALTER TABLE \(table) DROP CONSTRAINT \(quoted(name))")
      }
    }
    let wanted = Set(migrator.new.schema.tables.flatMap(\.indexes).map(\.createStatement))
    for table in migrator.old.schema.tables {
      for index in table.indexes where migrator.retired.contains(table.name) || !wanted.contains(index.createStatement)
      {
        try execute("DROP INDEX IF EXISTS \(quoted(index.name))")
      }
    }
    return others
  }

  /// The foreign keys of a layout's tables: table, name, text.
  private func constraints(_ layout: ModelLayout) throws(StoreError) -> [[Value]] {
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
  private func foreign(_ migrator: Migrator) throws(StoreError) -> [Migrator.Foreign] {
    let tables = migrator.retired.map(quotedText).joined(separator: ", ")
    if tables.isEmpty { return [] }
    let own = Set(migrator.old.schema.tables.flatMap(\.indexes).map(\.name))
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
    try resumeRecord(migrator, PostgresRecording.Subject(model: layout.model, layouts: layout.layouts, tables: tables))
  }

  /// Whether something is derived otherwise than before.
  private func derives(_ migrator: Migrator) -> Bool {
    migrator.plan.steps.contains { step in
      switch step {
      case .changeDerivation, .addAttribute: true
      default: false
      }
    }
  }

  /// Keys, references, indexes and the next numbers of tables.
  private func finishTables(_ migrator: Migrator) throws(StoreError) {
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
      for index in table.indexes where index.expressions.isEmpty && !present.contains(.string(index.name)) {
        try execute(index.createStatement)
      }
    }
    let tables = PostgresSchemaInstaller.tables(of: layout)
    for table in layout.schema.tables {
      for column in table.columns {
        let reference = declaration(column, tables.form(table.name, column.name), of: table.name).reference
        if reference.isEmpty { continue }
        try execute("ALTER TABLE \(quoted(table.name)) ADD FOREIGN KEY (\(quoted(column.name))) \(reference)")
      }
    }
  }

  /// The schema of the record; nil where there is none.
  private func books() throws(StoreError) -> RecordingBooks? {
    let rows = try all(
      """
      SELECT n.nspname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relname = \(quotedText(BookTables.change)) AND pg_table_is_visible(c.oid)
      """)
    if case .string(let schema)? = rows.first?.first { return RecordingBooks(schema: schema) }
    return nil
  }

  /// Records under the new names from now on; what was recorded stays readable.
  private func resumeRecord(_ migrator: Migrator, _ subject: PostgresRecording.Subject) throws {
    guard let books = try books() else { return }
    let rows = try all("SELECT value FROM \(books.history) WHERE key = '\(PostgresRecording.Entry.names)'")
    guard case .string(let text)? = rows.first?.first, let old = HistoryNames(encoded: text) else { return }
    for entity in migrator.plan.matching.old.entities {
      guard let heir = migrator.plan.matching.result(of: entity), let number = old.number(of: entity),
        case let offset = migrator.shifts.offset(from: entity, to: heir), offset != 0
      else { continue }
      try execute("UPDATE \(books.change) SET key = key + \(offset) WHERE entity = \(number)")
    }
    try PostgresRecording.write(pool, books, subject, old.migrated(by: migrator.plan, to: migrator.new.model))
    // Those who follow have another model.
    try PostgresRecording.put(pool, books, PostgresRecording.Entry.cut, UUID.random().uuidString)
  }

  // MARK: Functions that migrate

  func stores(of migrator: Migrator) throws -> (old: any OpenedStore, new: any OpenedStore) {
    var oldTables: [String: PostgresTables.Table] = [:]
    let known = PostgresSchemaInstaller.tables(of: migrator.old)
    for table in migrator.old.schema.tables {
      let name = migrator.retired.contains(table.name) ? migrator.oldName(table.name) : table.name
      var entry = known[table.name]
      entry.sqlName = quoted(name)
      oldTables[name] = entry
    }
    let old = try PostgresStore(
      migrating: pool, migrator.old.model, migrator.oldLayouts, PostgresTables(oldTables), isReadOnly: true)
    let new = try PostgresStore(
      migrating: pool, migrator.new.model, migrator.new.layouts, PostgresSchemaInstaller.tables(of: migrator.new),
      isReadOnly: false)
    return (old, new)
  }

  func refusingCommits(_ body: () throws -> Void) throws -> Bool {
    defer { pool.willRun = {} }
    try body()
    // What waits to be written.
    try pool.willRun()
    return pool.main.transactionStatus == .inTransaction
  }
}

extension Double {
  /// The whole seconds, and the microseconds that a number of these has beyond them.
  fileprivate func splitFraction(_ microseconds: Double) -> (seconds: Double, rest: Double) {
    (self, microseconds - self * 1e6)
  }
}

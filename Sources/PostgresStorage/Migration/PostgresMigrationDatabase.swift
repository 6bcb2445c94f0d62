internal import Foundation
import Layouts
import Modeling
import Postgres
import RelationalStorage
import StoreErrors
import Stores

/// A store of our own in PostgreSQL while it is migrated, within the caller's transaction.
final class PostgresMigrationDatabase: MigrationDatabase {
  let pool: PostgresPool
  let path: String
  /// The columns whose values are converted to another type, each with the table of results.
  var conversions: [Conversion] = []

  struct Conversion: Hashable {
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
        // Numbers and objects come in a binary form for which there is no reader; their texts have one.
        if type == "numeric" || type == "jsonb" { return .string(result.text(row, column)) }
        let form = ColumnForm(typeName: type, name: type)
        return Value(keyColumn: ColumnReader.read(result.bytes(row, column), form, &scratch))
      }
    }
  }

  static let typeNames: [UInt32: String] = [
    PostgresType.bool: "bool", PostgresType.bytea: "bytea", PostgresType.int8: "int8", PostgresType.int4: "int4",
    PostgresType.float8: "float8", PostgresType.timestamptz: "timestamptz", PostgresType.uuid: "uuid",
    PostgresType.numeric: "numeric", PostgresType.jsonb: "jsonb",
  ]

  func result(_ sql: String, _ values: [Value]) throws(StoreError) -> PostgresResult {
    // There are no arguments in quotes.
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
  static func argument(_ value: Value) -> PostgresSQL {
    text(of: value).map { PostgresSQL(.untyped($0)) } ?? PostgresSQL(.null)
  }

  /// A value as the text that PostgreSQL reads for a column of any type; nil for null.
  static func text(of value: Value) -> String? {
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
  static func text(of date: Timestamp) -> String {
    let microseconds = (date.seconds * 1e6).rounded()
    guard abs(microseconds) < 9e18 else { return date.iso8601 }
    let (seconds, rest) = (microseconds / 1e6).rounded(.down).splitFraction(microseconds)
    let whole = Timestamp(seconds).iso8601
    guard rest > 0, let end = whole.firstIndex(of: "Z") else { return whole }
    let digits = String(Int(rest) + 1_000_000).dropFirst()
    return whole[..<end].prefix { $0 != "." } + "." + digits + "Z"
  }

  // MARK: Tables

  func declaration(_ column: ColumnSchema, _ form: ColumnForm, of table: String) -> (type: String, reference: String) {
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
    // The writes that wait.
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

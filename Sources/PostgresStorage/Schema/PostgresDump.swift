import Modeling
import Postgres

/// SQL that makes a database's tables and rows again, for psql.
struct PostgresDump {
  let store: PostgresStore
  let line: (String) throws -> Void

  /// How many rows are read at once.
  private static let rowsAtOnce = 500

  /// A table whose rows are written.
  private struct Table {
    var oid: Int64
    var name: String
    var isLimited: Bool
  }

  func write(_ pattern: String?) throws {
    // Functions may name what is made after them.
    for setting in ["standard_conforming_strings = on", "check_function_bodies = off"] { try line("SET \(setting);") }
    try line("BEGIN;")
    let tables = try tables(like: pattern)
    try write(SchemaQuery.beforeRows, of: pattern == nil ? nil : tables)
    for table in tables { try writeRows(of: table) }
    try writePositions(of: pattern == nil ? nil : tables)
    try write(SchemaQuery.afterRows, of: pattern == nil ? nil : tables)
    try line("COMMIT;")
  }

  /// Writes the statements that make all, or only some tables.
  private func write(_ queries: [SchemaQuery], of tables: [Table]?) throws {
    for query in queries {
      let names = tables.map { $0.map(\.name) as [String?] } ?? [nil]
      for name in names {
        for text in try store.statements(query, of: name) {
          try line(text.hasPrefix("-- ") ? text : text + ";")
        }
      }
    }
  }

  private func tables(like pattern: String?) throws -> [Table] {
    let found = try store.pool.run(
      """
      SELECT c.oid::int8, c.oid::regclass::text, row_security_active(c.oid) FROM \(SchemaQuery.relations) \
      WHERE c.relkind IN ('r', 'p') AND \(SchemaQuery.isOfUsers) AND \(SchemaQuery.isNoExtensions("pg_class", "c.oid")) \
      AND \(pattern.map { "c.relname LIKE \(.text($0))" } ?? "true") ORDER BY c.oid
      """)
    return (0..<found.rowCount).map { row in
      Table(oid: found.int(row, 0), name: found.text(row, 1), isLimited: found.bool(row, 2))
    }
  }

  // MARK: Rows

  private func writeRows(of table: Table) throws {
    let columns = try store.pool.run(
      """
      SELECT quote_ident(a.attname), t.oid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'float4'::regtype, \
      'float8'::regtype, 'numeric'::regtype, 'bool'::regtype), a.attidentity = 'a' \
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid WHERE a.attrelid = \(.int(table.oid))::oid \
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum
      """)
    let names = (0..<columns.rowCount).map { columns.text($0, 0) }
    let areBare = (0..<columns.rowCount).map { columns.bool($0, 1) }
    let overrides = (0..<columns.rowCount).contains { columns.bool($0, 2) } ? " OVERRIDING SYSTEM VALUE" : ""
    if table.isLimited { try line("-- row security limits the rows of \(table.name.inOneLine) that this user sees") }
    let texts = names.map { "\($0)::text" }.joined(separator: ", ")
    let head =
      names.isEmpty
      ? "INSERT INTO \(table.name) DEFAULT VALUES"
      : "INSERT INTO \(table.name) (\(names.joined(separator: ", ")))\(overrides) VALUES ("
    try eachPage("SELECT \(raw: texts) FROM ONLY \(raw: table.name)") { rows in
      for row in 0..<rows.rowCount {
        let values = names.indices.map { column in
          rows.isNull(row, column) ? "NULL" : Self.literal(rows.text(row, column), isBare: areBare[column])
        }
        try line(head + (names.isEmpty ? ";" : values.joined(separator: ", ") + ");"))
      }
    }
  }

  /// Reads the rows of a statement by a cursor of the server, so that no more than a page is in memory.
  private func eachPage(_ sql: PostgresSQL, _ body: (PostgresResult) throws -> Void) throws {
    _ = try store.pool.run("DECLARE _perilune_dump NO SCROLL CURSOR FOR \(sql)")
    // In a transaction that failed there is nothing to close.
    defer { _ = try? store.pool.run("CLOSE _perilune_dump") }
    while true {
      let rows = try store.pool.run("FETCH \(raw: String(Self.rowsAtOnce)) FROM _perilune_dump")
      try body(rows)
      if rows.rowCount < Self.rowsAtOnce { return }
    }
  }

  /// A value as a constant: numbers and truth values as they are, the rest in quotes. What a terminal would obey is written as an
  /// escape.
  static func literal(_ text: String, isBare: Bool) -> String {
    // Infinities and NaN are words, which need quotes.
    if isBare, text == "true" || text == "false" || text.last?.isNumber == true { return text }
    func acts(_ scalar: Unicode.Scalar) -> Bool { scalar.actsOnTerminals && scalar != "\n" && scalar != "\t" }
    guard text.unicodeScalars.contains(where: acts) else { return quoteText(text) }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "'": escaped += "''"
      case _ where acts(scalar):
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return "E'\(escaped)'"
  }

  // MARK: Sequences

  /// Sets sequences to their positions.
  private func writePositions(of tables: [Table]?) throws {
    let found = try store.pool.run(
      """
      SELECT d.refobjid::int8, CASE d.deptype WHEN 'i'
        THEN format('SELECT setval(pg_get_serial_sequence(%L, %L), %s)', d.refobjid::regclass, a.attname,
          pg_sequence_last_value(s.seqrelid))
        ELSE format('SELECT setval(%L, %s)', c.oid::regclass, pg_sequence_last_value(s.seqrelid)) END
      FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid
          AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
        LEFT JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
      WHERE \(SchemaQuery.isOfUsers) AND \(SchemaQuery.isNoExtensions("pg_class", "c.oid"))
        AND pg_sequence_last_value(s.seqrelid) IS NOT NULL ORDER BY c.oid
      """)
    for row in 0..<found.rowCount where tables.map({ $0.contains { $0.oid == found.int(row, 0) } }) ?? true {
      try line(found.text(row, 1) + ";")
    }
  }
}

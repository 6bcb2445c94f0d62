import Postgres

/// A kind of statement that an engine refuses.
struct ProxyRule {
  /// What SQL without its quotations has in it, in any case.
  let pattern: Regex<AnyRegexOutput>
  let error: ProxyError

  init(pattern: String, error: ProxyError) throws {
    self.pattern = try Regex(pattern).ignoresCase().dotMatchesNewlines().wordBoundaryKind(.simple)
    self.error = error
  }

  func applies(to bare: String) -> Bool { bare.contains(pattern) }

  /// The rules of an engine: what it lacks, each with what statements that ask for it look like.
  static func rules(for profile: ServerProfile) throws -> [ProxyRule] {
    // What a pool breaks it does not refuse: the session is made new.
    let lacking = ServerProfile(engine: profile.engine).lacking
    return try ServerCapability.allCases.filter(lacking.contains).flatMap { capability in
      try patterns(capability, profile.engine).map { pattern in
        try ProxyRule(pattern: pattern, error: error(capability, profile.engine))
      }
    }
  }

  private static func patterns(_ capability: ServerCapability, _ engine: ServerProfile.Engine) -> [String] {
    switch capability {
    case .notifications: [#"^\s*(LISTEN|UNLISTEN|NOTIFY)\b"#, #"\bpg_notify\s*\("#]
    case .rowTriggers: [#"\bCREATE\s+(OR\s+REPLACE\s+)?(CONSTRAINT\s+)?TRIGGER\b"#]
    case .statementTriggers: [#"\bTRIGGER\b.*\bFOR\s+(EACH\s+)?STATEMENT\b"#, #"\bTRIGGER\b.*\bINSTEAD\s+OF\b"#]
    case .transitionTables: [#"\bTRIGGER\b.*\bREFERENCING\b"#]
    case .logicalDecoding: [#"\bpg_create_logical_replication_slot\s*\("#, #"\bCREATE\s+PUBLICATION\b"#]
    case .exportedSnapshots: [#"\bpg_export_snapshot\s*\("#]
    case .transactionNumbers:
      [#"\b(pg_(current_(xact_id|snapshot)|visible_in_snapshot|snapshot_|xact_)|txid_)"#, #"\bxid8\b"#]
    case .rowVersions: [#"\b(xmin|xmax|ctid)\b"#]
    // CockroachDB has the functions, which do nothing.
    case .advisoryLocks: engine == .dsql ? [#"\bpg_(try_)?advisory_"#] : []
    // Between tables that are spread alike Citus has them.
    case .foreignKeys: engine == .dsql ? [#"\bREFERENCES\b"#, #"\bFOREIGN\s+KEY\b"#] : []
    case .deferrableForeignKeys, .deferrableUniqueness:
      [#"(\)|(?!NOT\s)\b\w+\b)\s*DEFERRABLE\b"#, #"\bSET\s+CONSTRAINTS\b"#]
    case .sequences: [#"\bCREATE\s+SEQUENCE\b"#, #"\b(BIG|SMALL)?SERIAL\b"#, #"\bAS\s+IDENTITY\b"#]
    case .temporaryTables: [#"\bCREATE\s+(LOCAL\s+)?TEMP(ORARY)?\b"#]
    case .savepoints: [#"^\s*SAVEPOINT\b"#, #"\bROLLBACK\s+TO\b"#]
    case .synchronousIndexes: [#"\bCREATE\s+(UNIQUE\s+)?INDEX\s+(?!ASYNC\b)"#]
    case .collations: [#"\bCREATE\s+COLLATION\b"#, #"\bCOLLATE\b"#]
    case .binaryCopyOut: [#"\bCOPY\b.*\bTO\s+STDOUT\b.*\bBINARY\b"#]
    case .binaryCopyIn: [#"\bCOPY\b.*\bFROM\s+STDIN\b"#]
    case .severalPortals: [#"\bDECLARE\b.*\bCURSOR\b"#]
    // A statement does not show what depends on the distribution of tables, or on values.
    case .uniquenessOfAnyColumns, .updatesOfAnyColumn, .rowLocks, .correlatedSubqueries, .joinsOfAnyColumns,
      .generatedColumns, .transactionalDefinitions, .integerDivision, .preparedStatements, .sessionState:
      []
    }
  }

  private static func error(_ capability: ServerCapability, _ engine: ServerProfile.Engine) -> ProxyError {
    switch (capability, engine) {
    case (.rowTriggers, .citus):
      ProxyError(sqlState: "0A000", message: "triggers are not supported on distributed tables")
    case (.rowVersions, .yugabyte), (.rowVersions, .citus):
      ProxyError(sqlState: "0A000", message: "system column is not supported")
    case (.rowVersions, _): ProxyError(sqlState: "42703", message: "column does not exist")
    case (.logicalDecoding, _), (.advisoryLocks, _), (.exportedSnapshots, _), (.transactionNumbers, _):
      ProxyError(sqlState: "42883", message: "unknown function")
    default: ProxyError(sqlState: "0A000", message: "\(engine.rawValue): \(capability.rawValue) is not supported")
    }
  }

  /// What each engine says of itself, in place of what is asked.
  static func disguised(_ sql: String, as profile: ServerProfile) -> String {
    switch profile.engine {
    case .postgres: sql
    case .citus:
      sql.replacing("FROM pg_extension", with: "FROM (SELECT 'citus' AS extname, '13.2-1' AS extversion) AS e")
    case .yugabyte:
      sql.replacing("version()", with: "'PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu'::text")
    case .cockroach:
      sql.replacing("version()", with: "'CockroachDB CCL v26.2.0 (x86_64-pc-linux-gnu)'::text")
    case .dsql:
      sql.replacing("to_regclass('sys.jobs')", with: "'pg_class'::regclass").replacing("INDEX ASYNC", with: "INDEX")
    }
  }

  /// SQL without comments and without what stands in quotation marks; names in them stay.
  static func withoutQuotations(_ sql: String) -> String {
    sql.replacing(
      /(?s)--[^\n]*|\/\*.*?\*\/|[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|\$(\w*)\$.*?\$\1\$/, with: "''")
  }
}

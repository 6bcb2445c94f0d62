import Modeling
import Stores

extension SQLDialect {
  /// The words of PostgreSQL.
  static let postgres = SQLDialect(
    statements: statements,
    keywords: [
      "AND", "ANY (", "ARRAY[", "AS", "ASC", "AT TIME ZONE", "BETWEEN", "BY", "CASE", "CAST(", "COLLATE", "CROSS JOIN",
      "DEFAULT", "DEFAULT VALUES", "DESC", "DISTINCT", "DISTINCT ON (", "DO NOTHING", "DO UPDATE SET", "ELSE", "END",
      "ESCAPE", "EXCEPT", "EXISTS", "FETCH FIRST", "FILTER (WHERE", "FOR UPDATE", "FROM", "FULL JOIN", "GROUP BY",
      "HAVING", "ILIKE", "IN", "INNER JOIN", "INTERSECT", "INTERVAL", "INTO", "IS DISTINCT FROM", "IS NOT NULL",
      "IS NULL", "JOIN", "LATERAL", "LEFT JOIN", "LIKE", "LIMIT", "NOT", "NULL", "NULLS FIRST", "NULLS LAST", "OFFSET",
      "ON", "ON CONFLICT", "OR", "ORDER BY", "OVER (", "PARTITION BY", "RETURNING", "RIGHT JOIN", "SELECT", "SET",
      "SIMILAR TO", "TABLESAMPLE", "THEN", "UNION", "UNION ALL", "USING", "VALUES", "WHEN", "WHERE", "WINDOW", "WITH",
    ],
    followers: ["EXPLAIN": ["ANALYZE"] + statements, "INSERT": ["INTO"], "MERGE": ["INTO"]],
    likeIgnoresCase: false, quote: quote)

  private static let statements = [
    "SELECT", "INSERT INTO", "UPDATE", "DELETE FROM", "MERGE INTO", "WITH", "EXPLAIN", "EXPLAIN ANALYZE", "VALUES",
    "BEGIN", "COMMIT", "ROLLBACK", "SHOW", "CREATE TABLE", "CREATE INDEX", "CREATE VIEW", "ALTER TABLE", "DROP TABLE",
    "TRUNCATE", "ANALYZE", "VACUUM",
  ]

  /// The server reads a bare name in small letters, and reserves some words.
  @Sendable private static func quote(_ name: String) -> String {
    let isPlain = name.utf8.enumerated().allSatisfy { index, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): index > 0
      default: false
      }
    }
    return isPlain && !name.isEmpty && !reserved.contains(name) ? name : quoteIdentifier(name)
  }

  /// The words that no table and no column can have as a bare name, or that mean something else as one.
  private static let reserved: Set<String> = [
    "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric", "authorization", "binary", "both",
    "case", "cast", "check", "collate", "collation", "column", "concurrently", "constraint", "create", "cross",
    "current_catalog", "current_date", "current_role", "current_schema", "current_time", "current_timestamp",
    "current_user", "default", "deferrable", "desc", "distinct", "do", "else", "end", "except", "false", "fetch", "for",
    "foreign", "freeze", "from", "full", "grant", "group", "having", "ilike", "in", "initially", "inner", "intersect",
    "into", "is", "isnull", "join", "lateral", "leading", "left", "like", "limit", "localtime", "localtimestamp",
    "natural", "not", "notnull", "null", "offset", "on", "only", "or", "order", "outer", "overlaps", "placing",
    "primary", "references", "returning", "right", "select", "session_user", "similar", "some", "symmetric",
    "system_user", "table", "tablesample", "then", "to", "trailing", "true", "union", "unique", "user", "using",
    "variadic", "verbose", "when", "where", "window", "with",
  ]
}

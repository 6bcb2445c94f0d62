import Testing

/// What a store is to its users names nothing of SQLite, so that another store can be one.
struct StoreFaceTests {
  /// Words of SQLite's store, in code; comments may explain by them.
  private static var rule: SourceRule {
    SourceRule(
      [
        "SQLiteStore", "CSQLite", "import SQLite", "sqlite", "Connection", "Statement", "SQLFragment", "SQLCompiler",
        "WriteAheadLog", "rowID", "rowid", "pragma", "PRAGMA", "EXPLAIN", "SELECT",
      ],
      #/^(?!\s*\/\/).*?\b(SQLiteStore|CSQLite|import SQLite|sqlite3?_\w+|Connection|Statement|ListStatement|SelectStatement|SQLFragment|SQLCompiler|WriteAheadLog|\.?rowID|rowid|pragma|PRAGMA|EXPLAIN|SELECT)\b/#
    )
  }
  /// Files that may all the same; the list may only become shorter.
  private static let exceptions: Set<String> = [
    // The key that is one integer column has SQLite's name for it.
    "Stores/Tables/ForeignTable.swift", "Stores/Tables/IntrospectedEntities+Columns.swift",
    "Stores/Tables/OverlaidLayout.swift",
    // Statements that people are not shown.
    "Stores/ObjectStore/StatementTrace.swift",
  ]
  private static let folders = ["Stores", "ObjectGraph", "LiveQueries"]

  @Test func whatUsesAStoreNamesNothingOfSQLite() throws {
    var seen: Set<String> = []
    for folder in Self.folders {
      for finding in try Self.rule.findings(in: "Sources/\(folder)") {
        let name = "\(folder)/\(finding.path)"
        seen.insert(name)
        if Self.exceptions.contains(name) { continue }
        Issue.record("\(folder)/\(finding) names what only SQLite's store knows")
      }
    }
    #expect(
      Self.exceptions.isSubset(of: seen), "these are no exceptions any more: \(Self.exceptions.subtracting(seen))")
  }

  @Test func theRuleFindsWhatItIsThereFor() {
    for line in [
      "let store: SQLiteStore", "try connection.all(\"PRAGMA x\")", "case .rowID = layout.key", "_ c: Connection,",
      "internal import CSQLite", "sqlite3_step(handle)", "\"SELECT 1\"",
    ] { #expect(Self.rule.finds(line), "\(line)") }
    for line in ["let store: any ObjectStore", "  /// One statement of a Connection.", "rows.selected", "// SELECT"] {
      #expect(!Self.rule.finds(line), "\(line)")
    }
  }
}

import Foundation
import Testing

/// What a store is to its users names nothing of SQLite, so that another store can be one.
struct StoreFaceTests {
  /// Words of SQLite's store, in code; comments may explain by them.
  private static var forbidden: some RegexComponent {
    #/\b(SQLiteStore|CSQLite|import SQLite|sqlite3?_\w+|Connection|Statement|ListStatement|SelectStatement|SQLFragment|SQLCompiler|WriteAheadLog|\.?rowID|rowid|(?i:pragma)|EXPLAIN|SELECT)\b/#
  }
  /// Files that may all the same; the list may only become shorter.
  private static let exceptions: Set<String> = [
    // SQLite's own conformance.
    "Storage/ObjectStore/SQLiteStore+ObjectStore.swift"
  ]
  private static let folders = ["Storage/ObjectStore", "ObjectGraph", "LiveQueries"]

  @Test func whatUsesAStoreNamesNothingOfSQLite() throws {
    var seen: Set<String> = []
    for folder in Self.folders {
      let root = Manifest.root.appending(path: "Sources/\(folder)")
      for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix(".swift") {
        let name = "\(folder)/\(path)"
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        let findings = Self.findings(in: text)
        if Self.exceptions.contains(name) {
          if !findings.isEmpty { seen.insert(name) }
          continue
        }
        #expect(findings.isEmpty, "\(name) names what only SQLite's store knows: \(findings)")
      }
    }
    #expect(seen == Self.exceptions, "these are no exceptions any more: \(Self.exceptions.subtracting(seen))")
  }

  @Test func theRuleFindsWhatItIsThereFor() {
    for line in [
      "let store: SQLiteStore", "try connection.all(\"PRAGMA x\")", "case .rowID = layout.key", "_ c: Connection,",
      "internal import CSQLite", "sqlite3_step(handle)", "\"SELECT 1\"",
    ] { #expect(!Self.findings(in: line).isEmpty, "\(line)") }
    for line in ["let store: any ObjectStore", "  /// One statement of a Connection.", "rows.selected", "// SELECT"] {
      #expect(Self.findings(in: line).isEmpty, "\(line)")
    }
  }

  private static func findings(in text: String) -> [String] {
    text.split(separator: "\n").filter { line in
      !line.trimmingCharacters(in: .whitespaces).hasPrefix("//") && line.contains(forbidden)
    }.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

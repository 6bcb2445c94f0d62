import Foundation
import Testing

/// What stands above the stores asks for no kind of a store and has no SQL.
struct StoreKindTests {
  /// The targets that stores are made of.
  private static let ofStores: Set<String> = [
    "StoreErrors", "SQLite", "Postgres", "Layouts", "Stores", "RelationalStorage", "Records", "SQLiteStorage",
    "PostgresStorage",
  ]

  /// A cast to a kind of store, or a comparison with one.
  private static var kinds: SourceRule {
    SourceRule(
      ["SQLiteStore", "PostgresStore", "sqliteStore", ".file(", "kind", "isAddress("],
      #/^(?!\s*\/\/).*?(?:\b(?:as[?!]|is)\s+(?:SQLiteStore|PostgresStore)\b|\bsqliteStore\b|\.file\((?:call\.place|request\.place|"import")|\bkind\s*[!=]=\s*\.(?:perilune|coreData|sqlite|postgres)\b|\bisAddress\()/#
    )
  }
  private static var statements: SourceRule {
    SourceRule(
      ["SELECT", "INSERT", "UPDATE", "DELETE", "PRAGMA", "CREATE"],
      #/^(?!\s*\/\/).*?"(?:[^"]*\b)?(?:SELECT\s.+\sFROM|INSERT INTO|UPDATE\s+\S+\s+SET|DELETE FROM|PRAGMA\s+\w+|CREATE (?:TABLE|INDEX|TRIGGER))\b/#
    )
  }
  /// Files with SQL all the same; the list may only become shorter.
  private static let writers: Set<String> = [
    // An example in help, and an output mode.
    "LuaBindings/Stores/BoundStore+Members.swift", "Presentation/Formats/InsertRenderer.swift",
    // The prompt's own database.
    "Shell/History/HistoryStore.swift",
  ]

  @Test func nothingAboveTheStoresAsksForTheKindOfAStore() throws {
    #expect(try files(of: Self.kinds).isEmpty)
  }

  @Test func noSQLStandsAboveTheStores() throws {
    #expect(try files(of: Self.statements) == Self.writers)
  }

  @Test func theRulesFindWhatTheyAreThereFor() {
    for line in [
      "guard let file = store as? SQLiteStore else {", "if store is PostgresStore {", "engine.sqliteStore == nil",
      "let file = try store.file(call.place)", "store.kind == .coreData", "if PostgresAddress.isAddress(path) {",
    ] { #expect(Self.kinds.finds(line), "\(line)") }
    for line in ["  // store as? SQLiteStore", "text = store.kind.rawValue", "completion: .file())"] {
      #expect(!Self.kinds.finds(line), "\(line)")
    }
    for line in [#"sql("SELECT name FROM x")"#, #"let a = "DELETE FROM \(name)""#, #""PRAGMA user_version""#] {
      #expect(Self.statements.finds(line), "\(line)")
    }
    for line in [#"  /// "SELECT a FROM b""#, #"keywords(["FROM"])"#, #""SELECT""#] {
      #expect(!Self.statements.finds(line), "\(line)")
    }
  }

  /// The files above the stores in which a rule finds something, below Sources.
  private func files(of rule: SourceRule) throws -> Set<String> {
    let targets = try Manifest().layers.map(\.name).filter { !Self.ofStores.contains($0) }
    return Set(
      try targets.flatMap { target in try rule.findings(in: "Sources/\(target)").map { "\(target)/\($0.path)" } })
  }
}

import Foundation
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

/// What SQL of scripts may do in the sandbox.
@Suite struct ConfinementTests {
  private func confined() throws -> SQLiteStore {
    var options = StoreOptions(path: ":memory:")
    options.isConfined = true
    options.model = try Model([EntityDescription("Quake", properties: [.attribute(Attribute("code", .string))])])
    return try SQLiteStore(options)
  }

  private func refusal(_ sql: String, _ store: SQLiteStore) -> RefusedSQL? {
    do {
      let cursor = try store.sql(sql)
      defer { cursor.close() }
      while try cursor.step() {}
      return nil
    } catch let error as StoreError {
      if case .refusedBySandbox(let refusal) = error.fact { return refusal }
      return nil
    } catch { return nil }
  }

  @Test func aConfinedStoreReachesNoOtherFile() throws {
    let store = try confined()
    let other = TemporaryFolder.ofThisRun.appending(path: "confined-\(UUID().uuidString).sqlite").path
    for sql in ["ATTACH '\(other)' AS other", "ATTACH 'file:\(other)?mode=rwc' AS other", "VACUUM INTO '\(other)'"] {
      #expect(refusal(sql, store) == .statement("ATTACH and VACUUM"), "\(sql)")
    }
    #expect(refusal("DETACH main", store) == .statement("DETACH"))
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test func everyPragmaIsReadAtMost() throws {
    let store = try confined()
    let names = try store.connection.all("SELECT name FROM pragma_pragma_list").compactMap { row -> String? in
      if case .string(let name) = row[0] { name } else { nil }
    }
    #expect(names.count > 50)
    for name in names where !SandboxedSQL.askedPragmas.contains(name) {
      #expect(refusal("PRAGMA \(name) = 1", store) == .pragma(name, isSet: true))
      #expect(refusal("PRAGMA main.\(name.uppercased())(1)", store) == .pragma(name, isSet: true))
      let isRead = SandboxedSQL.readPragmas.contains(name)
      #expect(refusal("PRAGMA \(name)", store) == (isRead ? nil : .pragma(name, isSet: false)))
    }
    for name in SandboxedSQL.askedPragmas {
      #expect(refusal("PRAGMA \(name)('Quake')", store) == nil, "\(name)")
    }
    // The same as tables.
    #expect(refusal("SELECT * FROM pragma_database_list", store) == .pragma("database_list", isSet: false))
    #expect(refusal("SELECT * FROM pragma_table_info('quake')", store) == nil)
  }

  /// Functions that SQLite or we have and scripts in the sandbox have not, and why.
  private static let refusedFunctions: [String: String] = [
    "aggregate_counts": "is for parts of a table", "aggregate_sum_state": "is for parts of a table",
    "exact_sum_state": "is for parts of a table",
    "external_data": "reads files beside the store",
    "fts3_tokenizer": "tells and takes addresses of code", "fts5": "takes an address",
    "fts5_source_id": "nobody needs it", "load_extension": "loads code", "optimize": "is INSERT in all but name",
    "perilune_convert": "is for migrations", "rtreecheck": "reads what rtree keeps for itself",
    "rtreedepth": "reads what rtree keeps for itself", "rtreenode": "reads what rtree keeps for itself",
    "sqlite_log": "writes to the log of the process",
  ]

  @Test func everyFunctionIsDecidedOn() throws {
    let store = try confined()
    _ = store.connection.installFunctions()
    for row in try store.connection.all("SELECT DISTINCT lower(name) FROM pragma_function_list") {
      guard case .string(let name) = row[0] else { continue }
      #expect(
        SandboxedSQL.allows(function: name) != (Self.refusedFunctions[name] != nil),
        "\(name): say in SandboxedSQL whether scripts in the sandbox may call it, or here why not")
    }
  }

  @Test func functionsThatNobodyAllowedAreRefused() throws {
    let store = try confined()
    for sql in [
      "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple')", "SELECT sqlite_log(1, 'x')",
      "SELECT 1 WHERE fts3_tokenizer('simple') IS NULL",
      "WITH RECURSIVE x(a) AS (SELECT fts3_tokenizer('simple') UNION SELECT a FROM x) SELECT * FROM x",
    ] {
      guard case .function? = refusal(sql, store) else {
        Issue.record("\(sql) was not refused")
        continue
      }
    }
    #expect(refusal("SELECT upper('x'), json_extract('{}', '$'), sum(1) OVER ()", store) == nil)
  }

  @Test func triggersAndViewsOfScriptsAreHeldToTheSameWhoeverUsesThem() throws {
    let store = try confined()
    _ = try store.sql("CREATE TABLE t(a); CREATE VIEW v AS SELECT sqlite_log(1, a) AS a FROM t")
    _ = try store.sql("CREATE TEMP TRIGGER x AFTER INSERT ON t BEGIN SELECT sqlite_log(1, new.a); END")
    #expect(refusal("INSERT INTO t VALUES (1)", store) == .function("sqlite_log"))
    #expect(throws: StoreError.self) { try store.connection.run("INSERT INTO t VALUES (1)") }
    #expect(throws: StoreError.self) { try store.connection.all("SELECT * FROM v") }
  }

  @Test func theBooksOfTheStoreAreNotWritten() throws {
    let store = try confined()
    try store.setHistoryEnabled(true)
    let table = BookTables.metadata
    for sql in [
      "UPDATE \(table) SET value = value", "DELETE FROM \(table.uppercased())", "DROP TABLE \(table)",
      "INSERT INTO \(HistoryTables.change) DEFAULT VALUES", "ALTER TABLE \(table) RENAME TO x",
      "CREATE TRIGGER y AFTER INSERT ON \(table) BEGIN SELECT 1; END",
      "CREATE TEMP TRIGGER \(table)_x AFTER INSERT ON quake BEGIN SELECT 1; END",
    ] {
      guard case .bookkeeping? = refusal(sql, store) else {
        Issue.record("\(sql) was not refused")
        continue
      }
    }
    _ = try store.sql("CREATE TRIGGER y AFTER INSERT ON quake BEGIN DELETE FROM \(table); END")
    guard case .bookkeeping? = refusal("INSERT INTO quake(code) VALUES ('a')", store) else {
      Issue.record("a trigger wrote")
      return
    }
    // Our own triggers still do.
    _ = try store.sql("DROP TRIGGER y; INSERT INTO quake(code) VALUES ('a')")
    #expect(try store.connection.first("SELECT count(*) FROM \(HistoryTables.change)") == .int(1))
    #expect(refusal("SELECT * FROM \(table)", store) == nil)
  }

  @Test func virtualTablesAreOfKindsThatAreAllowed() throws {
    let store = try confined()
    #expect(refusal("CREATE VIRTUAL TABLE a USING dbstat", store) == .module("dbstat"))
    #expect(refusal("CREATE VIRTUAL TABLE a USING fts3tokenize('simple')", store) == .module("fts3tokenize"))
    for module in ["fts4", "fts5"] {
      let sql =
        "CREATE VIRTUAL TABLE \(module)_t USING \(module)(a); INSERT INTO \(module)_t VALUES ('one two'); SELECT * FROM \(module)_t WHERE \(module)_t MATCH 'two'"
      let cursor = try store.sql(sql)
      #expect(try cursor.step(), "\(module)")
      cursor.close()
    }
    #expect(refusal("CREATE VIRTUAL TABLE r USING rtree(id, a, b); INSERT INTO r VALUES (1, 1, 2)", store) == nil)
  }

  @Test func tablesCanBeChanged() throws {
    let store = try confined()
    for sql in [
      "CREATE TABLE t(a, b, CHECK (length(a) < 9))", "CREATE INDEX i ON t(b) WHERE a > 1", "ALTER TABLE t ADD COLUMN c",
      "CREATE VIEW v AS SELECT a, c FROM t", "ALTER TABLE t RENAME COLUMN a TO x", "ALTER TABLE t DROP COLUMN c",
      "DROP VIEW v", "ALTER TABLE t RENAME TO u", "ANALYZE", "REINDEX", "DROP TABLE u",
    ] {
      if sql.hasSuffix("DROP COLUMN c") { _ = try store.sql("DROP VIEW v; CREATE VIEW v AS SELECT x FROM t") }
      #expect(throws: Never.self, "\(sql)") { _ = try store.sql(sql) }
    }
  }

  @Test func ourOwnStatementsDoEverything() throws {
    let store = try confined()
    try store.connection.execute("PRAGMA cache_size = -1000; PRAGMA foreign_keys = OFF; PRAGMA foreign_keys = ON")
    #expect(try store.verify().isEmpty)
    let copy = try store.connection.privateCopy()
    #expect(copy.confinement != nil)
    copy.close()
  }
}

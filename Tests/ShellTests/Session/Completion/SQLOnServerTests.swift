import LuaBindings
import Stores
import TestSupport
import Testing

@testable import Presentation
@testable import Session

/// What Tab offers in SQL for a server.
@Suite(.enabled(if: PostgresServer.isInstalled)) final class SQLOnServerTests {
  let engine: Engine

  deinit { engine.close() }

  init() throws {
    engine = try Engine()
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "completing")
    try server.psql(
      database,
      """
      CREATE TABLE quake (id int PRIMARY KEY, "occurredAt" timestamptz, place text);
      CREATE TABLE report (id int PRIMARY KEY, quake_id int REFERENCES quake, "order" int);
      CREATE VIEW strong AS SELECT * FROM quake; CREATE FUNCTION shake(int) RETURNS int LANGUAGE sql AS 'SELECT 1'
      """)
    try engine.open(StoreOptions(path: server.address(of: database)))
  }

  private func candidates(_ text: String, behind: String = "") -> [Completions.Candidate] {
    SQLCompleter(engine: engine).completions(text, behind: behind).candidates
  }

  private func names(_ text: String, behind: String = "") -> [String] {
    candidates(text, behind: behind).map(\.text)
  }

  @Test func wordsAreTheServers() {
    #expect(names("TRUN") == ["TRUNCATE"] && names("PRAG").isEmpty)
    #expect(names("EXPLAIN ").first == "ANALYZE" && names("INSERT ") == ["INTO"])
    #expect(names("SELECT * FROM quake WHERE place ilik").contains("ilike"))
    #expect(!names("SELECT * FROM quake WHERE place glo").contains("glob"))
  }

  @Test func tablesAndColumnsAreTheDatabases() {
    #expect(names("SELECT * FROM ") == ["quake", "report", "strong"])
    #expect(names("SELECT occ", behind: " FROM quake") == ["\"occurredAt\""])
    #expect(names("SELECT r.ord", behind: " FROM report r") == ["\"order\""])
    #expect(candidates("SELECT pla", behind: " FROM quake").first?.remark == "text")
  }

  @Test func joinsFollowForeignKeys() {
    #expect(names("SELECT * FROM quake JOIN ").first == "report")
    #expect(names("SELECT * FROM quake q JOIN report r ON ").first == "r.quake_id = q.id")
  }

  @Test func functionsAreThoseThatPeopleCall() {
    #expect(names("SELECT sha").contains("shake("))
    #expect(names("SELECT date_tr").contains("date_trunc("))
    #expect(names("SELECT int4p").isEmpty && !names("SELECT int4i").contains("int4in("))
  }
}

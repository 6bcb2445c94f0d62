import LuaBindings
import TestSupport
import Testing

@testable import Presentation
@testable import Session
@testable import Shell

/// What Tab offers in SQL.
@Suite final class SQLCompleterTests {
  let engine: Engine

  deinit { engine.close() }

  init() throws {
    engine = try Engine()
    _ = try engine.evaluate(
      """
      use(open(":memory:", { model = Model { Unused = Entity { name = String } } }))
      store:sql "CREATE TABLE quakes (id INTEGER PRIMARY KEY, place TEXT, magnitude REAL)"
      store:sql 'CREATE TABLE "felt reports" (id INTEGER PRIMARY KEY, quake INTEGER REFERENCES quakes, "how strong" INT)'
      store:sql "CREATE VIEW strong AS SELECT * FROM quakes WHERE magnitude > 5"
      """, name: "=test")
  }

  private func names(_ text: String, behind: String = "") -> [String] {
    SQLCompleter(engine: engine).completions(text, behind: behind).candidates.map(\.text)
  }

  @Test func statementsBegin() {
    #expect(names("SEL") == ["SELECT"])
    #expect(names("sel") == ["select"])
    #expect(names("SELECT 1; upd") == ["update"])
    #expect(names("EXPLAIN ").first == "QUERY PLAN")
    #expect(names("INSERT ").contains("INTO"))
  }

  @Test func tablesFollowFromAndJoin() {
    #expect(names("SELECT * FROM qua") == ["quakes"])
    #expect(names("SELECT * FROM fel") == ["\"felt reports\""])
    #expect(names("select * from quakes, str") == ["strong"])
    #expect(names("UPDATE qua") == ["quakes"])
    #expect(names("INSERT INTO qua") == ["quakes"])
    // The table that a foreign key leads to comes first.
    #expect(names("SELECT * FROM quakes JOIN ").first == "\"felt reports\"")
  }

  @Test func columnsAreThoseOfTheTablesNamed() {
    #expect(names("SELECT pl", behind: " FROM quakes") == ["place"])
    #expect(names("SELECT * FROM quakes WHERE magn") == ["magnitude"])
    #expect(names("SELECT * FROM quakes AS q WHERE q.") == ["id", "place", "magnitude"])
    #expect(names("SELECT q.ma", behind: " FROM quakes q ORDER BY 1") == ["magnitude"])
    #expect(names("SELECT * FROM \"felt reports\" f WHERE f.ho") == ["\"how strong\""])
    #expect(!names("SELECT * FROM quakes WHERE ").contains("quake"))
    #expect(names("INSERT INTO quakes (pl") == ["place"])
    #expect(names("UPDATE quakes SET ma").first == "magnitude")
    #expect(names("SELECT 1 FROM quakes; SELECT pla", behind: " FROM \"felt reports\"") == [])
  }

  @Test func joinsAreConditionsOfForeignKeys() {
    #expect(
      names("SELECT * FROM quakes q JOIN \"felt reports\" r ON ").first == "r.quake = q.id")
  }

  @Test func wordsAndFunctionsKeepTheCaseThatIsTyped() {
    #expect(names("SELECT * FROM quakes WHER") == ["WHERE"])
    #expect(names("select * from quakes wher") == ["where"])
    #expect(names("select group_c") == ["group_concat("])
    #expect(names("SELECT * FROM quakes ORDER ") == ["BY"])
  }

  @Test func nothingIsOfferedInTextsAndComments() {
    #expect(names("SELECT 'qua").isEmpty)
    #expect(names("SELECT 1 -- qua").isEmpty)
    #expect(names("SELECT /* qua").isEmpty)
    #expect(names("SELECT 12").isEmpty)
  }

  @Test(.seeded) func anyBeginningIsTaken() {
    let pieces = [
      "SELECT", " ", "quakes", ".", "\"", "'", "(", ",", "FROM", "JOIN", "ON", ";", "--", "/*", "*", "é", "[",
    ]
    var random = SplitMix(seed: 1)
    for _ in 0..<300 {
      let text = (0..<8).map { _ in pieces.randomElement(using: &random) ?? "" }.joined(
        separator: Bool.random(using: &random) ? " " : "")
      let found = SQLCompleter(engine: engine).completions(text, behind: text)
      #expect(found.start <= text.utf8.count, "\(text)")
    }
  }
}

import Foundation
import Testing

@testable import Shell

/// Tab on a real terminal, wherever something can be known of what may stand there.
@Suite(.serialized) struct CompletionTypingTests {
  private let program: BuiltProgram
  private let session: PTYSession

  init() throws {
    program = try BuiltProgram.withStore()
    try program.write("rows of may.csv", "code,magnitude\nm1,3\n")
    try program.write("report.lua", "print('the report')")
    session = try program.terminal("-q quakes.sqlite", columns: 100, rows: 30)
    try session.expect("quakes> ")
  }

  /// Types keys, waits for the line that they make, and drops it.
  private func type(_ keys: String, making line: String) throws {
    session.send(keys)
    try session.expectScreen { $0.currentLine == "quakes> " + line }
    session.send("\u{3}")
    try session.expectPrompt()
  }

  @Test func whatIsCertainIsPutIn() throws {
    try type(".read rep\t", making: ".read report.lua")
    try type(".import rows\t", making: ".import \"rows of may.csv\"")
    try type("dofile 'rep\t", making: "dofile 'report.lua")
    try type(".sql SELECT pla\t", making: ".sql SELECT place")
    try type("store:sql 'SELECT code FROM qua\t", making: "store:sql 'SELECT code FROM quake")
    try type("FetchRequest { entity = Quake, fetchLi\t", making: "FetchRequest { entity = Quake, fetchLimit =")
    try type("Quake:all():groupBy('place', { n = 'cou\t", making: "Quake:all():groupBy('place', { n = 'count")
    try type("plot(Quake, { x = 'mag\t", making: "plot(Quake, { x = 'magnitude")
    try type("Quake:where(\"code == 'us3\t", making: "Quake:where(\"code == 'us3'")
    try type("?BEGINS\t", making: "?BEGINSWITH")
    try type(".help sch\t", making: ".help schema")
    try type(".predicate Quake magn\t", making: ".predicate Quake magnitude")
    try type(".last js\t", making: ".last json")
  }

  @Test func theColumnsOfATableNamedBehindTheCursorAreKnown() throws {
    session.send(".sql SELECT  FROM report")
    for _ in " FROM report" { session.send("\u{1B}[D") }
    session.send("te\t")
    try session.expectScreen { $0.currentLine == "quakes> .sql SELECT text FROM report" }
  }

  @Test func whatIsPutInRuns() throws {
    session.send(".rea\t rep\t\r")
    try session.expect("the report")
    try session.expectPrompt()
    session.send(".import rows\t Quake\r")
    try session.expect("1 row → Quake")
  }

  @Test func tablesOfAnAppAreJoinedByItsModel() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path
    #expect(try program.shell(["python3", root + "/Examples/app-store/make.py", "Recipes.sqlite"]).status == 0)
    let session = try program.terminal("-q Recipes.sqlite", columns: 120, rows: 24)
    try session.expect("Recipes:ro> ")
    session.send(".sql SELECT * FROM ZRECIPE r JOIN ZCUISINE c ON \t\t")
    try session.expectScreen { $0.lines.contains { $0.contains("r.ZCUISINE = c.Z_PK") } }
    // The pairs of a many-to-many lie in a table of their own.
    session.send("\u{3}")
    try session.expectPrompt("Recipes:ro>")
    session.send(".sql SELECT * FROM ZINGREDIENT i JOIN Z_2RECIPES p ON \t\t")
    try session.expectScreen { $0.lines.contains { $0.contains("p.Z_2INGREDIENTS = i.Z_PK") } }
  }
}

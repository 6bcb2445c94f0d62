import Foundation
import Testing

@testable import Shell

/// The rows of `.sql` are the last value.
@Suite struct SQLRowsTests {
  private func run(_ lines: String...) throws -> (BuiltProgram, BuiltProgram.Result) {
    let program = try BuiltProgram.withStore()
    return (program, try program.run(["-i", "quakes.sqlite"], input: lines.joined(separator: "\n") + "\n"))
  }

  private func text(_ program: BuiltProgram, _ name: String) throws -> String {
    try String(contentsOfFile: program.path(name), encoding: .utf8)
  }

  @Test func theyAreExportedShownAgainAndPlotted() throws {
    let (program, result) = try run(
      "Report:all()", ".sql SELECT code, magnitude FROM quake WHERE magnitude > 4 ORDER BY code", ".export rows.csv",
      ".mode csv", ".last", "print(#_, _[1].code, _[2].magnitude)", "print(plot(_, { x = 'code', y = 'magnitude' }))",
      "print(#_)")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try text(program, "rows.csv") == "code,magnitude\nus4,4.5\nus5,5.5\n")
    #expect(result.output.contains("code,magnitude\nus4,4.5\nus5,5.5\n2\tus4\t5.5\n"))
    #expect(result.output.contains("us5"))
  }

  @Test func columnsOfOneNameAreShownAndExportedEachByItsOwn() throws {
    let join = "SELECT a.code, b.code, b.magnitude FROM quake a JOIN quake b ON b.code > a.code AND a.code = 'us4'"
    let (program, result) = try run(
      ".mode csv", ".sql " + join, ".export rows.csv", ".export rows.json", "print(_[1].code, _[1].code_2)",
      "print(store:sql([[\(join)]])[1].code_2)", "#_")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("code,code_2,magnitude\nus4,us5,5.5\n"))
    #expect(result.output.contains("us4\tus5\nus5\n"))
    #expect(try text(program, "rows.csv") == "code,code_2,magnitude\nus4,us5,5.5\n")
    #expect(try text(program, "rows.json").contains(#""code":"us4","code_2":"us5""#))
  }

  @Test func noRowsAreRowsToo() throws {
    let (program, result) = try run(
      "Quake:all()", ".sql SELECT code, place FROM quake WHERE magnitude > 99", ".export none.csv", "print(#_)")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try text(program, "none.csv") == "code,place\n")
    #expect(result.output.hasSuffix("0\n"))
  }

  @Test func whatHasNoRowsLeavesTheLastValue() throws {
    let (_, result) = try run(
      "7", ".sql UPDATE quake SET place = 'x' WHERE code = 'us1'", "print(_)",
      ".sql UPDATE quake SET place = 'y' WHERE magnitude < 3 RETURNING code", "print(#_, _[1].code)")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("7\n7\n") && result.output.hasSuffix("2\tus1\n"))
  }

  @Test func moreThanAreKeptAreNotTakenForAll() throws {
    let big = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250000) SELECT i FROM n"
    let (program, result) = try run("7", ".sql " + big, "print(_)", "1", ".export rows.csv")
    #expect(result.status != 0)
    #expect(result.output.contains("250000\n") && result.output.contains("nil\n"))
    #expect(!FileManager.default.fileExists(atPath: program.path("rows.csv")))
  }

  @Test func theWholeIsShownWhereTheFirstRowsWere() throws {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("-q quakes.sqlite", columns: 100, rows: 14)
    try session.expect("quakes> ")
    session.send(
      ".sql WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT i FROM n\r")
    try session.expect("of 400 rows (.last shows all)")
    try session.expectPrompt()
    session.send(".last csv\r")
    try session.expect("399\n400\n")
    try session.expectPrompt()
    session.send("#_, _[400].i\r")
    try session.expect("400\n400\n")
  }
}

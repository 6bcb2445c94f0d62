import Foundation
import Modeling
import Testing

@testable import Shell

/// Names and values of a file that would act on a terminal.
@Suite(.serialized) struct HostileNameTests {
  private static let hostile = "x\u{1B}[2J\u{9B}31m\u{202E}y"

  private func program() throws -> BuiltProgram {
    let program = try BuiltProgram()
    let name = Self.hostile
    try program.write(
      "make.sql",
      """
      CREATE TABLE "t\(name)" (id INTEGER PRIMARY KEY, "c\(name)" TEXT, "d" REFERENCES "t\(name)"(id));
      INSERT INTO "t\(name)" VALUES (1, '\(name)', NULL);
      CREATE INDEX "i\(name)" ON "t\(name)" ("c\(name)");
      CREATE VIEW "v\(name)" AS SELECT * FROM "t\(name)";
      """)
    let made = try program.shell(["bash", "-c", "sqlite3 hostile.sqlite <make.sql"])
    #expect(made.status == 0, "\(made)")
    return program
  }

  private func acting(_ text: String) -> [String] {
    text.unicodeScalars.filter { $0.actsOnTerminals && $0 != "\n" && $0 != "\t" }.map { String($0.value, radix: 16) }
  }

  @Test(arguments: [
    ["doc", "hostile.sqlite"], ["types", "hostile.sqlite"], ["types", "--swift", "hostile.sqlite"],
    ["doctor", "hostile.sqlite"], ["doctor", "--json", "hostile.sqlite"],
  ])
  func nothingThatIsWrittenOfAModelHasThem(_ arguments: [String]) throws {
    let result = try program().run(arguments)
    #expect(result.status == 0 || !result.errors.isEmpty, "\(result)")
    #expect(acting(result.output + result.errors).isEmpty, "\(result.output.debugDescription)")
  }

  @Test func theFilesOfADocumentHaveNone() throws {
    let program = try program()
    #expect(try program.run(["doc", "hostile.sqlite", "--into", "docs"]).status == 0)
    for name in ["model.md", "model.svg"] {
      #expect(try acting(String(contentsOfFile: program.path("docs/\(name)"), encoding: .utf8)).isEmpty, "\(name)")
    }
  }

  @Test(arguments: ["off", "own"]) func aDumpOnATerminalShowsThem(_ pager: String) throws {
    let program = try program()
    let session = try program.terminal("-q --no-init hostile.sqlite", environment: ["PERILUNE_PAGER": pager])
    try session.expectPrompt("hostile>")
    session.send(".dump\r")
    try session.expect("COMMIT")
    let output = String(decoding: session.output, as: UTF8.self)
    #expect(!output.contains("\u{1B}[2J\u{9B}") && !output.contains("\u{9B}") && !output.contains("\u{202E}"))
    #expect(output.contains("x␛[2J\u{FFFD}31m\u{FFFD}y"))
  }

  @Test func aDumpInAFileMakesThemAgainAndItsValuesActOnNothing() throws {
    let program = try program()
    let dump = try program.run(["hostile.sqlite", "-e", ".dump"]).output
    let values = dump.split(separator: "\n").filter { $0.contains("VALUES") }.map { $0.split(separator: "VALUES")[1] }
    #expect(values.count == 1 && acting(values.joined()).isEmpty, "\(values)")
    let again = try program.shell(
      ["bash", "-c", "perilune hostile.sqlite -e .dump | sqlite3 again.sqlite && sqlite3 again.sqlite .dump"])
    let before = try program.shell(["bash", "-c", "sqlite3 hostile.sqlite .dump"])
    #expect(again.output == before.output && again.output.contains(Self.hostile), "\(again.errors)")
  }
}

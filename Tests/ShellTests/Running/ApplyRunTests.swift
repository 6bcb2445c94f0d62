import Foundation
import TestSupport
import Testing

/// Patches carry differences to other stores.
@Suite struct ApplyRunTests {
  private func changed() throws -> BuiltProgram {
    let program = try BuiltProgram.withStore()
    try FileManager.default.copyItem(atPath: program.path("quakes.sqlite"), toPath: program.path("b.sqlite"))
    let change = """
      Quake:find("us1").magnitude = 0.5 Quake:find("us2"):delete()
      Report { text = "new", quake = Quake { code = "n", place = "it's" } } save()
      """
    #expect(try program.run(["b.sqlite", "-e", change]).status == 0)
    return program
  }

  private func isEqual(_ program: BuiltProgram, _ first: String, _ second: String = "b.sqlite") throws -> Bool {
    try program.run(["compare", first, second]).status == 0
  }

  @Test func aPatchMakesOneStoreTheOther() throws {
    let program = try changed()
    let written = try program.run(["compare", "quakes.sqlite", "b.sqlite", "--patch", "p.patch"])
    #expect(written.status == 1 && written.errors == "4 changes in p.patch\n", "\(written)")
    let dry = try program.run(["apply", "p.patch", "quakes.sqlite", "--dry-run"])
    #expect(dry.status == 0 && dry.output.contains("nothing of this was kept"), "\(dry)")
    #expect(try !isEqual(program, "quakes.sqlite"))
    let applied = try program.run(["apply", "p.patch", "quakes.sqlite"])
    #expect(applied.status == 0 && applied.errors == "2 inserted, 1 updated, 1 deleted\n", "\(applied)")
    #expect(try isEqual(program, "quakes.sqlite"))
    // Once more: all of it is there.
    let again = try program.run(["apply", "p.patch", "quakes.sqlite"])
    #expect(again.status == 0 && again.errors == "0 inserted, 0 updated, 0 deleted\n", "\(again)")
  }

  @Test func statementsAndScriptsDoTheSame() throws {
    let program = try changed()
    let sql = try program.run(["compare", "quakes.sqlite", "b.sqlite", "--sql"])
    #expect(sql.status == 1 && sql.output.hasPrefix("BEGIN;\n") && sql.output.hasSuffix("COMMIT;\n"), "\(sql)")
    let lua = try program.run(["compare", "quakes.sqlite", "b.sqlite", "--lua"])
    #expect(lua.status == 1, "\(lua)")
    for name in ["s.sqlite", "l.sqlite"] {
      try FileManager.default.copyItem(atPath: program.path("quakes.sqlite"), toPath: program.path(name))
    }
    try program.write("s.sql", sql.output)
    let statements = try program.run(
      ["s.sqlite"], input: "for text in io.open('s.sql'):read('a'):gmatch('(.-);\\n') do store:sql(text) end\n")
    #expect(statements.status == 0, "\(statements)")
    #expect(try isEqual(program, "s.sqlite"))
    try program.write("l.lua", lua.output)
    #expect(try program.run(["l.sqlite", "l.lua"]).status == 0)
    #expect(try isEqual(program, "l.sqlite"))
    let both = try program.run(["compare", "quakes.sqlite", "b.sqlite", "--sql", "--lua"])
    #expect(both.status == 64 && both.errors.contains("--sql and --lua exclude each other"), "\(both)")
  }

  @Test func nothingIsWrittenWhereAnObjectIsNotAsExpected() throws {
    let program = try changed()
    _ = try program.run(["compare", "quakes.sqlite", "b.sqlite", "--patch", "p.patch"])
    #expect(
      try program.run([
        "quakes.sqlite", "-e", "Quake:find('us1').magnitude = 9 Quake:find('us2').place = 'there' save()",
      ]).status == 0)
    let refused = try program.run(["apply", "p.patch", "quakes.sqlite"])
    #expect(refused.status == 1)
    #expect(
      refused.errors.contains("  Quake us1: magnitude is 9.0, expected 1.5, to become 0.5\n"), "\(refused.errors)")
    #expect(refused.errors.contains("  Quake us2 is to be deleted: place is \"there\", expected"), "\(refused.errors)")
    #expect(try program.run(["quakes.sqlite", "-e", "Quake:count()"]).output == "5\n")
    let partial = try program.run(["apply", "p.patch", "quakes.sqlite", "--partial"])
    #expect(partial.status == 1 && partial.errors.hasSuffix("2 inserted, 0 updated, 0 deleted\n"), "\(partial)")
    #expect(try program.run(["quakes.sqlite", "-e", "Quake:count()"]).output == "6\n")
  }

  @Test(arguments: [
    ("", "p.patch:1: this is not a patch"), ("{}\n", "p.patch:1: this is not a patch"),
    (#"{"perilune":"patch","version":2,"count":0}"#, "the patch has version 2"),
    (
      #"{"perilune":"patch","version":1,"count":1,"identities":{},"properties":{}}"#,
      "the patch has 0 changes, and its first line says 1"
    ),
    (
      "{\"perilune\":\"patch\",\"version\":1,\"count\":1,\"identities\":{},\"properties\":{}}\n{",
      "p.patch:2: column 2: the text ends where"
    ),
    (
      "{\"perilune\":\"patch\",\"version\":1,\"count\":1,\"identities\":{},\"properties\":{}}\n{\"kind\":\"updatd\",\"entity\":\"Quake\",\"identity\":[1],\"changes\":[]}",
      "there is no kind of change 'updatd'; did you mean 'updated'?"
    ),
    (
      "{\"perilune\":\"patch\",\"version\":1,\"count\":1,\"identities\":{},\"properties\":{}}\n{\"kind\":\"updated\",\"entity\":\"Quak\",\"identity\":[1],\"changes\":[]}",
      "the store has no entity 'Quak'; did you mean 'Quake'?"
    ),
  ])
  func damagedPatchesAreErrorsWithAPlace(_ text: String, _ message: String) throws {
    let program = try BuiltProgram.withStore()
    try program.write("p.patch", text)
    let result = try program.run(["apply", "p.patch", "quakes.sqlite"])
    #expect(result.status != 0 && result.errors.contains(message), "\(result)")
  }
}

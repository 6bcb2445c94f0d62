import Foundation
import Testing

/// Files that scripts write are new, or replaced on purpose.
@Suite struct ExportFunctionTests {
  @Test func aFileThatIsThereIsReplacedOnlyByForce() throws {
    let program = try BuiltProgram.withStore()
    for (call, name) in [
      ("export(Quake:all(), 'a.csv'%)", "a.csv"), ("plot(Quake, { x = 'magnitude' }):save('a.svg'%)", "a.svg"),
      ("export({ 1, 2 }, 'a.lua'%)", "a.lua"),
    ] {
      func run(_ options: String) throws -> BuiltProgram.Result {
        try program.run(["quakes.sqlite", "-e", call.replacing("%", with: options)])
      }
      try "precious".write(toFile: program.path(name), atomically: true, encoding: .utf8)
      let refused = try run("")
      #expect(
        refused.status != 0 && refused.errors.contains("'\(name)' is there already; force = true replaces it"),
        "\(refused)")
      #expect(try String(contentsOfFile: program.path(name), encoding: .utf8) == "precious")
      #expect(try run(", { force = true }").status == 0)
      #expect(try String(contentsOfFile: program.path(name), encoding: .utf8) != "precious")
    }
    #expect(try program.run(["quakes.sqlite", "-e", ".export a.csv Quake"]).errors.contains("there already"))
    #expect(try program.run(["quakes.sqlite", "-e", ".export --force a.csv Quake:limit(1)"]).status == 0)
    #expect(try String(contentsOfFile: program.path("a.csv"), encoding: .utf8).split(separator: "\n").count == 2)
  }

  @Test func aFileWithBlanksIsAWordAndTheRestIsTheExpression() throws {
    let program = try BuiltProgram.withStore()
    for (line, file) in [
      (".export \"my file.csv\" Quake:limit(1)", "my file.csv"),
      (".export --force 'my file.csv'  Quake:limit(1)", "my file.csv"),
      (".export text.csv \"one\" and Quake:limit(1)", "text.csv"),
    ] {
      let result = try program.run(["quakes.sqlite", "-e", line])
      #expect(result.status == 0, "\(result)")
      #expect(try String(contentsOfFile: program.path(file), encoding: .utf8).split(separator: "\n").count == 2)
    }
  }
}

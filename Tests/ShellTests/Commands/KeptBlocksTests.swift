import Foundation
import Testing

/// `.keep` keeps blocks under names, and `.kept` runs them in later sessions.
@Suite struct KeptBlocksTests {
  @Test func whatIsKeptRunsInALaterSession() throws {
    let program = try BuiltProgram.withStore()
    let kept = try program.run(
      ["quakes.sqlite"], input: ".keep strong Quake:count 'magnitude > 3'\n.keep all Quake:count()\n")
    #expect(kept.status == 0, "\(kept.errors)")
    #expect(try program.run(["quakes.sqlite", "-e", ".kept strong", "-e", ".kept all"]).output == "3\n5\n")
    #expect(
      try program.run(["-e", ".kept"]).output == "  all     Quake:count()\n  strong  Quake:count 'magnitude > 3'\n")
  }

  @Test func withoutATextItIsTheLastBlock() throws {
    let program = try BuiltProgram.withStore()
    let session = try PTYSession(
      executable: "/bin/sh", arguments: ["-c", "cd '\(program.folder.path)' && exec perilune quakes.sqlite"],
      environment: program.environment, columns: 100, rows: 30)
    try session.expectPrompt()
    session.send("Quake:count() + 1\r")
    try session.expect("6")
    try session.expectPrompt()
    session.send(".keep one\r")
    try session.expect(".kept one runs it")
    try session.expectPrompt()
    #expect(try program.run(["quakes.sqlite", "-e", ".kept one"]).output == "6\n")
  }

  @Test func aKeptRequestTakesValuesForItsVariables() throws {
    let program = try BuiltProgram.withStore()
    _ = try program.run(["quakes.sqlite", "-e", ".keep above Quake:where 'magnitude > $least AND code != $code'"])
    _ = try program.run(["quakes.sqlite", "-e", ".keep all Quake:all()", "-e", ".keep block local x = 1 print(x)"])
    func run(_ line: String) throws -> BuiltProgram.Result {
      try program.run(["quakes.sqlite", "-e", line, "-e", "_:count()"])
    }
    #expect(try run(".kept above least = 3, code = 'us5'").output.hasSuffix("\n2\n"))
    #expect(try run(".kept above { least = 1 + 3, code = \"\" }").output.hasSuffix("\n2\n"))
    #expect(try run(".kept above least = 3").errors.contains("code"))
    #expect(try run(".kept above 3").errors.contains("expected values as in .kept above x = 7"))
    #expect(try run(".kept block x = 3").errors.contains("'block' is a block of statements"))
    #expect(try run(".kept all").output.hasSuffix("\n5\n"))
  }

  /// A request that lacks a value fails, and can be bound afterwards.
  @Test func aRequestWithoutItsValueIsTheLastValueAllTheSame() throws {
    let program = try BuiltProgram.withStore()
    let session = try program.terminal("-q quakes.sqlite", columns: 100)
    try session.expect("quakes> ")
    session.send("Quake:where 'magnitude > $least'\r")
    try session.expect("least")
    try session.expectPrompt()
    session.send("_:bind({ least = 3 }):count() + 40\r")
    try session.expect("\n43\n")
  }

  @Test func withoutAFirstValueOrBlockThatIsSaid() throws {
    let result = try BuiltProgram.withStore().run(["quakes.sqlite", "-e", ".last", "-e", ".kept"])
    #expect(result.output.contains("there is no value yet"), "\(result.output)")
    #expect(result.output.contains("nothing is kept yet: .keep NAME keeps the last block"))
    let other = try BuiltProgram.withStore().run(["quakes.sqlite", "-e", ".kept x"])
    #expect(other.status == 1 && other.errors.contains("there is no 'x': nothing is kept yet"), "\(other.errors)")
  }

  static let mistakes: [(String, String)] = [
    (".keep", "usage: .keep NAME [REQUEST]"), (".keep ../x 1", "a name has letters"),
    (".keep x = = 1", "that is no Lua"),
    (".keep x", "no block has been run yet"), (".kept strng", "did you mean 'strong'?"),
  ]

  @Test(arguments: mistakes)
  func aMistakeKeepsNothing(_ line: String, _ message: String) throws {
    let program = try BuiltProgram.withStore()
    _ = try program.run(["quakes.sqlite", "-e", ".keep strong Quake:all()"])
    let result = try program.run(["quakes.sqlite", "-e", line])
    #expect(result.status == 1)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try program.run(["-e", ".kept"]).output == "  strong  Quake:all()\n")
  }

  @Test func theSandboxHasNone() throws {
    let program = try BuiltProgram.withStore()
    let result = try program.run(["--sandbox", "quakes.sqlite", "-e", ".keep x 1"])
    #expect(result.status != 0 && result.errors.contains("sandbox"))
  }
}

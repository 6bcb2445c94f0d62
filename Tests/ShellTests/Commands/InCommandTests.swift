import Foundation
import Testing

@testable import Shell

/// Being in an object, whose properties are names there.
@Suite struct InCommandTests {
  private let program: BuiltProgram

  init() throws { program = try BuiltProgram.withStore() }

  /// What lines print, as if they were piped in.
  private func output(_ lines: String...) throws -> String {
    let result = try program.run(
      ["-q", "quakes.sqlite"], input: ".mode lines\n" + lines.joined(separator: "\n") + "\n")
    return result.output + result.errors
  }

  @Test func propertiesAreNamesAndSelfIsTheObject() throws {
    #expect(
      try output(
        ".in Quake:find 'us5'", "print(code, magnitude, #reports, self == Quake:find 'us5')", "magnitude = 9.5",
        "print(Quake:find 'us5'.magnitude)", ".out", "print(magnitude)", ".rollback") == "us5\t5.5\t1\ttrue\n9.5\nnil\n"
    )
  }

  @Test func oneGoesFromObjectToObjectAndBack() throws {
    #expect(
      try output(
        ".in Quake:find 'us5'", ".in reports[1]", "print(quake.code)", ".out", "print(code)", ".in reports[1]",
        ".out all",
        "print(code, quake)") == "us5\nus5\nnil\tnil\n")
  }

  @Test func localsGoBeforePropertiesAndGlobalsBehind() throws {
    #expect(
      try output(
        "local code = 'mine'", "place = 'global'", ".in Quake:find 'us1'", "print(code, place, math.abs(-magnitude))",
        "other = 3", ".out", "print(place, other)") == "mine\t\(try place("us1"))\t1.5\nglobal\t3\n")
  }

  private func place(_ code: String) throws -> String {
    try output("print(Quake:find '\(code)'.place)").trimmingCharacters(in: .newlines)
  }

  @Test(arguments: [
    (".in Quake", "expected an object, got entity; :first() is its first object"),
    (".in Quake:all()", "expected an object, got request; :first() is its first object"),
    (".in Quake:fetch()", "expected an object, got several objects; [1] is the first"), (".in 5", "got number"),
    (".in nosuch", "got nil"), (".out", "no object was gone into"), (".out x", "'x' is none of all"),
  ])
  func whatIsNoObjectIsRefused(line: String, message: String) throws {
    #expect(try output(line).contains(message))
  }

  @Test func closingTheStoreLeaves() throws {
    #expect(try output(".in Quake:find 'us1'", ".close", ".in").contains("in no object"))
    #expect(try output("a = 1 .in Quake:find 'us1'").contains("error"))
  }

  @Test func deletedObjectsAreLeftWithoutHarm() throws {
    let text = try output(".in Quake:find 'us1'", "self:delete()", "save()", ".out", "print(Quake:count())")
    #expect(text == "4\n")
  }

  @Test func thePromptSaysWhereOneIs() throws {
    let session = try program.terminal("-q quakes.sqlite", columns: 100, rows: 24)
    try session.expect("quakes> ")
    session.send(".in Quake:find 'us5'\r")
    try session.expect("quakes Quake us5> ")
    session.send("magn\t\r")
    try session.expect("\n5.5\n")
    try session.expect("quakes Quake us5> ")
    session.send("nosuch\r")
    try session.expect("there is no 'nosuch'")
    session.send(".out\r")
    try session.expect("quakes> ")
  }
}

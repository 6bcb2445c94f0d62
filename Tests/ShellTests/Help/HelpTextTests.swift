import Testing

@testable import Session
@testable import Shell

/// What `help` says of a name.
@Suite struct HelpTextTests {
  private let program: BuiltProgram

  init() throws { program = try BuiltProgram.withStore() }

  private func help(_ name: String) throws -> [String] {
    let result = try program.run(["-q", "quakes.sqlite", "-e", "help '\(name)'"])
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func whatSeveralKindsHaveAlikeIsToldOnce() throws {
    let lines = try help("sorted")
    #expect(lines.count { $0.contains("The same request in another order") } == 1)
    #expect(
      lines.prefix(3).map { $0.prefix { $0 != "(" } } == ["  Entity:sorted", "  collection:sorted", "  request:sorted"])
    #expect(lines.suffix(3).allSatisfy { $0.hasPrefix("      > ") })
  }

  @Test(arguments: [40, 60, 80, 120]) func helpFitsTheWindow(_ columns: Int) throws {
    let session = try program.terminal(
      "-q quakes.sqlite", environment: ["PERILUNE_PAGER": "off"], columns: columns, rows: 70)
    try session.expectPrompt()
    for name in ["", "where"] {
      session.send("?\(name)\r")
      try session.expect(name.isEmpty ? "stays in" : "%@\", 3)\nquakes")
      try session.expectPrompt()
    }
    let lines = session.transcript.split(separator: "\n").filter { !$0.contains("> ") }
    #expect(lines.allSatisfy { $0.count <= columns }, "\(lines.filter { $0.count > columns })")
    #expect(lines.contains { $0.contains("twelve steps") } && lines.contains { $0.contains("Ctrl-D") })
    // An example stays one line, which can be copied.
    #expect(session.transcript.contains(#"> Quake:where("magnitude > 3"):where("magnitude > %@", 3)"#))
  }

  @Test func aPropertyIsFoundWithItsEntity() throws {
    #expect(try help("magnitude").first?.hasPrefix("  Quake.magnitude  Double") == true)
    #expect(try help("Quake.magnitude") == help("magnitude"))
    #expect(try help("Report.quake").allSatisfy { !$0.hasPrefix("  Quake.") })
  }

  @Test func optionsStandInATableBehindTheFunction() throws {
    let lines = try help("plot")
    let title = try #require(lines.firstIndex(of: "    Options"))
    #expect(lines[..<title].allSatisfy { !$0.contains("number of bars") })
    #expect(lines.contains("      bins     The maximum number of bars, 20 by default."))
    #expect(lines[title...].allSatisfy { $0.count < 80 && $0.last != " " })
    #expect(lines.last?.hasPrefix("      height ") == true)
  }

  @Test func aLongNameOfAnOptionHasALineOfItsOwn() throws {
    let lines = try help("FetchRequest")
    let place = try #require(lines.firstIndex(of: "      shouldRefreshRefetchedObjects"))
    #expect(lines[place + 1].hasPrefix(String(repeating: " ", count: 30) + "Whether objects in memory"))
  }

  @Test func everyWayToAskGivesTheSameAnswer() throws {
    for name in ["where", "CONTAINS", "magnitude", "Quake", "keys", ".tables"] {
      let answer = try program.run(["quakes.sqlite", "-e", "?" + name]).output
      #expect(!answer.isEmpty)
      for line in ["help \(name)", ".help \(name)", "help(\"\(name)\")"] {
        let result = try program.run(["quakes.sqlite", "-e", line])
        #expect(result.status == 0 && result.errors.isEmpty, "\(line): \(result.errors)")
        // The command alone tells in one line what it does.
        if name != ".tables" || !line.hasPrefix(".help") { #expect(result.output == answer, "\(line)") }
      }
    }
    // The command comes first, and what is neither is refused.
    #expect(try program.run(["quakes.sqlite", "-e", ".help schema"]).output.contains("  .schema [ENTITY]"))
    let result = try program.run(["quakes.sqlite", "-e", ".help wher3"])
    #expect(result.status == 1 && result.errors.contains("there is no command .wher3"), "\(result.errors)")
  }

  @Test func theKeysOfThePromptAreListed() throws {
    let text = try help("keys").joined(separator: "\n")
    for (key, _) in KeyTable.keys { #expect(text.contains("  " + key), "\(key)") }
  }

  @Test func anOptionAloneSaysWhoseItIs() throws {
    #expect(try help("bins").first == "  bins = ... (option of plot)")
  }
}

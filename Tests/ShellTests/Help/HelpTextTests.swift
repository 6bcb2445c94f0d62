import Testing

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

  @Test func anOptionAloneSaysWhoseItIs() throws {
    #expect(try help("bins").first == "  bins = ... (option of plot)")
  }
}

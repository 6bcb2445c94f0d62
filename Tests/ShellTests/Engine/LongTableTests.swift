import Testing

@testable import Shell

/// Long tables at the prompt: their first rows and their last, with the headings over them.
@Suite(.serialized) struct LongTableTests {
  private let program: BuiltProgram
  private let session: PTYSession

  init() throws {
    program = try BuiltProgram.withStore()
    try program.write(
      "fill.lua",
      """
      Quake:batchDelete "TRUEPREDICATE"
      for i = 1, 60 do Quake { code = ("%02d"):format(i), place = "p" .. i // 28 } end
      save()
      """)
    let filled = try program.run(["quakes.sqlite", "fill.lua"])
    #expect(filled.status == 0, "\(filled.errors)")
    session = try program.terminal("-q quakes.sqlite", columns: 80, rows: 60)
    try session.expect("quakes> ")
  }

  /// The lines of the table that a block shows, the rule and names above it left out.
  private func lines(_ block: String, last: String) throws -> [String] {
    let start = session.output.count
    session.send(block + "\r")
    try session.expect(last)
    let text = String(decoding: session.output[start...], as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).map(String.init).filter { $0.hasPrefix("│") || $0.hasPrefix("├─ ") }
  }

  @Test func sectionsShowTheirEnd() throws {
    let lines = try lines(
      "show(SectionedFetchRequest { entity = Quake, sectionIdentifier = 'place', sortDescriptors = { 'code' } }:live(), "
        + "{ columns = { 'code' } })", last: "25 of 60 Quake")
    #expect(
      lines.filter { $0.hasPrefix("├─ ") }.map { $0.contains("p0 · 27") ? "p0" : $0.contains("p2 · 5") ? "p2" : $0 }
        == ["p0", "p2"])
    #expect(lines.suffix(5).map { $0.filter(\.isNumber) } == ["56", "57", "58", "59", "60"])
  }

  @Test func aSectionThatBeganBeforeIsNamed() throws {
    session.send("Quake:batchUpdate('code > \"55\"', { place = 'p1' })\r")
    try session.expect("5\n")
    try session.expectPrompt()
    let lines = try lines(
      "show(SectionedFetchRequest { entity = Quake, sectionIdentifier = 'place', sortDescriptors = { 'code' } }:live(), "
        + "{ columns = { 'code' } })", last: "25 of 60 Quake")
    #expect(lines.contains { $0.contains("p1 · 33") })
  }

  @Test func groupsShowTheirEnd() throws {
    let lines = try lines("Quake:all():grouped('code', { n = 'count' }):sorted('code')", last: "25 of 60")
    #expect(lines.suffix(5).map { $0.filter(\.isNumber) } == ["561", "571", "581", "591", "601"])
  }

  @Test func anEndThatIsFarAwayIsNotWaitedFor() throws {
    // The forty rows are there at once, and then it counts for ever.
    session.send(
      ".sql WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t WHERE n <= 40\r")
    try session.expect("the first 20 rows")
    try session.expectPrompt()
    session.send("1 + 1\r")
    try session.expect("2\n")
  }

  @Test func sqlShowsItsEnd() throws {
    let lines = try lines(".sql SELECT code FROM quake WHERE code <= '28' ORDER BY code", last: "25 of 28")
    #expect(lines.suffix(5).map { $0.filter(\.isNumber) } == ["24", "25", "26", "27", "28"])
  }
}

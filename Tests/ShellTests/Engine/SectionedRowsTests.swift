import Testing

@testable import Shell

/// Sectioned results as they are shown: rows under the headings of their sections.
@Suite struct SectionedRowsTests {
  private static let sections = """
    for i = 1, 3 do Quake:find("us" .. i).place = i == 2 and "Lata" or "Chile & <Peru>" end
    Quake:find("us4").place = nil
    Quake:find("us5"):delete()
    save()
    r = SectionedFetchRequest { entity = Quake, sectionIdentifier = "place", sortDescriptors = { "code" } }:live()

    """

  private func output(_ script: String) throws -> String {
    let program = try BuiltProgram.withStore()
    try program.write("s.lua", Self.sections + script)
    let result = try program.run(["quakes.sqlite", "s.lua"])
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").filter { !$0.contains(" Quake · ") }.joined(separator: "\n")
  }

  @Test func aTableHasARuleForEachSection() throws {
    let expected = """
      ┌──────┬───────────┐
      │ code │ magnitude │
      ├─ nil · 1 ────────┤
      │ us4  │       4.5 │
      ├─ Chile & <Peru> · 2
      │ us1  │       1.5 │
      │ us3  │       3.5 │
      ├─ Lata · 1 ───────┤
      │ us2  │       2.5 │
      └──────┴───────────┘
      """
    let show = "show(%s, { mode = 'table', columns = { 'code', 'magnitude' } })"
    for value in ["r", "r.sections", "r.request"] {
      #expect(try output(show.replacing("%s", with: value)) == expected, "\(value)")
    }
  }

  @Test func otherModesHaveHeadingsToo() throws {
    #expect(
      try output("show(r, { mode = 'list', columns = { 'code' } })")
        == "nil · 1\nus4\nChile & <Peru> · 2\nus1\nus3\nLata · 1\nus2")
    #expect(
      try output("show(r, { mode = 'markdown', columns = { 'code' }, limit = 2 })")
        == "### nil · 1\n| code |\n| --- |\n| us4 |\n### Chile &amp; &lt;Peru> · 2\n| code |\n| --- |\n| us1 |")
    let html = try output("export(r, '-', { mode = 'html', columns = { 'code' } })")
    #expect(html.contains("<h3>Chile &amp; &lt;Peru&gt; · 2</h3>\n<table>"))
    #expect(html.split(separator: "\n").filter { $0 == "</table>" }.count == 3)
    #expect(try output("show(r, { mode = 'lines', columns = { 'code' } })").hasPrefix("nil · 1\n── Quake 1 "))
    #expect(try output("show(r, { mode = 'list', folded = true })") == "|1\nChile & <Peru>|2\nLata|1")
  }

  @Test func modesForProgramsWriteTheObjects() throws {
    #expect(try output("show(r, { mode = 'csv', columns = { 'code' } })") == "code\nus4\nus1\nus3\nus2")
    #expect(
      try output("r.predicate = 'code == nil' show(r, { mode = 'markdown', columns = { 'code' } })")
        == "| code |\n| --- |")
  }
}

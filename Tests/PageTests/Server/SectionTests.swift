import TestSupport
import Testing

@testable import Page

/// Rows in sections.
@Suite struct SectionTests {
  private let served: ServedStore

  init() throws {
    served = try ServedStore()
    try served.run(
      """
      Quake:find('us1').place = nil
      for i = 10, 29 do Quake { code = 'z' .. i, magnitude = i % 4, place = i < 20 and 'Suva' or 'Lata \\"x\\"' } end
      save()
      """)
  }

  /// The lines of a table: the titles of headings, and the codes of rows.
  private func lines(_ query: String) throws -> [String] {
    let page = try served.open("/Quake?column=code&" + query).text
    return page.matches(of: /<tr(?: class="section")? data-key="([^"]*)".*?<\/tr>/).map { line in
      let cells = line.0.matches(of: /<td[^>]*>(.*?)<\/td>/).map { $0.1.replacing(/<[^>]*>/, with: "") }
      return cells.count > 1 ? String(cells[1]) : ""
    }
  }

  @Test func headingsHaveTheValueOfTheirRowsAndTheirNumber() throws {
    let lines = try lines("sections=place&sort=code")
    #expect(Array(lines.prefix(2)) == ["nil · 1", "us1"])
    #expect(lines.contains("Suva · 11") && lines.contains("Lata &quot;x&quot; · 10"))
    #expect(lines.firstIndex(of: "z10")! > lines.firstIndex(of: "Suva · 11")!)
    #expect(try self.lines("sections=place&folded=all&sort=-place").last == "nil · 1")
    let bySize = try self.lines("sections=abs(magnitude)")
    #expect(bySize.filter { $0.contains("·") }.count == 9)
  }

  @Test func aSectionFoldsAndOpensByItsHeading() throws {
    let folded = try served.open("/Quake?sections=place&folded=all")
    #expect(!folded.text.contains("data-key=\"Quake/") && folded.text.contains("25 Quake"))
    let link = try #require(folded.text.firstMatch(of: /<a href="([^"]*)" aria-label="Open Lata &quot;x&quot;"/))
    let opened = try served.open(String(link.1).replacing("&amp;", with: "&")).text
    #expect(opened.matches(of: /data-key="Quake\//).count == 10)
    #expect(opened.contains("aria-label=\"Fold Lata &quot;x&quot;\"") && opened.contains("aria-label=\"Open nil\""))
    let exceptOne = try lines("sections=place&folded=nil&folded=%22Suva%22")
    #expect(exceptOne.contains("Suva · 11") && !exceptOne.contains("z10") && exceptOne.contains("z20"))
    #expect(!exceptOne.contains("us1"))
  }

  @Test func aWindowAnywhereHasTheLinesThatTheWholeTableHasThere() throws {
    for folding in ["", "&folded=all&opened=%22Suva%22&opened=nil", "&folded=%22Suva%22"] {
      let whole = try lines("sections=place&rows=100&sort=code" + folding)
      for size in [1, 3, 7] {
        for first in 1...whole.count {
          let start = max(0, min(first - 1, whole.count - size))
          let window = try lines("sections=place&sort=code&rows=\(size)&row=\(first)" + folding)
          #expect(window == Array(whole[start..<min(start + size, whole.count)]), "\(folding) \(size) \(first)")
        }
      }
    }
  }

  @Test func headingsFollowTheStoreAndARowStaysAtItsPlace() throws {
    let query = "/Quake?sections=place&sort=code&rows=5&part=rows&anchor=Quake/25&offset=2"
    func keys() throws -> [String] {
      try served.open(query).text.matches(of: /data-key="([^"]*)"/).map { String($0.1) }
    }
    #expect(try keys()[2] == "Quake/25")
    try served.run("for i = 1, 5 do Quake { code = 'a' .. i, place = 'A' } end save()")
    #expect(try keys()[2] == "Quake/25")
    #expect(try lines("sections=place&folded=all").contains("A · 5"))
    let folded = try served.open(query + "&folded=all").text
    #expect(folded.contains("data-count=\"7\" data-total=\"30\""))
  }

  @Test func whatMakesNoSectionsIsSaid() throws {
    for (wrong, sentence) in [("plac", "place"), ("reports", "reports"), ("magnitude.x", "magnitude")] {
      let page = try served.open("/Quake?sections=" + wrong)
      #expect(page.status == 422 && page.text.contains(sentence), "\(wrong)")
    }
  }

  @Test func theLineAtTheFootMakesTheSameSections() throws {
    let page = try served.open("/Quake?sections=place&sort=-magnitude&where=magnitude+%3E+1").text
    let line = try #require(page.firstMatch(of: /<code class="line"[^>]*>(.*?)<\/code>/)).1
      .replacing("&quot;", with: "\"").replacing("&gt;", with: ">")
    try served.run("local live = \(line):live() assert(#live.sections == 6 and live.sections[6].id == 'Suva')")
    let data = try served.open("/Quake.json?sections=place&folded=%22Suva%22&rows=3&row=19").text
    #expect(data.contains(#""sections":[{"count":11,"isFolded":true,"value":"Suva"}]"#))
  }
}

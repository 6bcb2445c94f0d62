import TestSupport
import Testing

@testable import Page

/// What a text leads to.
@Suite struct JumpTests {
  private let served: ServedStore

  init() throws { served = try ServedStore(permitsChanges: true) }

  /// The links that are found, as "text: remark".
  private func found(_ text: String) throws -> [String] {
    let page = try served.get("/-/jump", ["part": "1", "find": text]).text
    return page.matches(of: /<li><a href="[^"]*">([^<]*)<\/a> <small>([^<]*)<\/small>/).map { "\($0.1): \($0.2)" }
  }

  @Test func entitiesAreListedBeforeSomethingIsTyped() throws {
    #expect(try found("") == ["Quake: entity", "Report: entity"])
    #expect(try found("quak").first == "Quake: entity")
  }

  @Test func objectsAreFoundByTheirNamesAndKeys() throws {
    #expect(try found("us3") == ["us3: Quake 3"])
    #expect(try found("US3") == ["us3: Quake 3"])
    #expect(try found("4").contains("us4: Quake 4"))
    try served.run("Quake { code = 'unsaved <b>' }")
    #expect(try found("unsaved") == ["unsaved &lt;b&gt;: Quake t1"])
    #expect(try served.get("/-/jump", ["find": "nothing like it"]).text.contains("nothing is called that"))
  }

  @Test func whatIsFoundLeadsThere() throws {
    let page = try served.get("/-/jump", ["find": "us3"]).text
    let link = try #require(page.firstMatch(of: /<li><a href="([^"]*)"/)).1
    #expect(try served.open(String(link)).text.contains("<h1>Quake us3</h1>"))
  }

  @Test func helpIsAPage() throws {
    #expect(try found("Request.where").contains { $0.hasSuffix(": help") })
    #expect(try found("BEGINSWITH").contains("BEGINSWITH: help"))
    let text = try served.get("/-/help", ["name": "BEGINSWITH"]).text
    #expect(text.contains("<pre") && text.contains("BEGINSWITH") && !text.contains("\u{1B}"))
    for link in try served.get("/-/jump", ["find": "count"]).text.matches(of: /"(\/-\/help\?[^"]*)"/) {
      #expect(try served.open(String(link.1)).status == 200, "\(link.1)")
    }
    #expect(try served.get("/-/help", ["name": "<nothing>"]).status == 404)
  }

  @Test func theLineStandsOnEveryPage() throws {
    for page in ["/", "/Quake", "/-/changes", "/-/jump"] {
      #expect(try served.get(page).text.contains(#"<form action="/-/jump" role="search" class="jump">"#), "\(page)")
    }
  }
}

import Foundation
import Session
import Stores
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

  @Test func keptRequestsAreFoundAndShown() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("kept"), withIntermediateDirectories: false)
    for (name, text) in [
      ("strong", "Quake:where 'magnitude > 3'\n"), ("many", "local n = Quake:count()\nprint(n)\nreturn 'end'"),
    ] {
      try Data(text.utf8).write(to: URL(filePath: folder.file("kept/\(name).lua")))
    }
    func served(isSandboxed: Bool) throws -> ServedStore {
      try ServedStore(StoreOptions(path: self.served.path), in: folder, permitsChanges: false) { options in
        options.configurationFolder = folder.path
        options.engine.isSandboxed = isSandboxed
      }
    }
    let open = try served(isSandboxed: false)
    let page = try open.get("/-/jump", ["find": "strong"]).text
    let link = try #require(page.firstMatch(of: /<a href="([^"]*)">kept\/strong.lua<\/a>/)).1
    let text = try open.open(String(link)).text
    #expect(text.contains(">us3</") && text.contains(">us4</") && !text.contains(">us2</"))
    let many = try open.get("/-/page", ["page": "kept/many.lua"]).text
    #expect(many.contains("<pre class=\"printed\">5\nend</pre>"))
    for other in ["strong.lua", "kept/../strong.lua", "kept/"] {
      #expect(try open.get("/-/page", ["page": other]).status == 404, "\(other)")
    }
    // In the sandbox scripts have no files.
    let sandboxed = try served(isSandboxed: true)
    #expect(try !sandboxed.get("/-/jump", ["find": "strong"]).text.contains("kept"))
    #expect(try sandboxed.get("/-/page", ["page": "kept/strong.lua"]).status == 404)
  }

  @Test func helpIsAPage() throws {
    #expect(try found("Request.where").contains { $0.hasSuffix(": help") })
    #expect(try found("BEGINSWITH").contains("BEGINSWITH: help"))
    #expect(try found("count").first == "Entity:count: help")
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

import HTTP
import Testing

@testable import Page

/// What pages show.
@Suite struct PageServerTests {
  private let served: ServedStore

  init() throws { served = try ServedStore() }

  @Test func theFirstPageHasTheEntitiesWithTheirCounts() throws {
    let page = try served.get("/")
    #expect(page.status == 200)
    #expect(page.text.contains(#"<a href="/Quake">Quake</a></th><td class="number">5</td>"#))
    #expect(page.text.contains("<title>quakes</title>"))
  }

  @Test func rowsAreTypedCellsAndLinks() throws {
    let page = try served.get("/Quake", ["where": "magnitude > 4"])
    #expect(page.text.contains(#"<strong id="count">1 Quake</strong>"#))
    #expect(page.text.contains(#"<td class="number">4.5</td>"#))
    #expect(page.text.contains(#"<a href="/Report?along=reports&amp;to=Quake&amp;key=4">1</a>"#))
    #expect(page.text.contains("Quake:where(&quot;magnitude &gt; 4&quot;)"))
    let reports = try served.get("/Report", ["along": "reports", "to": "Quake", "key": "4"])
    #expect(reports.text.contains(#"<a href="/Quake?key=4" class="toone">us4</a>"#))
    #expect(reports.text.contains("Quake:find(&quot;us4&quot;).reports"))
  }

  @Test func dataIsNeverMarkup() throws {
    for path in ["/Quake", "/Quake.json"] {
      #expect(try served.get(path).text.contains("<script>alert") == (path == "/Quake.json"))
    }
    let asked = try served.get("/Quake", ["where": "place == '<b>'", "facet": "place"])
    #expect(!asked.text.contains("<b>"))
    #expect(try !served.get("/<b>").text.contains("<b>"))
  }

  @Test func aMistakeIsShownAtItsPlaceInPlaceOfRows() throws {
    let page = try served.get("/Quake", ["where": "magnitud > 4"])
    #expect(page.status == 422)
    #expect(page.text.contains("<mark>magnitud</mark> &gt; 4"))
    #expect(page.text.contains("did you mean &#39;magnitude&#39;?"))
    #expect(!page.text.contains("<table"))
    let json = try served.get("/Quake.json", ["where": "magnitud > 4"])
    #expect(json.text.hasPrefix(#"{"errors":[{"message":"Quake has no property 'magnitud'"#))
    #expect(json.status == 422 && json.text.contains(#""ok":false,"status":422"#))
  }

  @Test func anObjectSaysWhatLeadsToIt() throws {
    let page = try served.get("/Quake", ["key": "4"])
    #expect(page.text.contains("<h1>Quake us4</h1>"))
    #expect(page.text.contains(#"<a href="/Report?by=quake&amp;to=Quake&amp;key=4">1 Report</a> by quake"#))
    #expect(try served.get("/Quake", ["key": "40"]).status == 404)
    #expect(try served.get("/Quake.json", ["key": "4"]).text.contains(#""id":"Quake/4","object":{"code":"us4""#))
  }

  @Test func sortingTurnsRoundAndGoesBack() throws {
    let plain = try served.get("/Quake")
    #expect(plain.text.contains(#"<a href="/Quake?sort=magnitude">magnitude</a>"#))
    let up = try served.get("/Quake", ["sort": "magnitude"])
    #expect(up.text.contains(#"<a href="/Quake?sort=-magnitude">magnitude ▲</a>"#))
    let down = try served.get("/Quake", ["sort": "-magnitude"])
    #expect(down.text.contains(#"<a href="/Quake">magnitude ▼</a>"#))
    #expect(try served.get("/Quake", ["sort": "magnitud"]).status == 422)
  }

  @Test func facetsCountValuesAndNarrow() throws {
    let page = try served.get("/Quake", ["facet": "magnitude"])
    #expect(page.text.contains("/Quake?where=magnitude%20%3D%3D%204.5&amp;facet=magnitude"))
    #expect(page.text.contains("/Quake?where=magnitude%20%3D%3D%20nil&amp;facet=magnitude"))
    #expect(try served.get("/Quake", ["facet": "nothing"]).status == 404)
  }

  @Test func aColumnWithTooManyValuesSaysSoInPlaceOfThem() throws {
    let live = try #require(served.session.engine.mainLiveContext)
    served.server.store.lists.mostValues = 3
    let page = try served.get("/Quake", ["facet": "place"])
    #expect(page.status == 200 && page.text.contains("place has more than 3 different values"))
    #expect(page.text.contains(">Lata<") && live.mostGroups == .max)
    served.server.store.lists.mostValues = 5
    let other = try served.get("/Quake", ["facet": "magnitude"])
    #expect(!other.text.contains("different values") && other.text.contains("magnitude%20%3D%3D%20nil"))
  }

  @Test func facetsFollowTheStoreAndWhatIsUnsaved() throws {
    let facets = { [served] in try served.get("/Quake", ["facet": "place", "part": "facets"]).text }
    #expect(try facets().contains(#">Lata</a></td><td class="number">1</td>"#))
    var events: [String] = []
    let stream = try served.stream { events.append($0) }
    try served.run("Quake:find('us5').place = 'Lata'")
    #expect(try facets().contains(#">Lata</a></td><td class="number">2</td>"#))
    let list = try facets().firstMatch(of: /data-list="([0-9]+)"/).map { String($0.1) } ?? "none"
    #expect(events.contains { $0.contains("\"list\":\(list),") })
    stream.close()
  }

  @Test func theModelIsADiagram() throws {
    #expect(try served.get("/").text.contains(#"<img src="/.svg""#))
    let diagram = try served.get("/.svg")
    #expect(diagram.status == 200 && diagram.text.hasPrefix("<svg") && diagram.text.contains(">reports</text>"))
    #expect(try served.get("/.csv").status == 404)
  }

  @Test func theEngineSaysWhatItKnowsOfAPredicate() throws {
    let page = try served.get("/Quake", ["where": "magnitude > 3", "inspect": "swift", "sort": "code"]).text
    #expect(
      page.contains("#Predicate&lt;Quake&gt;") && page.contains("NSPredicate(format: &quot;magnitude &gt; 3&quot;)"))
    #expect(page.contains("inspect=plan") && !page.contains(">SELECT"))
    let parts = try served.get("/Quake", ["where": "magnitude > 3", "inspect": "plan", "inspect": "clauses"]).text
    #expect(parts.contains("2 yes") && parts.contains("magnitude &gt; 3"))
    let object = try served.get("/Quake", ["key": "1", "where": "magnitude > 3"]).text
    #expect(object.contains("<h2>Why</h2>") && object.contains("no match"))
  }

  @Test func whatHasChangedSinceAMomentIsShownWithItsAuthor() throws {
    let refused = try served.get("/Quake", ["since": "0"])
    #expect(refused.status == 422)
    #expect(try !served.get("/").text.contains("changes since"))
    try served.run("store.historyEnabled = true")
    #expect(try served.get("/").text.contains("changes since"))
    try served.run("Quake:find('us4').place = 'Namie' save { author = 'Ann' }")
    try served.run("Report { text = 'x' } Quake:find('us5'):delete() save()")
    let quakes = try served.get("/Quake", ["since": "0"]).text
    #expect(quakes.contains(" by Ann</h3>") && quakes.contains(">Quake us4</a>: place") && quakes.contains("- Quake/5"))
    #expect(!quakes.contains("+ "))
    #expect(try served.get("/", ["since": "2020-01-01"]).text.contains("+ <a href=\"/Report?key="))
    #expect(try served.get("/", ["since": "2990-01-01"]).text.contains("nothing has changed"))
    let json = try served.get("/.json", ["since": "0"]).text
    #expect(
      json.contains(#""author":"Ann""#) && json.contains(#""id":"Quake/4","kind":"update","properties":["place"]"#))
    let unknown = try served.get("/", ["since": "yesterday"])
    #expect(unknown.status == 422 && unknown.text.contains("got &#39;yesterday&#39;"))
  }

  @Test func plotsArePicturesWithoutMarkup() throws {
    let page = try served.get("/Quake", ["plot": "magnitude", "facet": "magnitude"]).text
    #expect(page.contains(#"<img src="/Quake.svg?plot=magnitude" alt="Plot of magnitude">"#))
    let plot = try served.get("/Quake.svg", ["plot": "place"])
    #expect(plot.status == 200 && plot.text.contains("<svg") && !plot.text.contains("<script>alert"))
    #expect(try served.get("/Quake.svg", ["plot": "nothing"]).status == 422)
    #expect(try served.get("/Quake.svg").status == 404)
  }

  @Test func aLinkHasTheCardOfItsObject() throws {
    let card = try served.get("/Quake", ["key": "4", "part": "card"]).text
    #expect(card.hasPrefix(#"<div class="card"><h2>Quake us4</h2>"#) && !card.contains("<html"))
  }

  @Test func rowsComeAsDataWithTheirTotal() throws {
    let json = try served.get("/Quake.json", ["rows": "2"]).text
    #expect(json.hasPrefix(#"{"ok":true,"total":5,"first":1,"next":"/Quake.json?row=3&rows=2","rows":[{"code":"us1""#))
    let csv = try served.get("/Quake.csv", ["sort": "-code", "column": "code"]).text
    #expect(csv == "code\nus5\nus4\nus3\nus2\nus1\n")
    let lines = try served.get("/Quake.ndjson", ["where": "magnitude == nil"]).text
    #expect(lines == "{\"code\":\"us5\",\"magnitude\":null,\"place\":\"Suva\"}\n")
    #expect(try served.get("/Quake.csv", ["where": "FALSEPREDICATE"]).text == "code,magnitude,place\n")
  }

  @Test func aPredicateIsCompletedAndCountedWhileItIsTyped() throws {
    let found = try served.get("/-/complete", ["entity": "Quake", "where": "place == 'S"])
    #expect(found.text.contains("Suva") && found.text.contains(#""start":10"#))
    let counts = try served.get("/-/reading", ["entity": "Quake", "where": "magnitude > 3"])
    #expect(counts.text.contains("2 yes") && counts.text.contains("2 no") && counts.text.contains("1 neither"))
  }

  @Test func aChangeIsToldToEveryBrowserAndWindowsAreTrue() throws {
    _ = try served.get("/Quake", ["where": "magnitude > 3"])
    var events: [String] = []
    let stream = try served.stream { events.append($0) }
    try served.run("Quake { code = 'us6', magnitude = 9 }; save()")
    #expect(events.last?.contains(#""count":3"#) == true)
    #expect(try served.get("/Quake", ["where": "magnitude > 3"]).text.contains("3 Quake"))
    served.server.close()
    #expect(events.last == "event: end\ndata: {}\n\n")
    stream.close()
  }

  @Test func aRowStaysAtItsPlaceWhenRowsComeAboveIt() throws {
    for number in 10..<60 { try served.run("Quake { code = 'z\(number)', magnitude = \(number) }") }
    let page = try served.get(
      "/Quake", ["sort": "-magnitude", "rows": "5", "part": "rows", "anchor": "Quake/4", "offset": "2"])
    let keys = page.text.matches(of: /data-key="([^"]*)"/).map { String($0.1) }
    #expect(keys.count == 5 && keys[2] == "Quake/4")
    #expect(page.text.contains(#"data-first="48" data-count="55""#))
  }

  @Test func withoutTheCookieNothingOfTheStoreIsSaid() throws {
    for path in ["/", "/Quake", "/Quake.json", "/-/events", "/-/page.js", "/-/complete"] {
      var request = served.request(path)
      request.headers.removeAll { $0.name == "cookie" }
      let response = served.server.respond(to: request)
      guard case .bytes(let bytes) = response.body else {
        Issue.record("\(path) was streamed")
        continue
      }
      #expect(response.status == .forbidden && !String(decoding: bytes, as: UTF8.self).contains("uake"))
    }
  }

  @Test func thePageThatRefusesHasItsStyle() throws {
    var request = served.request("/-/page.css")
    request.headers.removeAll { $0.name == "cookie" }
    #expect(served.server.respond(to: request).status == .ok)
    request.headers.append(.init("origin", "http://example.com"))
    #expect(served.server.respond(to: request).status == .forbidden)
  }

  @Test func nothingIsWrittenByAPost() throws {
    var request = served.request("/Quake")
    request.method = .post
    request.headers.append(.init("origin", "http://" + (request.header("host") ?? "")))
    #expect(served.server.respond(to: request).status == .methodNotAllowed)
  }
}

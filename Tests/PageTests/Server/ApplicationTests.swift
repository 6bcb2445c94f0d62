import HTTP
import LuaBindings
import Testing

@testable import Page

/// A function of a script as a page.
@Suite struct ApplicationTests {
  private let served: ServedStore

  init() throws { served = try ServedStore() }

  private func show(_ body: String, before: String = "") throws {
    let source = "\(before)\nreturn function(page) \(body) end"
    served.server.show(application: try served.session.engine.run(Array(source.utf8), name: "=page")[0])
  }

  private func page() throws -> String { try served.get("/").text }

  /// Sends the form of an input or a button.
  private func set(_ name: String, _ value: String?) throws -> HTTPResponse {
    let forms = served.forms(in: try page()).filter { $0.field("name") == name }
    return try #require(forms.first).send(value.map { [("value", $0)] } ?? [])
  }

  @Test func aPageHasWhatTheScriptMakes() throws {
    try show(
      """
      page:navigationTitle "<b>Board</b>"
      page:Section "Part"
      page:Text(Quake:count() .. " quakes")
      page:Table(Quake:where("magnitude > 2"):sorted "-magnitude", { columns = { "code", "reports" }, limit = 2 })
      page:Chart(Quake:all():plot { x = "magnitude" })
      """)
    let page = try page()
    #expect(page.contains("<h1>&lt;b&gt;Board&lt;/b&gt;</h1><h2>Part</h2>") && page.contains("5 quakes"))
    #expect(page.contains(">us4</td>") && !page.contains(">us2</td>") && page.contains("and 1 more"))
    let chart = try #require(page.firstMatch(of: /src="(\/-\/chart[^"]*)"/))
    #expect(try served.open(String(chart.1).replacing("&amp;", with: "&")).text.hasPrefix("<svg"))
    #expect(try served.get("/-/store").text.contains("Report") && served.get("/-/chart").status == 404)
    #expect(try served.get("/.json").text.contains(#""name":"Quake""#))
  }

  @Test func inputsSetWhatTheyAreBoundTo() throws {
    try show(
      """
      page:TextField("name", name) page:TextField("number", number) page:Toggle("flag", flag)
      page:Slider("slide", slide, { from = 1, to = 5 }) page:Picker("choice", choice, { "a", "b", 3 })
      page:Button("Double", function() number.value = number.value * 2 end)
      """,
      before: "name, number, flag, slide, choice = State 'x', State(2), State(false), State(2.5), State('b')")
    #expect(try page().contains(#"<option value="1" selected>b</option>"#))
    for (input, value) in [
      ("TextField name 0", "a <b>"), ("TextField number 0", "7"), ("Toggle flag 0", "1"), ("Slider slide 0", "4.5"),
      ("Picker choice 0", "2"),
    ] {
      #expect(try set(input, value).status == .seeOther, "\(input)")
    }
    #expect(try set("Button Double 0", nil).status == .seeOther)
    try served.run(
      """
      assert(name.value == "a <b>" and math.type(number.value) == "integer" and number.value == 14)
      assert(flag.value == true and slide.value == 4.5 and choice.value == 3)
      """)
    #expect(try page().contains("a &lt;b&gt;"))
    #expect(try set("Toggle flag 0", nil).status == .seeOther)
    try served.run("assert(flag.value == false)")
    for (input, value) in [("TextField number 0", "x"), ("Slider slide 0", "6"), ("Picker choice 0", "3")] {
      #expect(try set(input, value).status == .unprocessable, "\(input)")
    }
    try served.run("assert(number.value == 14 and slide.value == 4.5 and choice.value == 3)")
  }

  @Test func aPageIsMadeAgainWhenObjectsOrStatesChange() throws {
    try show(
      "runs = runs + 1 page:Text(Quake:count() .. ' ' .. state.value)", before: "runs, state = 0, State 'first'")
    var events: [String] = []
    let stream = try served.stream { events.append($0) }
    #expect(try page().contains("5 first") && page().contains("5 first"))
    try served.run("assert(runs == 1) state.value = 'second'")
    #expect(events.count { $0.contains("\"application\"") } == 1)
    #expect(try page().contains("5 second"))
    try served.run("Quake { code = 'new' }")
    #expect(try page().contains("6 second"))
    try served.run("assert(runs == 3)")
    try served.commit("Quake { code = 'theirs' }")
    try served.wait { try page().contains("7 second") }
    stream.close()
  }

  @Test func anErrorOfTheScriptStandsOnItsPage() throws {
    try show("page:Text(missing.value)", before: "missing = nil")
    #expect(try page().contains("missing"))
    try served.run("missing = State 'here'")
    #expect(try page().contains("<p class=\"whole\">here</p>"))
    for (wrong, expected) in [
      ("page.Text 'x'", "colon"), ("page:Table(5)", "expected a request"), ("page:Chart(1)", "expected a plot"),
      ("page:Slider('s', 5)", "a state or a binding"), ("page:Picker('p', State(1))", "a list of choices"),
      ("page:Button 'b'", "expected a function"), ("page:Slider('s', State 'x')", "a binding to a number"),
      ("page:Table(Quake, { rows = 5 })", "there is no option"), ("error { 'x' }", "alert"),
    ] {
      try show(wrong)
      let shown = try page()
      #expect(shown.contains("class=\"mistake\"") && shown.contains(expected), "\(wrong)")
    }
    try show("page:Button('b', function() error 'no' end)")
    let response = try set("Button b 0", nil)
    #expect(response.status == .unprocessable && response.text.contains("no"))
  }

  @Test func whatAPageDoesNotHaveCannotBeSet() throws {
    try show("page:Toggle('flag', flag)", before: "flag = State(false)")
    let form = try #require(served.forms(in: try page()).first { $0.action == "/-/input" })
    #expect(form.send([("name", "Toggle other 0"), ("value", "1")]).status == .forbidden)
    #expect(served.post("/-/input", [.init("name", "Toggle flag 0"), .init("value", "1")]).status == .forbidden)
    try served.run("assert(flag.value == false)")
  }
}

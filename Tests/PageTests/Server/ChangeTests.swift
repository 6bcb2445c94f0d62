import HTTP
import Testing

@testable import Page

/// What pages change, by forms alone.
@Suite struct ChangeTests {
  private let served: ServedStore

  init() throws { served = try ServedStore(permitsChanges: true) }

  /// The place that a response sends on to.
  private func location(_ response: HTTPResponse) -> String? {
    response.headers.first { $0.name == "Location" }?.value
  }

  @Test func aPropertyIsSetByItsFormAndStaysUnsaved() throws {
    let form = try served.form("/-/edit", ["entity": "Quake", "key": "4", "property": "magnitude"])
    #expect(form.field("base") == "4.5" && form.text.contains(#"inputmode="decimal""#))
    let response = form.send(["value": "7.25"])
    #expect(response.status == .seeOther && location(response) == "/Quake?key=4")
    #expect(try served.get("/Quake", ["key": "4"]).text.contains("7.25"))
    let changes = try served.get("/-/changes").text
    #expect(changes.contains("1 unsaved change") && changes.contains("~ Quake us4: magnitude 4.5 → 7.25"))
    try served.run("assert(context.hasChanges)")
  }

  @Test func aFormThatIsSentTwiceIsDoneOnce() throws {
    let form = try served.form("/-/add", ["entity": "Report"])
    let first = form.send(["value.text": "once"])
    let second = form.send(["value.text": "once"])
    #expect(first.status == .seeOther && location(first) == location(second))
    #expect(try served.get("/-/changes").text.contains("1 unsaved change"))
  }

  @Test func aMistakeStandsAtItsFieldWithWhatWasTyped() throws {
    let form = try served.form("/-/edit", ["entity": "Quake", "key": "4", "property": "magnitude"])
    let refused = form.send(["value": "much"])
    #expect(refused.status == .unprocessable)
    #expect(refused.text.contains(#"value="much""#) && refused.text.contains("expected Double"))
    let again = try served.form(in: refused.text, "/-/set").send(["value": "5"])
    #expect(again.status == .seeOther)
    let added = try served.form("/-/add", ["entity": "Quake"]).send(["value.magnitude": "x", "value.code": "us9"])
    #expect(added.status == .unprocessable && added.text.contains("expected Double") && added.text.contains("us9"))
    try served.run("assert(#context.insertedObjects == 0)")
    // What was refused is no step of undo.
    #expect(try served.form("/-/changes", [:], "/-/undo").send([:]).status == .seeOther)
    try served.run("assert(Quake:find('us4').magnitude == 4.5)")
  }

  @Test func anEmptyFieldIsNilAndATextIsEmptiedByItsButton() throws {
    let number = try served.form("/-/edit", ["entity": "Quake", "key": "4", "property": "magnitude"])
    #expect(number.send(["value": ""]).status == .seeOther)
    let text = try served.form("/-/edit", ["entity": "Quake", "key": "4", "property": "place"])
    #expect(text.send(["value": "x", "empty": "1"]).status == .seeOther)
    try served.run("local q = Quake:find 'us4' assert(q.magnitude == nil and q.place == nil)")
    let code = try served.form("/-/edit", ["entity": "Quake", "key": "4", "property": "code"])
    #expect(!code.text.contains("Make nil"))
    #expect(code.send(["value": "", "empty": "1"]).text.contains("code is required"))
  }

  @Test func whatWasChangedMeanwhileIsShownAndNotOverwritten() throws {
    let form = try served.form("/-/edit", ["entity": "Quake", "key": "4", "property": "place"])
    try served.run("Quake:find('us4').place = 'theirs' save()")
    let conflict = form.send(["value": "mine"])
    #expect(conflict.status == .conflict)
    for part in ["<dd>Lata</dd>", "<dd>mine</dd>", "<dd>theirs</dd>"] { #expect(conflict.text.contains(part)) }
    try served.run("assert(Quake:find('us4').place == 'theirs')")
    #expect(try served.form(in: conflict.text, "/-/set").send(["value": "mine", "keep": "1"]).status == .seeOther)
    try served.run("assert(Quake:find('us4').place == 'theirs')")
    let again = try served.form(in: form.send(["value": "mine"]).text, "/-/set")
    #expect(again.send(["value": "mine"]).status == .seeOther)
    try served.run("assert(Quake:find('us4').place == 'mine')")
  }

  @Test func lineBreaksAndTheSpacesOfATextSurviveAForm() throws {
    let text = "\n one\n\n two \n"
    try served.run("Quake:find('us4').place = '\\n one\\n\\n two \\n' save()")
    let form = try served.form("/-/edit", ["entity": "Quake", "key": "4", "property": "place"])
    #expect(form.text.contains("<textarea") && form.text.contains(">\n\n one"))
    #expect(
      form.send(["value": text.replacing("\n", with: "\r\n"), "base": text.replacing("\n", with: "\r\n")]).status
        == .seeOther)
    try served.run("assert(not context.hasChanges)")
    try served.run("Quake:find('us4').place = 'a\\1b' save()")
    #expect(try served.get("/-/edit", ["entity": "Quake", "key": "4", "property": "place"]).status == 422)
  }

  @Test func relationshipsAreSetBySearchingNames() throws {
    let names = try served.get("/-/names", ["entity": "Quake", "name": "us"]).text
    #expect(names.contains(#"["us1","us2","us3","us4","us5"]"#))
    let form = try served.form("/-/edit", ["entity": "Report", "key": "1", "property": "quake"])
    #expect(form.send(["value": "us2"]).status == .seeOther)
    try served.run("assert(#Quake:find('us2').reports == 1)")
    let wrong = try served.form("/-/edit", ["entity": "Report", "key": "1", "property": "quake"]).send(["value": "us99"]
    )
    #expect(wrong.text.contains("no Quake is named"))
    let members = try served.form("/-/edit", ["entity": "Quake", "key": "3", "property": "reports"])
    #expect(members.send(["value": "1"]).status == .seeOther)
    try served.run("assert(#Quake:find('us3').reports == 1 and #Quake:find('us2').reports == 0)")
    let page = try served.get("/-/edit", ["entity": "Quake", "key": "3", "property": "reports"]).text
    #expect(try served.form(in: page, "/-/member", at: 1).send([:]).status == .seeOther)
    try served.run("assert(#Quake:find('us3').reports == 0)")
  }

  @Test func aDeletionShowsWhatGoesWithItBeforeItIsDone() throws {
    let page = try served.get("/-/delete", ["entity": "Quake", "key": "4"]).text
    #expect(page.contains("This deletes 1 Quake, 1 Report.") || page.contains("This deletes 1 Report, 1 Quake."))
    try served.run("assert(not context.hasChanges)")
    #expect(try served.form(in: page, "/-/delete").send([:]).status == .seeOther)
    let changes = try served.get("/-/changes").text
    #expect(changes.contains("- Quake/4") && changes.contains("- Report/1"))
    #expect(try served.form("/-/changes", [:], "/-/save").send([:]).status == .seeOther)
    try served.run("assert(Quake:count() == 4 and Report:count() == 0)")
    #expect(try served.form("/-/changes", [:], "/-/undo").send([:]).status == .seeOther)
    try served.run("save() assert(Quake:count() == 5 and Report:count() == 1)")
  }

  @Test func aSaveShowsWhatIsNotValidAtItsField() throws {
    try served.run("Quake { magnitude = 3 }")
    let refused = try served.form("/-/changes", [:], "/-/save").send([:])
    #expect(refused.status == .unprocessable && refused.text.contains("code is missing"))
    #expect(try served.form(in: refused.text, "/-/set").send(["value": "us9"]).status == .seeOther)
    #expect(try served.form("/-/changes", [:], "/-/save").send([:]).status == .seeOther)
    try served.run("assert(Quake:find 'us9')")
  }

  @Test func aConflictOfASaveIsShownAndDecided() throws {
    try served.run("Quake:find('us4').place = 'mine'")
    try served.commit("Quake:find('us4').place = 'theirs'")
    let refused = try served.form("/-/changes", [:], "/-/save").send([:])
    #expect(refused.status == .conflict)
    #expect(refused.text.contains("<td>&quot;Lata&quot;</td><td>&quot;mine&quot;</td><td>&quot;theirs&quot;</td>"))
    #expect(try served.form(in: refused.text, "/-/resolve").send([:]).status == .seeOther)
    #expect(try served.form("/-/changes", [:], "/-/save").send([:]).status == .seeOther)
    try served.run("assert(Quake:find('us4').place == 'mine')")
  }

  @Test func savesAreUndoneAndChangesAreDiscarded() throws {
    try served.run("Quake:find('us4').place = 'new' save()")
    #expect(try served.form("/-/changes", [:], "/-/undosave").send([:]).status == .seeOther)
    try served.run("assert(Quake:find('us4').place == 'Lata')")
    #expect(try served.form("/-/changes", [:], "/-/redosave").send([:]).status == .seeOther)
    try served.run("Quake:find('us4').place = 'a' Quake:find('us3').place = 'b'")
    #expect(try served.form("/-/changes", [:], "/-/discard").send([:]).status == .seeOther)
    #expect(try served.get("/-/changes").text.contains("1 unsaved change"))
    try served.run("Quake:find('us4').place = 'a' Quake:find('us3').place = 'b'")
    let page = try served.get("/-/changes").text
    #expect(try served.form(in: page, "/-/discard", at: 2).send([:]).status == .seeOther)
    #expect(try served.get("/-/changes").text.contains("No unsaved changes"))
  }

  @Test func oneDeletionIsDiscardedWithWhatItDid() throws {
    try served.run("Quake:find('us4'):delete() Quake:find('us3'):delete() Quake:find('us2').place = 'new'")
    let page = try served.get("/-/changes").text
    #expect(page.contains("4 unsaved changes") && page.contains("- Report/1</code> with Quake/4"))
    // Lines come in the order: changed, deleted.
    #expect(try served.form(in: page, "/-/discard", at: 1).send([:]).status == .seeOther)
    #expect(try served.get("/-/changes").text.contains("2 unsaved changes"))
    try served.run("local q = Quake:find 'us4' assert(#q.reports == 1 and q.reports[1].quake == q)")
    #expect(try served.form("/-/changes", [:], "/-/undo").send([:]).status == .seeOther)
    #expect(try served.get("/-/changes").text.contains("4 unsaved changes"))
  }

  @Test func muchIsAskedAboutBeforeItIsWritten() throws {
    try served.run("for i = 1, 120 do Report { text = 'x' } end save()")
    try served.run("for r in Report:all():each() do r.text = 'y' end")
    let asked = try served.form("/-/changes", [:], "/-/save").send([:])
    #expect(asked.status == .conflict && asked.text.contains("this changes 121 Report; go on?"))
    try served.run("assert(context.hasChanges)")
    #expect(try served.form(in: asked.text, "/-/save", with: "confirmed").send([:]).status == .seeOther)
    try served.run("assert(not context.hasChanges)")
  }

  @Test func aDryRunKeepsNothing() throws {
    _ = served.session.evaluate(block: ".dryrun on")
    let form = try served.form("/-/edit", ["entity": "Quake", "key": "4", "property": "place"])
    #expect(form.send(["value": "tried"]).status == .seeOther)
    #expect(try served.get("/-/changes").text.contains("nothing is kept"))
    #expect(try served.form("/-/changes", [:], "/-/save").send([:]).status == .seeOther)
    _ = served.session.evaluate(block: ".dryrun off")
    try served.run("assert(Quake:find('us4').place == 'Lata' and not context.hasChanges)")
  }

  @Test func theNumbersOfObjectsFollowTheStore() throws {
    func counts() throws -> [String] {
      try served.get("/").text.matches(of: /<td class="number">([^<]*)/).map { String($0.1) }
    }
    #expect(try counts() == ["5", "1"])
    var events: [String] = []
    let stream = try served.stream { events.append($0) }
    try served.run("Report { text = 'new' } Quake:find('us5'):delete()")
    #expect(events.contains { $0.contains("\"list\":\"entities\"") })
    #expect(try counts() == ["4", "2"])
    let known = events.count
    try served.run("Quake:find('us4').place = 'other'")
    #expect(!events.dropFirst(known).contains { $0.contains("entities") })
    try served.run("context:rollback()")
    #expect(try counts() == ["5", "1"])
    try served.commit("Report { text = 'theirs' }")
    try served.wait { try counts() == ["5", "2"] }
    stream.close()
    try served.run("Report { text = 'unseen' } save()")
    #expect(try counts() == ["5", "3"])
  }

  @Test func everyBrowserIsToldOfChangesThatAreUnsaved() throws {
    var events: [String] = []
    let stream = try served.stream { events.append($0) }
    try served.run("Quake:find('us4').place = 'a'")
    served.waitOnce()
    #expect(events.contains { $0.contains("event: changes\ndata: {\"count\":1}") })
    stream.close()
  }
}

/// What must not change anything.
@Suite struct RefusedChangeTests {
  private static let actions = [
    "set", "add", "delete", "paste", "setall", "member", "discard", "resolve", "save", "undo", "redo", "undosave",
    "redosave",
  ]

  @Test(arguments: actions) func withoutPermissionNothingIsDone(_ action: String) throws {
    let served = try ServedStore()
    try served.run("Quake:find('us4').place = 'mine'")
    let response = served.post("/-/" + action, [.init("entity", "Quake"), .init("key", "4")])
    #expect(response.status == .forbidden && response.text.contains("--write"))
    #expect(try served.get("/-/changes").status == 403)
    try served.run("assert(context.hasChanges and Quake:find('us4').place == 'mine')")
    #expect(try !served.get("/Quake", ["key": "4"]).text.contains("<form method"))
  }

  @Test(arguments: actions) func aFormOfAnotherPageIsRefused(_ action: String) throws {
    let served = try ServedStore(permitsChanges: true)
    let fields: [HTTPRequest.Field] = [.init("entity", "Quake"), .init("key", "4"), .init("property", "place")]
    for token in [nil, "", "1", "x-1", "-1", "0000-99999999999999999999"] {
      let sent = fields + (token.map { [.init("token", $0)] } ?? [])
      #expect(served.post("/-/" + action, sent).status == .forbidden)
    }
    let token = try served.form("/-/edit", ["entity": "Quake", "key": "4", "property": "place"]).field("token") ?? ""
    let right = fields + [.init("token", token), .init("value", "x")]
    for header in [HTTPRequest.Field("origin", "http://evil.example"), .init("sec-fetch-site", "cross-site")] {
      #expect(served.post("/-/" + action, right, header).status == .forbidden)
    }
    #expect(served.post("/-/" + action, right, .init("content-type", "text/plain")).status == .unsupportedMediaType)
    #expect(served.post("/-/" + action, right, .init("host", "evil.example")).status == .misdirected)
    #expect(served.post("/-/" + action, right, .init("cookie", "none")).status == .forbidden)
    try served.run("assert(not context.hasChanges)")
  }

  @Test(arguments: actions) func readingChangesNothing(_ action: String) throws {
    let served = try ServedStore(permitsChanges: true)
    try served.run("Quake:find('us4').place = 'mine'")
    _ = try served.get("/-/" + action, ["entity": "Quake", "key": "4", "property": "place", "value": "x"])
    try served.run("assert(context.hasChanges and Quake:find('us4').place == 'mine')")
  }

  @Test func onlyFormsAreTakenAndOnlyWhereTheyGo() throws {
    let served = try ServedStore(permitsChanges: true)
    for path in ["/", "/Quake", "/-/changes", "/-/edit", "/-/events", "/-/page.js", "/-/nothing"] {
      #expect([.methodNotAllowed, .notFound].contains(served.post(path, []).status), "\(path)")
    }
  }

  @Test func dataInFormsIsNeverMarkup() throws {
    let served = try ServedStore(permitsChanges: true)
    let page = try served.form("/-/edit", ["entity": "Quake", "key": "2", "property": "place"])
    #expect(!page.text.contains("<script>alert"))
    #expect(!page.send(["value": "<b>", "base": "other"]).text.contains("<b>"))
  }
}

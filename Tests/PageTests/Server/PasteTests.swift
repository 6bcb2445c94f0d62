import HTTP
import Testing

@testable import Page

/// Rows that are pasted, and properties that are set for many objects.
@Suite struct PasteTests {
  private let served: ServedStore

  init() throws { served = try ServedStore(permitsChanges: true) }

  /// What the form says to rows.
  private func preview(_ text: String, _ values: [(String, String)] = []) throws -> HTTPResponse {
    try served.form("/-/paste", ["entity": "Quake"]).send([("text", text)] + values)
  }

  private func apply(_ page: HTTPResponse, _ values: [(String, String)] = []) throws -> HTTPResponse {
    try served.form(in: page.text, "/-/paste").sendShown(values + [("apply", "1")])
  }

  @Test func rowsSayWhatTheyWouldDoBeforeTheyDoIt() throws {
    let page = try preview("code\tplace\tmagnitude\nus4\tLata\t4.5\nus1\tHere\t1.5\nnew\t\"a\nb\"\t7\n")
    #expect(page.status == .ok && page.text.contains("1 new, 1 to update, 1 unchanged"))
    #expect(page.text.contains("<del>Namie, Japan</del> <ins>Here</ins>"))
    try served.run("assert(not context.hasChanges)")
    let done = try apply(page)
    #expect(done.status == .seeOther)
    try served.run(
      """
      assert(Quake:find('new').place == 'a\\nb' and Quake:find('us1').place == 'Here' and context.hasChanges)
      assert(#context.insertedObjects == 1 and #context.updatedObjects == 1)
      context:undo() assert(not context.hasChanges and not Quake:find('new'))
      """)
  }

  @Test(arguments: [
    "code,place\nnew,Suva\n", "code;place\nnew;Suva", "code\tplace\r\nnew\tSuva\r\n",
    #"[{"code": "new", "place": "Suva"}]"#, "{\"place\": \"Suva\", \"code\": \"new\"}\n", "Code,PLACE\nnew,Suva",
  ])
  func textsOfAllKindsAreRead(_ text: String) throws {
    #expect(try apply(preview(text)).status == .seeOther)
    try served.run("assert(Quake:find('new').place == 'Suva')")
  }

  @Test func mistakesStandInTheirCellsAndKeepAllRowsBack() throws {
    let page = try preview("code,magnitude\nus1,much\nus2,9\n,3\nus2,4\nx,5")
    #expect(page.status == .unprocessable && page.text.contains("3 with mistakes"))
    let cells = page.text.matches(of: /<td class="mistake">([^<]*)<p role="alert">([^<]*)/).map { ($0.1, $0.2) }
    #expect(cells.map { String($0.0) } == ["much", "nil", "us2"])
    #expect(cells[0].1.contains("expected Double") && cells[2].1.contains("row 2 has the same value"))
    #expect(!page.text.contains("Make these changes"))
    #expect(try apply(page).status == .unprocessable)
    try served.run("assert(not context.hasChanges)")
    let rest = try served.form(in: page.text, "/-/paste").sendShown([("mistakes", "skip")])
    #expect(try apply(rest).status == .seeOther)
    try served.run("assert(#context.insertedObjects == 1 and Quake:find('us2').magnitude == 9)")
  }

  @Test func objectsThatExistAreLeftOutOrAllRowsAreNew() throws {
    let text = "code,place\nus1,Here\nus9,There"
    let page = try served.form(in: preview(text).text, "/-/paste").sendShown([("existing", "skip")])
    #expect(page.text.contains("1 new, 1 left out"))
    #expect(try apply(page).status == .seeOther)
    try served.run("assert(Quake:find('us1').place ~= 'Here' and Quake:find('us9')) context:rollback()")
    let new = try served.form(in: preview("place,magnitude\nLata,1\nSuva,2").text, "/-/paste").sendShown([])
    #expect(new.text.contains("2 new"))
    let byPlace = try served.form(in: new.text, "/-/paste").sendShown([("key", "place")])
    #expect(byPlace.text.contains("2 to update"))
    try served.run("Quake { code = 'z', place = 'Lata' }")
    let several = try served.form(in: new.text, "/-/paste").sendShown([("key", "place")])
    #expect(several.text.contains("several Quake have this value"))
  }

  @Test func columnsGoWhereOneSaysAndRowsWithoutNamesToThoseOfTheTable() throws {
    let page = try preview("code,where\nnew,Suva")
    #expect(page.text.contains("– left out –"))
    let placed = try served.form(in: page.text, "/-/paste").sendShown([("place.1", "place")])
    #expect(try apply(placed).status == .seeOther)
    try served.run("assert(Quake:find('new').place == 'Suva') context:rollback()")
    let form = try served.form(in: served.open("/-/paste?entity=Quake&column=place&column=code").text, "/-/paste")
    #expect(try apply(form.send([("text", "Suva\tnew\nLata\tnewer\n")])).status == .seeOther)
    try served.run("assert(Quake:find('new').place == 'Suva' and Quake:find('newer').place == 'Lata')")
    let twice = try served.form(in: page.text, "/-/paste").sendShown([("place.1", "code")])
    #expect(twice.text.contains("two columns go to code"))
  }

  @Test func relationshipsAreNamed() throws {
    let form = try served.form("/-/paste", ["entity": "Report"])
    let page = form.send([("text", "text,quake\nshook,us1\nmore,us1\nnone,\n")])
    #expect(try apply(page).status == .seeOther)
    try served.run("assert(#Quake:find('us1').reports == 2 and #context.insertedObjects == 3)")
    let wrong = form.send([("text", "text,quake\nshook,us99")])
    #expect(wrong.text.contains("no Quake is named"))
  }

  @Test func aFileOfRowsIsSentByTheSameForm() throws {
    let form = try served.form("/-/paste", ["entity": "Quake"])
    #expect(form.text.contains("multipart/form-data"))
    let page = form.sendFile("code,place\r\nnew,Sūva\r\n")
    #expect(page.status == .ok && page.text.contains("1 new") && page.text.contains("Sūva"))
    #expect(try apply(page).status == .seeOther)
  }

  @Test func aFileThatIsNoTextIsSaid() {
    let head = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n"
    let body = Array(head.utf8) + [0x63, 0xE9, 0xFF] + Array("\r\n--x--\r\n".utf8)
    let answer = served.post("/-/paste", body: body, .init("content-type", "multipart/form-data; boundary=x"))
    #expect(answer.status == .unsupportedMediaType && answer.text.contains("must be text in UTF-8"))
  }

  @Test(arguments: ["\"open", "a,b\n1", "[{\"code\": ", "[1]", "code\u{1},place"])
  func whatIsNoRowsIsSaid(_ text: String) throws {
    let page = try preview(text)
    #expect(page.status == .unprocessable)
    try served.run("assert(not context.hasChanges)")
  }

  @Test func nothingIsPastedAndDataIsNeverMarkup() throws {
    #expect(try preview("").text.contains("no rows"))
    let page = try preview("code,<b>\n<script>alert(1)</script>,<i>")
    #expect(!page.text.contains("<script>alert") && !page.text.contains("<b>") && !page.text.contains("<i>"))
  }

  @Test func aPropertyIsSetForAllObjectsOfARequest() throws {
    let link = try served.get("/Quake", ["where": "magnitude > 2"]).text.firstMatch(of: /href="(\/-\/setall[^"]*)"/)
    let form = try served.form(
      in: served.open(String(#require(link).1).replacing("&amp;", with: "&")).text, "/-/setall")
    #expect(form.text.contains("Preview") && !form.text.contains("Set 3"))
    let page = form.send([("property", "place"), ("value", "Here")])
    #expect(page.text.contains("<td>Lata</td><td>Here</td>") && page.text.contains("Set 3 Quake"))
    try served.run("assert(not context.hasChanges)")
    let done = try served.form(in: page.text, "/-/setall").sendShown([("value", "Here"), ("apply", "1")])
    #expect(done.status == .seeOther)
    try served.run(
      """
      assert(#context.updatedObjects == 3 and Quake:find('us5').place == 'Suva')
      context:undo() assert(not context.hasChanges)
      """)
    #expect(form.send([("property", "magnitude"), ("value", "x")]).text.contains("expected Double"))
    #expect(form.send([("property", "code"), ("empty", "1")]).text.contains("code is required"))
    let byName = form.send([("property", "nothing"), ("value", "x")])
    #expect(byName.status == .unprocessable && byName.text.contains("no property"))
  }
}

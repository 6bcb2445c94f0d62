import LuaBindings
import Testing

@Suite struct LiveResultsTests {
  @Test func theyAreAListThatStaysTrue() throws {
    let script = try Script.quakes()
    try script.run("local r = Quake:where('magnitude >= 3'):sorted('-magnitude'):live()")
    #expect(try script.value("#r, r[1].code, r[3].code, r[4], r[0], r[-1], codes(r)") == "3 e c nil nil nil edc")
    #expect(try script.value("tostring(r)") == "3 × Quake, live")
    try script.run("Quake { code = 'f', magnitude = 9 } Quake:find('d').magnitude = 1 save()")
    #expect(try script.value("codes(r)") == "fec")
    try script.run("store:sql('DELETE FROM quake WHERE code = ?', 'e')")
    #expect(try script.value("codes(r)") == "fc")
    try script.run("Quake:batchUpdate('code == \"a\"', { magnitude = 4 })")
    #expect(try script.value("codes(r)") == "fac")
    try script.run("Quake:batchDelete 'magnitude > 5'")
    #expect(try script.value("codes(r), r[1] == Quake:find 'a'") == "ac true")
  }

  @Test func slicesAndPlacesAreAsInFetchedResults() throws {
    let script = try Script.quakes()
    try script.run("local r = Quake:all():sorted('code'):live()")
    #expect(try script.value("codes(r:slice(2, 3)), #r:slice(4, 9), #r:slice(3, 2), #r:slice(-5, 1)") == "bc 2 0 1")
    #expect(try script.value("r:indexOf(Quake:find 'c'), r:indexOf(Report {})") == "3 nil")
    #expect(script.error("r:indexOf 'c'") == "results:indexOf: expected an object, got string")
    #expect(try script.value("codes(r:objects()), #r:objectIDs(), r:objectIDs()[1] == r[1].objectID") == "abcde 5 true")
    #expect(script.error("r[1] = 5") == "'[1]' of results cannot be set")
    #expect(script.error("r:slice(1.5, 2)") == "results:slice: expected an integer, got 1.5")
    #expect(script.error("return r.secton")?.contains("results has no 'secton'; did you mean 'section'?") == true)
  }

  @Test func aLoopGoesThroughWhatThereWasWhenItBegan() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r, seen = Quake:all():sorted('-magnitude'):live(), {}
      Quake { code = "x", magnitude = 6 }
      context:processPendingChanges()
      for q in r:each() do
        seen[#seen + 1] = q.code
        q.magnitude = 10 - q.magnitude
        save()
      end
      """)
    #expect(try script.value("table.concat(seen), codes(r)") == "xedcba abcdex")
  }

  @Test func unsavedChangesAreToldAtTheEndOfATurnAndNotAgainBySaving() throws {
    let script = try Script.quakes()
    try script.run("local r = Quake:where('magnitude >= 3'):sorted('-magnitude'):live() r:onChange(tell)")
    try script.turn("Quake { code = 'f', magnitude = 4.5 } Quake:find('e').magnitude = 2")
    #expect(try script.value("told(), codes(r)") == "pending +f:>1 -e:1> fdc")
    try script.run("save()")
    #expect(try script.value("told(), codes(r)") == " fdc")
    try script.turn("Quake:find('f').magnitude = 1")
    #expect(try script.value("told()") == "pending -f:1>")
    try script.turn("rollback()")
    #expect(try script.value("told(), codes(r)") == "pending +f:>1 fdc")
    try script.run("Quake:find('c').magnitude = 9 save()")
    #expect(try script.value("told(), codes(r)") == "save ^c:3>1 cfd")
    try script.turn("")
    #expect(try script.value("told()") == "")
  }

  @Test func theLimitStaysTrue() throws {
    let script = try Script.quakes()
    try script.run("local r = Quake:all():sorted('-magnitude'):limit(2):live() r:onChange(tell)")
    try script.run("Quake { code = 'f', magnitude = 9 } save()")
    #expect(try script.value("told(), codes(r)") == "save +f:>1 -d:2> fe")
    try script.run("Quake:find('f'):delete() save()")
    #expect(try script.value("told(), codes(r)") == "save +d:>2 -gone:1> ed")
    try script.run("r.fetchLimit, r.fetchOffset = 1, 2")
    #expect(try script.value("codes(r), r.fetchLimit, r.fetchOffset") == "c 1 2")
  }

  @Test func aRelatedObjectCountsWhereTheyLookAtIt() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r = Quake:where('ANY reports.score > 5'):sorted('code'):live()
      r:onChange(tell)
      local report = Report { text = 'x', score = 3, quake = Quake:find 'b' }
      save()
      """)
    #expect(try script.value("told(), #r") == " 0")
    try script.run("report.score = 7 save()")
    #expect(try script.value("told(), codes(r)") == "save +b:>1 b")
    try script.run("report.quake = Quake:find 'c' save()")
    #expect(try script.value("told(), codes(r)") == "save +c:>1 -b:1> c")
  }

  @Test func theyCanBeArguments() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r = Quake:where('magnitude >= 4'):live()
      local s = Station { name = "x", quakes = r }
      """)
    #expect(try script.value("#s.quakes, Quake:count('SELF IN %@', r)") == "2 2")
  }

  @Test func idsAreLiveToo() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r = FetchRequest { entity = Quake, resultType = "objectIDs", sortDescriptors = { "-magnitude" } }:live()
      local first
      for id in r:each() do first = first or id end
      """)
    #expect(
      try script.value("r[1] == Quake:find('e').objectID, first == r[1], #r, r:slice(2, 2)[1] == r[2]")
        == "true true 5 true")
  }

  @Test func closedOnesStayAsTheyWereAndCanBeRead() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local r = Quake:all():sorted('code'):live()
      r:onChange(tell)
      r:close() r:close()
      Quake { code = "f" } Quake:find('a').felt = 5 save()
      """)
    #expect(
      try script.value("told(), codes(r), r.isClosed, tostring(r), r[1].felt") == " abcde true 5 × Quake, closed 5")
    #expect(script.error("r.predicate = 'felt == 1'") == "results.predicate: the live result is closed")
    #expect(script.error("r:configure { fetchLimit = 1 }") == "results:configure: the live result is closed")
    #expect(script.error("r:onChange(tell)") == "results:onChange: the live result is closed")
    try script.run("local s do local closing <close> = Quake:all():live() s = closing end")
    #expect(try script.value("s.isClosed, #s") == "true 6")
  }

  @Test func unsavedObjectsOfClosedOnesMayBeSavedOrDropped() throws {
    let script = try Script.quakes()
    try script.run(
      """
      Quake { code = "f" } Quake { code = "g" }
      local r = Quake:all():sorted('-code'):live()
      r:close()
      Quake:find('g'):delete()
      save()
      """)
    #expect(try script.value("#r, r[3].code") == "7 e")
    #expect(try script.value("pcall(function() return r[1].code, r[2].code end) ~= nil") == "true")
  }

  @Test func thoseOfAClosedStoreSayThatItIs() throws {
    let script = try Script.quakes()
    try script.run("local r, v = Quake:all():live(), FetchRequest { entity = Quake, resultType = 'count' }:live()")
    try script.run("r:onChange(tell) v:onChange(tell) store:close()")
    #expect(try script.value("#r, r.isClosed, tostring(r)") == "5 true 5 × Quake, closed")
    #expect(script.error("return r[1]") == "results: the store is closed")
    #expect(script.error("for q in r:each() do end")?.hasSuffix("the store is closed") == true)
    #expect(script.error("r.fetchLimit = 1") == "results.fetchLimit: the store is closed")
    #expect(script.error("r:onChange(tell)") == "results:onChange: the store is closed")
    #expect(script.error("v.fetchLimit = 1") == "values.fetchLimit: the store is closed")
  }

  @Test func aChildSeesWhatItsParentHasNotSaved() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local child = context:newChild()
      local r = child.entities.Quake:where('magnitude >= 4'):sorted('-magnitude'):live()
      r:onChange(tell)
      """)
    #expect(try script.value("codes(r)") == "ed")
    try script.turn("child.entities.Quake { code = 'x', magnitude = 9 }")
    #expect(try script.value("codes(r), #told() > 0") == "xed true")
    try script.run("child:save()")
    #expect(try script.value("codes(r)") == "xed")
    try script.turn("Quake:find('d').magnitude = 1")
    #expect(try script.value("codes(r)") == "xe")
  }

  @Test func theCatalogHasThem() throws {
    let script = try Script.quakes()
    #expect(script.engine.catalog.entries(named: "FetchedResults:onChange").count == 1)
  }
}

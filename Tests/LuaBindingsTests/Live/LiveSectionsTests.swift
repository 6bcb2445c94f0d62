import LuaBindings
import Testing

@Suite struct LiveSectionsTests {
  private func script() throws -> Script {
    let script = try Script.quakes()
    try script.run(
      """
      local by = SectionedFetchRequest { entity = Quake, sectionIdentifier = "place", sortDescriptors = { "-magnitude" } }:live()
      by:onChange(tell)
      """)
    return script
  }

  @Test func theElementsAreSections() throws {
    let script = try script()
    #expect(
      try script.value("#by, by[1].id, #by[1], codes(by[1]), by[2].id, codes(by[2]), by[3]")
        == "2 Chile 2 db Japan eca nil")
    #expect(
      try script.value("by:section('Japan') == by[2], by:section 'Peru', by:section('Japan').index") == "true nil 2")
    #expect(try script.value("by:indexOf(Quake:find 'c')") == "2 2")
    #expect(try script.value("by[2]:indexOf(Quake:find 'c'), by[1]:indexOf(Quake:find 'c')") == "2 nil")
    #expect(try script.value("codes(by[2]:slice(2, 9)), by:slice(2, 2)[1].id, codes(by:objects())") == "ca Japan dbeca")
    #expect(
      try script.value("tostring(by), tostring(by[1]), tostring(by.sections)")
        == "5 × Quake in 2 sections, live Chile: 2 × Quake 2 sections")
    try script.run(
      "local ids, all = {}, {} for s in by:each() do ids[#ids + 1] = s.name for q in s:each() do all[#all + 1] = q.code end end"
    )
    #expect(try script.value("table.concat(ids, ' '), table.concat(all)") == "Chile Japan dbeca")
  }

  @Test func aSectionHasTheIDThatItsObjectsHave() throws {
    let script = try script()
    try script.run("by.sectionIdentifier = 'magnitude'")
    #expect(try script.value("tostring(by:section(3)), math.type(by:section(3).id)") == "3.0: 1 × Quake float")
  }

  @Test func placesCountWithinSections() throws {
    let script = try script()
    try script.run("Quake { code = 'f', magnitude = 4, place = 'Japan' } save()")
    #expect(try script.value("told()") == "save +f:>2.2")
    try script.run("Quake:find('d').place = 'Japan' save()")
    #expect(try script.value("codes(by[1]), codes(by[2])") == "b edfca")
    try script.run("told() Quake:find('b'):delete() save()")
    #expect(try script.value("told(), #by") == "save -gone:1.1> -s1=Chile 1")
  }

  @Test func renamingTheLastOfTwoSectionsIsOneMore() throws {
    let script = try Script.quakes()
    try script.run(
      """
      for i, code in ipairs { "c", "d", "e" } do Quake:find(code):delete() end
      save()
      local by = SectionedFetchRequest { entity = Quake, sectionIdentifier = "place", sortDescriptors = { "code" } }:live()
      by:onChange(tell)
      Quake:find("a").place, Quake:find("b").place = "Zambia", "Zambia"
      save()
      """)
    let told = try script.value("told()")
    #expect(told.contains("+s1=Zambia"))
    #expect(told.contains("-s1=Chile") && told.contains("-s2=Japan"))
    #expect(try script.value("#by, codes(by[1])") == "1 ab")
  }

  @Test func aSectionFollowsItsID() throws {
    let script = try script()
    try script.run("local japan, chile = by[2], by[1] Quake { code = 'f', place = 'Bali' } save()")
    #expect(try script.value("japan.index, japan.id, #japan, by[1].id") == "3 Japan 3 Bali")
    try script.run("Quake:batchDelete \"place == 'Chile'\"")
    #expect(
      try script.value("#chile, chile.index, chile.id, chile[1], tostring(chile)") == "0 nil Chile nil Chile: 0 × Quake"
    )
    try script.run("Quake { code = 'g', place = 'Chile' } save()")
    #expect(try script.value("#chile, chile.index, chile[1].code") == "1 2 g")
  }

  @Test func idsAreFoundByValue() throws {
    let script = try Script.quakes()
    try script.run(
      """
      Quake:find("a").time, Quake:find("b").time = Date "2024-01-22T10:00:00Z", Date "2024-01-22T12:00:00Z"
      Quake:find("c").time = Date "2023-05-01T00:00:00Z"
      save()
      local function by(key) return SectionedFetchRequest { entity = Quake, sectionIdentifier = key, sortDescriptors = { "code" } }:live() end
      local byDay, byMagnitude, byTime, byYear = by "day", by "magnitude", by "time", by "year(time)"
      """)
    #expect(
      try script.value("codes(byDay:section '2024-01-22'), codes(byDay:section(null)), byDay[1].id, byDay[1].name")
        == "ab de nil nil")
    #expect(
      try script.value("codes(byMagnitude:section(3)), codes(byMagnitude:section(3.0)), byMagnitude:section(9)")
        == "c c nil")
    #expect(try script.value("codes(byTime:section(Date '2024-01-22T12:00:00Z'))") == "b")
    #expect(
      try script.value("codes(byYear:section(2024)), codes(byYear:section(2024.0)), byYear[2].id") == "ab ab 2023")
    #expect(script.error("byDay:section()") == "results:section: expected a value, got no value")
    #expect(script.error("byDay:section(print)") == "results:section: expected a value, got function")
  }

  @Test func theSectionKeyCanBeAnotherOrNone() throws {
    let script = try script()
    try script.run("by.sectionIdentifier = 'felt'")
    #expect(try script.value("#by, by.sectionIdentifier") == "1 felt")
    try script.run("by:configure { sectionIdentifier = 'code', sortDescriptors = { '-code' } }")
    #expect(try script.value("#by, by[1].id, by[1][1].code") == "5 e e")
    #expect(
      script.error("by:configure { sectionIdentifier = 'place', sortDescriptors = { 'code', 'place' } }")?.contains(
        "put it first") == true)
    #expect(script.error("by.sectionIdentifier = 'plac'")?.contains("did you mean 'place'?") == true)
    try script.run("by.sectionIdentifier = nil")
    #expect(try script.value("#by, by[1].code, #by.sections, by:section 'e'") == "5 e 0 nil")
  }

  @Test func sectionsByARelatedObjectFollowIt() throws {
    let script = try Script.quakes()
    try script.run(
      """
      local report = Report { text = "x", quake = Quake:find "a" }
      Report { text = "y", quake = Quake:find "b" }
      save()
      local by = SectionedFetchRequest { entity = Report, sectionIdentifier = "quake.place", sortDescriptors = { "text" } }:live()
      """)
    #expect(try script.value("#by, by[1].id, by[2][1].text") == "2 Chile x")
    try script.run("Quake:find('a').place = 'Alaska' save()")
    #expect(try script.value("#by, by[1].id, by[1][1].text") == "2 Alaska x")
    try script.run("report.quake = Quake:find 'b' save()")
    #expect(try script.value("#by, by[1].id, #by[1]") == "1 Chile 2")
  }
}

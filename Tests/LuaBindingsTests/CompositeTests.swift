import Foundation
import LuaBindings
import TestSupport
import Testing

@Suite struct CompositeTests {
  private func script() throws -> Script {
    let script = try Script()
    try script.run(
      """
      model = Model {
        Quake = Entity {
          code = String,
          place = Composite {
            city = String { indexed = true }, zip = Int { min = 1 }, since = Date, fee = Decimal,
            geo = Composite { lat = Double, lon = Double },
          },
          _ = { indexes = { { "place.geo.lat", "code" } } },
        },
      }
      use(open(":memory:", { model = model }))
      Quake { code = "a", place = { city = "Rome", zip = 7, since = Date(1.000001), fee = Decimal "1.10", geo = { lat = 41.9 } } }
      Quake { code = "b", place = { city = "Ulm", geo = { lat = 48.4, lon = 10 } } }
      Quake { code = "c" }
      save() context:reset()
      """)
    return script
  }

  @Test func elementsKeepTheirTypesInACopiedTable() throws {
    let script = try script()
    try script.run("local q = Quake:first 'code == \"a\"' local p = q.place p.city = 'changed'")
    #expect(
      try script.value("q.place.city, q.place.fee, q.place.since - Date(1) < 2e-6, q.place.geo.lat, q.place.geo.lon")
        == "Rome 1.1 true 41.9 nil")
    #expect(try script.value("Quake:first('code == \"c\"').place") == "nil")
    try script.run("p.zip = 9 q.place = p save() context:reset()")
    #expect(try script.value("Quake:first('code == \"a\"').place.zip, q.place.city") == "9 changed")
  }

  @Test func everyElementIsChecked() throws {
    let script = try script()
    try script.run("local q = Quake:first 'code == \"a\"'")
    #expect(script.error("q.place = { zip = 'x' }") == "Quake.place.zip: expected Integer64, got String (\"x\")")
    #expect(
      script.error("q.place = { geo = { lat = true } }") == "Quake.place.geo.lat: expected Double, got Bool (true)")
    #expect(script.error("q.place = { cty = 'x' }") == "Quake.place: there is no element 'cty'; did you mean 'city'?")
    #expect(
      script.error("q.place = { geo = { lt = 1 } }") == "Quake.place.geo: there is no element 'lt'; did you mean 'lat'?"
    )
    #expect(script.error("q.place = 5") == "Quake.place: expected Composite, got Integer (5)")
    #expect(script.error("q.place = { geo = 5 }") == "Quake.place.geo: expected Composite, got Integer (5)")
    #expect(script.error("q.place = { city = print }") == "Quake.place.city: expected String, got function")
    #expect(
      script.error("q.place = { geo = { lat = 1/0 } }")?.hasPrefix("Quake.place.geo.lat: expected a value that JSON")
        == true)
    #expect(script.error("q.place = { zip = 0 } save()")?.contains("place.zip is 0, less than 1") == true)
    try script.run("context:rollback()")
    #expect(
      script.error("Quake:batchInsert { { code = 'x' }, { place = { zip = 'x' } } }")
        == "row 2: Quake.place.zip: expected Integer64, got String (\"x\")")
  }

  @Test func keyPathsWorkEverywhere() throws {
    let script = try script()
    #expect(try script.value("Quake:where('place.city == %@', 'Rome'):first().code") == "a")
    #expect(try script.value("Quake:where('place.geo.lat > 45 AND place.geo.lon != nil'):first().code") == "b")
    #expect(try script.value("Quake:count 'place == nil', Quake:count 'place.zip == nil'") == "1 2")
    #expect(try script.value("Quake:all():sorted('-place.city'):fetch()[1].code") == "b")
    #expect(try script.value("Quake:all():max('place.geo.lat'), Quake:all():sum('place.fee')") == "48.4 1.1")
    try script.run(
      """
      local rows = FetchRequest { entity = Quake, resultType = "dictionaries", sortDescriptors = { "place.city" },
        propertiesToFetch = { "code", "place.city", since = "place.since" } }:fetch()
      local groups = Quake:all():groupBy("place.city", { n = "count", lat = "max(place.geo.lat)" })
      """)
    #expect(try script.value("rows[2].code, rows[2]['place.city'], rows[2].since.year") == "a Rome 1970")
    #expect(try script.value("#groups, groups[2]['place.city'], groups[2].n, groups[2].lat") == "3 Rome 1 41.9")
    #expect(try script.value("Quake:first('code == \"a\"'):value 'place.geo.lat'") == "41.9")
    // Unsaved objects are found and sorted by the same answers in memory.
    try script.run("Quake { code = 'd', place = { city = 'Aachen', geo = { lat = 50.8 } } }")
    #expect(try script.value("Quake:where('place.geo.lat > 50'):first().code") == "d")
    #expect(try script.value("Quake:all():sorted('place.city'):fetch()[2].code") == "d")
  }

  @Test func wholeCompositesKeepTheTypesOfTheirElements() throws {
    let script = try script()
    try script.run(
      """
      local rows = FetchRequest { entity = Quake, resultType = "dictionaries", sortDescriptors = { "code" },
        propertiesToFetch = { "code", "place", "place.geo" } }:fetch()
      local q = Quake:first 'code == "a"'
      q.place = { since = Date(5) }
      local new, old = q:changedValues().place, q:committedValues().place
      local change = context:diff().updated[1].changes[1]
      """)
    #expect(
      try script.value("rows[1].place.since.year, rows[1].place.fee, rows[1]['place.geo'].lat, rows[3].place")
        == "1970 1.1 41.9 nil")
    #expect(
      try script.value("new.since == Date(5), old.since.year, change.old.fee, change.new.since.second")
        == "true 1970 1.1 5")
  }

  @Test func attributesAreDerivedFromElements() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Quake = Entity { place = Composite { city = String, since = Date }, city = Derived { type = String, indexed = true, "lowercase(place.city)" },
          year = Derived { type = Int, "year(place.since)" }, reports = ToMany "Report" { inverse = "quake" } },
        Report = Entity { quake = ToOne "Quake" { inverse = "reports" }, where = Derived { type = String, "quake.place.city" } },
      } }))
      local q = Quake { place = { city = "ROME", since = Date(0) } }
      local r = Report { quake = q }
      save()
      local before = r.where
      q.place = { city = "ULM" } save()
      """)
    #expect(
      try script.value("before, r.where, q.city, q.year, Quake:first 'city == \"ulm\"' == q") == "ROME ULM ulm nil true"
    )
    #expect(
      script.error(
        "open(':memory:', { model = Model { A = Entity { p = Composite { x = Int }, y = Derived { type = Int, 'p.z' } } } })"
      )?
      .contains("p.z is not a declared element") == true)
  }

  @Test func wrongNamesAreFoundInTheText() throws {
    let script = try script()
    #expect(script.error("Quake:where 'place.cty == 1'") == "Quake.place has no property 'cty'; did you mean 'city'?")
    #expect(
      script.error("Quake:all():sorted 'place.geo.lt'") == "Quake.place.geo has no property 'lt'; did you mean 'lat'?")
    #expect(
      script.error("Quake:where 'place.city.x == 1'")
        == "'city' of Quake.place.city is a String, not a relationship: nothing can follow it")
    #expect(script.error("Quake:where 'place.zip == \"x\"'")?.contains("cannot compare") == true)
    #expect(script.error("Quake:where 'place > 1'")?.contains("cannot compare") == true)
  }

  @Test func indexesOnElementsAreUsed() throws {
    let script = try script()
    #expect(
      try script.value("tostring(Quake:where('place.city == %@', 'Rome'):explain())").contains("quake_place_city_index")
    )
    #expect(
      try script.value("tostring(Quake:where('place.geo.lat > 5'):explain())").contains(
        "quake_place_geo_lat_code_index")
    )
    #expect(
      script.error("Model { A = Entity { p = Composite { x = Int }, _ = { indexes = { { 'p.y' } } } } }")
        == "A: 'indexes' names 'p.y', which is not a property")
  }

  @Test func elementsComeAndGoWithTheModel() throws {
    let path = TemporaryFolder.ofThisRun.appendingPathComponent("\(UUID().uuidString).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let script = try Script()
    try script.run(
      """
      local function reopen(place) return open("\(path)", { create = true, model = Model { Quake = Entity { place = place } } }) end
      local s = reopen(Composite { city = String, zip = Int })
      s.entities.Quake { place = { city = "Rome", zip = 7 } } s.context:save() s:close()
      s = reopen(Composite { city = String { indexed = true }, since = Date })
      local q = s.entities.Quake:first()
      local zip, p = q.place.zip, q.place
      p.since = Date(0) q.place = p s.context:save()
      """)
    #expect(try script.value("zip, q.place.city, q.place.since.year") == "nil Rome 1970")
    #expect(
      try script.value("tostring(s.entities.Quake:where('place.city == \"Rome\"'):explain())")
        .contains("quake_place_city_index"))
  }

  @Test func modelsOfElementsAreChecked() throws {
    let script = try Script()
    #expect(
      script.error("Model { A = Entity { p = Composite { x = Int { unique = true } } } }")
        == "A.p.x: unique: an element cannot be unique")
    #expect(script.error("Composite {}") == "Composite: an element, such as city = String, is missing")
    #expect(
      script.error("Composite { optinal = true, x = Int }")
        == "Composite: there is no option 'optinal'; did you mean 'optional'?")
    #expect(
      try script.value("Model { A = Entity { p = Composite { optional = Bool, elements = { x = Int } } } }")
        == "model of 1 entity: A")
  }
}

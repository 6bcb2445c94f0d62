import LuaBindings
import Testing

/// Who points at an object.
@Suite struct ObjectReferencesTests {
  @Test func referencesCountWhoHoldsTheObjectByRelationship() throws {
    let script = try Script.quakes()
    try script.run(
      """
      q = Quake:where("code == 'a'"):first()
      for i = 1, 3 do Report { text = "r" .. i, quake = q } end
      station = Station { name = "ANMO" }
      q.stations:add(station)
      save()
      Report { text = "unsaved", quake = q }
      Report { text = "another", quake = Quake:where("code == 'b'"):first() }
      function told(object)
        local out = {}
        for i, row in ipairs(object:references()) do
          out[i] = row.entity .. "." .. row.relationship .. "=" .. row.count .. "/" .. row.request:count()
        end
        return table.concat(out, " ")
      end
      """)
    #expect(try script.value("told(q)") == "Report.quake=4/4 Station.quakes=1/1")
    #expect(try script.value("told(station)") == "Quake.stations=1/1")
    #expect(try script.value("told(q.reports:list()[1])") == "Quake.reports=1/1")
    #expect(try script.value("told(Quake:where(\"code == 'e'\"):first())") == "")
  }

  @Test func relationshipsThatSubentitiesInheritAreToldOnce() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { create = true, model = Model {
        Place = Entity { name = String, visits = ToMany "Visit" { inverse = "place" } },
        City = Entity { size = Int, _ = { parent = "Place" } },
        Visit = Entity { day = Int, place = ToOne "Place" { inverse = "visits" } },
        Stay = Entity { nights = Int, _ = { parent = "Visit" } },
      } }))
      city = City { name = "Lima" }
      Stay { place = city } Visit { place = city }
      rows = city:references()
      """)
    #expect(try script.value("#rows .. rows[1].entity .. rows[1].relationship .. rows[1].count") == "1Visitplace2")
  }
}

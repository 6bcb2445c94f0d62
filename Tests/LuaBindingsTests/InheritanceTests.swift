import Foundation
import LuaBindings
import TestSupport
import Testing

@Suite struct InheritanceTests {
  private func vehicles() throws -> Script {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Vehicle = Entity { plate = String { unique = true }, owner = ToOne "Person" { inverse = "vehicles" }, _ = { abstract = true } },
        Car = Entity { doors = Int, _ = { parent = "Vehicle" } },
        Truck = Entity { load = Double, _ = { parent = "Vehicle" } },
        Person = Entity { name = String, vehicles = ToMany "Vehicle" { inverse = "owner" }, favourite = ToOne "Vehicle" },
      } }))
      local p = Person { name = "Ada" }
      local c, t = Car { plate = "C1", doors = 4, owner = p }, Truck { plate = "T1", load = 7.5, owner = p }
      p.favourite = t
      save()
      context:reset()
      """)
    return script
  }

  @Test func aFetchOfTheParentGivesObjectsOfTheirOwnEntities() throws {
    let script = try vehicles()
    try script.run("local all = Vehicle:all():sorted('plate'):fetch()")
    #expect(
      try script.value("#all, all[1].entity.name, all[1].doors, all[2].entity.name, all[2].load") == "2 Car 4 Truck 7.5"
    )
    #expect(
      try script.value("all[1] == Car:find 'C1', Vehicle:find('T1') == Truck:first(), Car:count(), Vehicle:count()")
        == "true true 1 2")
    #expect(script.error("Vehicle { plate = 'x' }") == "Vehicle is abstract: make an object of a subentity")
  }

  @Test func relationshipsToTheParentLeadToTheRealEntity() throws {
    let script = try vehicles()
    try script.run("local p = Person:first()")
    #expect(try script.value("p.favourite.load, p.favourite.entity.name, #p.vehicles") == "7.5 Truck 2")
    #expect(script.error("p.favourite = p") == "Person.favourite: expected a Vehicle, got a Person")
  }

  @Test func threeLevelsShareTheirTable() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Event = Entity { code = String { unique = true }, _ = { abstract = true } },
        Quake = Entity { magnitude = Double, station = ToOne "Station" { inverse = "events" }, _ = { parent = "Event" } },
        Swarm = Entity { count = Int { min = 1 }, _ = { parent = "Quake" } },
        Storm = Entity { speed = Double, _ = { parent = "Event" } },
        Station = Entity { name = String, events = ToMany "Quake" { inverse = "station" }, last = ToOne "Event" },
      } }))
      local s = Station { name = "X" }
      Quake { code = "q", magnitude = 1, station = s } Swarm { code = "s", magnitude = 2, count = 3, station = s }
      Storm { code = "w", speed = 9 } s.last = Storm:first()
      save() context:reset()
      s = Station:first()
      """)
    #expect(try script.value("Event:count(), Quake:count(), Swarm:count(), Storm:count()") == "3 2 1 1")
    #expect(
      try script.value(
        "FetchRequest { entity = Quake, includesSubentities = false }:fetch()[1].code, FetchRequest { entity = Quake, includesSubentities = false }:count()"
      )
        == "q 1")
    #expect(try script.value("FetchRequest { entity = Event, includesSubentities = false }:count()") == "0")
    #expect(
      try script.value(
        "#s.events, s.last.entity.name, s.last.speed, Event:find('s').count, Quake:find('s').entity.name")
        == "2 Storm 9.0 3 Swarm")
    try script.run(
      "local swarm = Quake:find 's' swarm.count = 5 swarm.magnitude = 2.5 swarm.station = nil save() context:reset()")
    #expect(try script.value("Swarm:first().count, Swarm:first().magnitude, #Station:first().events") == "5 2.5 1")
    #expect(script.error("Event:find('s').count = 0 save()")?.contains("count is 0, less than 1") == true)
    try script.run("context:rollback()")
    #expect(script.error("Swarm { code = 'w' } save()")?.contains("there is another") == true)
    try script.run("context:rollback()")
    #expect(
      try script.value("Quake:batchUpdate('magnitude > 0', { magnitude = 7 }), Swarm:first().magnitude") == "2 7.0")
    #expect(
      try script.value("FetchRequest { entity = Quake, includesSubentities = false }:delete(), Event:count()") == "1 2")
  }

  @Test func aRowThatBecomesAnotherEntitysIsAnotherObject() throws {
    let script = try vehicles()
    try script.run(
      """
      local car, truck = Car:first(), Truck:first()
      local _ = car.doors + truck.load
      store:sql "UPDATE vehicle SET _entity = 'Truck', load = 1.5 WHERE plate = 'C1'"
      local seen = Vehicle:find 'C1'
      """)
    #expect(try script.value("seen.entity.name, seen.load, car.isDeleted, truck.load") == "Truck 1.5 true 7.5")
    #expect(script.error("car.doors = 5")?.contains("was deleted") == true)
    for chunk in ["car.doors = 5", "return car.doors", "car:refresh()", "return car:value 'doors'"] {
      let other = try vehicles()
      try other.run("local car = Car:first() store:sql \"UPDATE vehicle SET _entity = 'Truck' WHERE plate = 'C1'\"")
      _ = other.error(chunk)
      #expect(try other.value("Vehicle:find('C1').entity.name") == "Truck")
    }
  }

  private func garage() throws -> Script {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Vehicle = Entity { plate = String { unique = true }, owner = ToOne "Person" { inverse = "vehicles" } },
        Car = Entity { doors = Int { indexed = true }, _ = { parent = "Vehicle" } },
        Truck = Entity { load = Double, loads = ToMany "Parcel" { inverse = "truck" }, _ = { parent = "Vehicle" } },
        Parcel = Entity { weight = Int, truck = ToOne "Truck" { inverse = "loads" } },
        Person = Entity { name = String, vehicles = ToMany "Vehicle" { inverse = "owner" } },
        Business = Entity { vat = String, _ = { parent = "Person" } },
      } }))
      ada, acme = Person { name = "Ada" }, Business { name = "Acme", vat = "B7" }
      c4, c2 = Car { plate = "C4", doors = 4, owner = ada }, Car { plate = "C2", doors = 2, owner = acme }
      t1 = Truck { plate = "T1", load = 7.5, owner = acme }
      Vehicle { plate = "V" }
      parcel = Parcel { weight = 3, truck = t1 }
      save()
      function plates(predicate)
        local found = {}
        for _, vehicle in ipairs(Vehicle:where(predicate):sorted("plate"):fetch()) do found[#found + 1] = vehicle.plate end
        return table.concat(found, " ")
      end
      """)
    return script
  }

  @Test func aPredicateAsksForWhatASubentityAloneHas() throws {
    let script = try garage()
    let cases = [
      (#"CAST(SELF, "Car").doors == 4"#, "C4"), (#"NOT CAST(SELF, "Car").doors == 4"#, "C2"),
      (#"CAST(SELF, "Car").doors == nil"#, "T1 V"), (#"CAST(owner, "Business").vat == 'B7'"#, "C2 T1"),
      (#"CAST(SELF, Truck).loads.@sum.weight == 3"#, "T1"), (#"ANY CAST(SELF, 'Truck').loads.weight > 2"#, "T1"),
      (#"CAST(SELF, "Car").doors > 1 OR CAST(SELF, "Truck").load > 7"#, "C2 C4 T1"),
      ("#Predicate<Vehicle> { ($0 as? Car)?.doors == 4 || ($0 as? Truck)?.load == 7.5 }", "C4 T1"),
    ]
    for (predicate, expected) in cases {
      #expect(try script.value("plates([[\(predicate)]])") == expected, "\(predicate)")
      // The same of objects that are not saved.
      try script.run("c4.plate, c2.plate, t1.plate = 'C4', 'C2', 'T1' local all = Vehicle:all():fetch()")
      let matching = """
        (function() local found, p = {}, Predicate [[\(predicate)]]
        for _, vehicle in ipairs(Vehicle:all():sorted('plate'):fetch()) do
          if p:evaluate(vehicle) then found[#found + 1] = vehicle.plate end
        end return table.concat(found, ' ') end)()
        """
      #expect(try script.value(matching) == expected, "\(predicate) in memory")
    }
    #expect(try script.value(#"Person:count "ANY CAST(vehicles, 'Car').doors == 2""#) == "1")
    #expect(
      try script.value(
        #"Vehicle:all():sorted('-CAST(SELF, "Car").doors'):first().plate, Vehicle:groupBy('CAST(SELF, "Car").doors', { n = "count" })[1].n"#
      )
        == "C4 2")
  }

  @Test func anIndexServesWhatASubentityAloneHas() throws {
    let script = try garage()
    let plan = try script.value(#"Vehicle:where("CAST(SELF, 'Car').doors == 4"):explain()"#)
    #expect(plan.contains("by index"), "\(plan)")
    try script.run("store:sql \"UPDATE vehicle SET _entity = 'Truck' WHERE plate = 'C4'\"")
    #expect(try script.value("plates(\"CAST(SELF, 'Car').doors == 4\")") == "")
  }

  @Test func liveResultsFollowWhatASubentityAloneHas() throws {
    let script = try garage()
    try script.run(
      """
      heavy = Vehicle:where("ANY CAST(SELF, 'Truck').loads.weight > 5 OR CAST(owner, 'Business').vat == 'X'"):live()
      told = {}
      heavy:onChange(function(change) told[#told + 1] = #change.inserted .. "+" .. #change.deleted .. "-" end)
      parcel.weight = 6
      save()
      """)
    try script.run("acme.vat = 'X' save()")
    try script.run("store:sql 'UPDATE person SET vat = NULL'")
    try script.run("store:sql 'UPDATE parcel SET weight = 1'")
    #expect(try script.value("table.concat(told, ' '), #heavy") == "1+0- 1+0- 0+1- 0+1- 0")
  }

  @Test func whyTellsThatTheObjectIsOfAnotherEntity() throws {
    let script = try garage()
    #expect(
      try script.value("tostring(Predicate(\"CAST(SELF, 'Car').doors == 4\"):why(t1))").contains(
        "the object is a Truck"))
    #expect(
      try script.value("tostring(Predicate(\"CAST(owner, 'Business').vat == 'B7'\"):why(c4))").contains(
        "owner is a Person"))
  }

  @Test func noTestIsWrittenOfClassesThatInherit() throws {
    let script = try garage()
    for predicate in ["CAST(SELF, 'Car').doors == 4", "entityName(SELF) == 'Car'"] {
      let error = script.error("Predicate(\"\(predicate)\"):swift('macro', { entity = Vehicle, test = true })")
      #expect(error == "the classes of a test do not inherit, so that it cannot ask for a subentity; leave test out")
    }
  }

  @Test func anEntityThatDoesNotInheritIsAMistakeWithTheNearest() throws {
    let script = try garage()
    #expect(
      script.error("Vehicle:where \"CAST(SELF, 'Cra').doors == 4\"")
        == "no entity 'Cra' inherits from Vehicle; did you mean 'Car'?")
    #expect(
      script.error("Vehicle:where \"CAST(owner, 'Car').doors == 4\"") == "no entity 'Car' inherits from Person")
    #expect(
      script.error("Vehicle:where \"CAST(SELF, 'Car').door == 4\"")
        == "Car has no property 'door'; did you mean 'doors'?")
    #expect(script.error("Vehicle:where \"CAST(SELF, 'Car') == 4\"")?.contains("without a key behind it") == true)
    #expect(script.error("Vehicle:where \"CAST(SELF, 'Car').@count == 4\"") != nil)
  }

  @Test func aPropertyOfASubentityIsNamedInTheMistake() throws {
    let script = try vehicles()
    #expect(
      script.error("Vehicle:where 'doors > 2'")
        == "Vehicle has no property 'doors'; its subentity Car has one: write CAST(SELF, \"Car\").doors, or fetch Car instead"
    )
    #expect(script.error("Vehicle:where 'door > 2'")?.hasPrefix("Vehicle has no property 'door'") == true)
    #expect(
      script.error("Person:where 'favourite.load > 2'")
        == "Vehicle has no property 'load'; its subentity Truck has one: write CAST(favourite, \"Truck\").load, or fetch Truck instead"
    )
  }

  @Test func methodsOfTheParentBelongToSubentities() throws {
    let script = try vehicles()
    try script.run("function Vehicle:label() return 'V' .. self.plate end local c = Car:first()")
    #expect(try script.value("c:label()") == "VC1")
    try script.run("function Car:label() return 'C' .. self.plate end")
    #expect(try script.value("c:label(), Truck:first():label()") == "CC1 VT1")
    try script.run("Car.label = nil")
    #expect(try script.value("c:label()") == "VC1")
  }
}

/// Relationships between an entity and a subentity that are no inverses of one another.
@Suite struct OneSidedRelationshipTests {
  @Test func aBossHasManyPeopleAndIsNobodysBoss() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        Person = Entity { name = String, boss = ToOne "Manager" }, Manager = Entity { _ = { parent = "Person" } },
      } }))
      boss = Manager { name = "Ann" }
      for _, name in ipairs { "Bob", "Cid", "Dan" } do Person { name = name, boss = boss } end
      save()
      """)
    #expect(try script.value("Person:where('boss == %@', boss):count(), boss.boss, #store:verify()") == "3 nil 0")
  }

  @Test func eachSideKeepsWhatItWasGiven() throws {
    let script = try Script()
    try script.run(
      """
      use(open(":memory:", { model = Model {
        A = Entity { n = Int, b = ToOne "C" }, B = Entity { a = ToOne "A" }, C = Entity { _ = { parent = "B" } },
      } }))
      a, b, c = A { n = 1 }, B {}, C {}
      a.b, b.a = c, a
      save()
      """)
    #expect(try script.value("a.b == c, b.a == a, c.a, #store:verify()") == "true true nil 0")
    try script.run("b.a = nil c.a = a save() a:delete() save()")
    #expect(try script.value("b.a, c.a, A:count()") == "nil nil 0")
  }
}

@Suite struct MigrationTests {
  @Test func aFunctionCarriesOverWhatCannotBeInferred() throws {
    let path = TemporaryFolder.ofThisRun.appendingPathComponent("\(UUID().uuidString).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let script = try Script()
    try script.run(
      """
      path = "\(path)"
      local s = open(path, { create = true, model = Model { Person = Entity { name = String } } })
      s.entities.Person { name = "Ada Lovelace" } s.context:save() s:close()
      new = Model { Person = Entity { name = String, last = String { optional = false } } }
      """)
    #expect(script.error("open(path, { model = new })")?.contains("cannot be migrated") == true)
    try script.run(
      """
      local seen
      local s = open(path, { model = new, migrate = function(old, new)
        seen = old.entities.Person:count()
        for p in new.entities.Person:all():each() do p.last = p.name:match("%S+$") end
      end })
      """)
    #expect(try script.value("seen, s.entities.Person:first().last") == "1 Lovelace")
    #expect(
      script.error("open(path, { model = new, migrate = 5 })")
        == "open: migrate: expected a function(old, new), or true, got number")
  }
}

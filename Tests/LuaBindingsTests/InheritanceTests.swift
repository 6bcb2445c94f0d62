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

  @Test func aPropertyOfASubentityIsNamedInTheMistake() throws {
    let script = try vehicles()
    #expect(
      script.error("Vehicle:where 'doors > 2'")
        == "Vehicle has no property 'doors'; its subentity Car has one: fetch Car instead")
    #expect(script.error("Vehicle:where 'door > 2'")?.hasPrefix("Vehicle has no property 'door'") == true)
    #expect(
      script.error("Person:where 'favourite.load > 2'")
        == "Vehicle has no property 'load'; its subentity Truck has one: fetch Truck instead")
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
        == "open: migrate: expected a function(old, new), got number")
  }
}

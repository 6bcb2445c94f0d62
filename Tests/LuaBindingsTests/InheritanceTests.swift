import Foundation
import LuaBindings
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
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite").path
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

import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// What a check of a store of our own finds that its foreign keys do not say.
@Suite struct EntityProblemsTests {
  private func store() throws -> SQLiteStore {
    var options = StoreOptions(path: ":memory:")
    options.create = true
    var vehicle = EntityDescription("Vehicle", properties: [.attribute(Attribute("plate", .string))])
    vehicle.isAbstract = true
    options.model = try Model([
      vehicle, EntityDescription("Car", parent: "Vehicle"), EntityDescription("Boat", parent: "Vehicle"),
      EntityDescription(
        "Person",
        properties: [
          .relationship(Relationship(toOne: "car", "Car")), .relationship(Relationship(toMany: "boats", "Boat")),
          .relationship(Relationship(toMany: "all", "Vehicle")),
        ]),
    ])
    let store = try SQLiteStore(options)
    try store.connection.execute(
      """
      INSERT INTO vehicle VALUES (1, 'Car', 'a'), (2, 'Boat', 'b'), (3, 'Car', 'c');
      INSERT INTO person VALUES (1, 1), (2, NULL);
      INSERT INTO person_boats VALUES (1, 2); INSERT INTO person_all VALUES (1, 1), (1, 2);
      """)
    return store
  }

  private func found(_ sql: String) throws -> [StoreProblem] {
    let store = try store()
    #expect(try store.verify().isEmpty)
    try store.connection.execute(sql)
    return try store.verify()
  }

  @Test func aRelationshipToAnObjectOfAnotherEntityIsFound() throws {
    #expect(
      try found("UPDATE person SET car_pk = 2") == [
        StoreProblem(
          rule: .destination, table: "person", key: 1, subject: "car_pk", expected: "a Car", found: "Boat 2"),
        StoreProblem(
          rule: .destination, table: "person", key: 2, subject: "car_pk", expected: "a Car", found: "Boat 2"),
      ])
    let pairs = try found("INSERT INTO person_boats VALUES (2, 3)")
    #expect(pairs.map(\.rule) == [.pair] && pairs[0].expected == "a Boat" && pairs[0].found == "Car 3")
  }

  @Test func anObjectOfNoEntityOfItsTableIsFound() throws {
    let names = ["Vehicle", "Plane"]
    for name in names {
      #expect(
        try found("INSERT INTO vehicle VALUES (9, '\(name)', NULL)") == [
          StoreProblem(
            rule: .entity, table: "vehicle", key: 9, subject: "_entity", expected: "Car or Boat", found: name)
        ])
    }
  }
}

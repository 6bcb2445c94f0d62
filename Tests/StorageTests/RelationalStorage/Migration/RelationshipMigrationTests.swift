import Foundation
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct RelationshipMigrationTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func migrated(
    _ old: [EntityDescription], _ rows: String, to new: [EntityDescription], permitsLosses: Bool = false
  ) throws -> SQLiteStore {
    try folder.migrated(Model(old), rows, to: Model(new), permitsLosses: permitsLosses)
  }

  private func rows(_ store: SQLiteStore, _ sql: String) throws -> [[Int64?]] {
    try store.connection.all(sql).map { $0.map { if case .int(let number) = $0 { number } else { nil } } }
  }

  private func both(_ first: Property, _ second: Property) -> [EntityDescription] {
    [Declare.entity("A", [first]), Declare.entity("B", [second])]
  }

  @Test func aToManyBecomesAToOneWhereNobodyHasSeveral() throws {
    let old = both(Declare.toMany("bs", "B") { $0.inverse = "as" }, Declare.toMany("as", "A") { $0.inverse = "bs" })
    let new = both(
      Declare.toOne("b", "B") {
        $0.inverse = "as"
        $0.renamingIdentifier = "bs"
      },
      Declare.toMany("as", "A") {
        $0.inverse = "b"
        $0.isOrdered = true
      })
    let some = "INSERT INTO a VALUES (1), (2), (3); INSERT INTO b VALUES (7), (8);"
    let store = try migrated(old, some + "INSERT INTO a_bs VALUES (1, 7), (2, 7), (3, 8)", to: new)
    #expect(try rows(store, "SELECT _pk, b_pk FROM a ORDER BY 1") == [[1, 7], [2, 7], [3, 8]])
    store.close()
    try FileManager.default.removeItem(atPath: store.path)
    let failure = fact { try migrated(old, some + "INSERT INTO a_bs VALUES (1, 7), (1, 8)", to: new) }
    #expect(failure == .migrationRefused(["A.b: 1 A has several, and only one could stay"]))
  }

  @Test func aToOneKeptByItsInverseAloneIsKept() throws {
    let old = both(Declare.toMany("bs", "B"), Declare.toOne("a", "A"))
    let new = both(
      Declare.toMany("bs", "B") {
        $0.inverse = "owner"
        $0.isOrdered = true
      }, Declare.toOne("owner", "A") { $0.inverse = "bs" })
    let store = try migrated(old, "INSERT INTO a VALUES (1); INSERT INTO b VALUES (7, 1), (8, NULL)", to: new)
    #expect(try rows(store, "SELECT _pk, owner_pk FROM b ORDER BY 1") == [[7, 1], [8, nil]])
  }

  @Test func twoRelationshipsThatBecomeInversesKeepWhatEitherHeld() throws {
    let old = both(
      Declare.toOne("b", "B") { $0.inverse = "x" },
      Declare.toOne("a", "A") { $0.inverse = "y" })
    let before = [
      Declare.entity("A", old[0].properties + [Declare.toMany("y", "B") { $0.inverse = "a" }]),
      Declare.entity("B", old[1].properties + [Declare.toMany("x", "A") { $0.inverse = "b" }]),
    ]
    let new = both(Declare.toOne("b", "B") { $0.inverse = "a" }, Declare.toOne("a", "A") { $0.inverse = "b" })
    let store = try migrated(
      before,
      "BEGIN; INSERT INTO a VALUES (1, 7), (2, NULL), (3, NULL); INSERT INTO b VALUES (7, NULL), (8, 2); COMMIT",
      to: new)
    #expect(try rows(store, "SELECT _pk, b_pk FROM a ORDER BY 1") == [[1, 7], [2, 8], [3, nil]])
    #expect(try rows(store, "SELECT _pk, a_pk FROM b ORDER BY 1") == [[7, 1], [8, 2]])
    store.close()
    try FileManager.default.removeItem(atPath: store.path)
    let failure = fact {
      try migrated(
        before, "BEGIN; INSERT INTO a VALUES (1, 7), (2, 7); INSERT INTO b VALUES (7, NULL); COMMIT", to: new)
    }
    #expect(failure == .migrationRefused(["B.a: 1 B has several, and only one could stay"]))
  }

  @Test func hierarchiesAreMergedWithNewKeys() throws {
    let owner = Declare.entity(
      "Owner", [Declare.toOne("car", "Car") { $0.deleteRule = .noAction }, Declare.toMany("boats", "Boat")])
    let car = Declare.entity("Car", [Declare.attribute("plate", .integer64)])
    let boat = Declare.entity("Boat", [Declare.toOne("towedBy", "Car"), Declare.attribute("plate", .integer64)])
    let store = try migrated(
      [owner, car, boat],
      """
      INSERT INTO car VALUES (1, 10), (2, 20); INSERT INTO boat VALUES (1, 2, 30), (5, 1, 40);
      INSERT INTO owner VALUES (1, 2); INSERT INTO owner_boats VALUES (1, 1), (1, 5)
      """,
      to: [
        owner, Declare.entity("Car", parent: "Vehicle"),
        Declare.entity("Boat", parent: "Vehicle", [Declare.toOne("towedBy", "Car")]),
        Declare.entity("Vehicle", [Declare.attribute("plate", .integer64)]) { $0.isAbstract = true },
      ])
    #expect(try rows(store, "SELECT _pk, plate FROM vehicle ORDER BY 1") == [[1, 10], [2, 20], [3, 30], [7, 40]])
    #expect(try rows(store, "SELECT _pk, towedBy_pk FROM vehicle WHERE _entity = 'Boat'") == [[3, 2], [7, 1]])
    #expect(try rows(store, "SELECT car_pk FROM owner") == [[2]])
    #expect(try rows(store, "SELECT boat_pk FROM owner_boats ORDER BY 1") == [[3], [7]])
    #expect(store.migration?.steps.contains(.renumberKeys("Boat")) == true)
  }

  @Test func aReferenceToNothingLeadsToNothingAfterAMerge() throws {
    let owner = Declare.entity("Owner", [Declare.toOne("car", "Car")])
    let store = try migrated(
      [owner, Declare.entity("Car"), Declare.entity("Boat")],
      "PRAGMA foreign_keys = OFF; INSERT INTO car VALUES (1); INSERT INTO boat VALUES (1); INSERT INTO owner VALUES (1, 2)",
      to: [
        owner, Declare.entity("Vehicle"), Declare.entity("Car", parent: "Vehicle"),
        Declare.entity("Boat", parent: "Vehicle"),
      ])
    #expect(try rows(store, "SELECT _pk FROM vehicle") == [[1], [2]])
    #expect(try rows(store, "SELECT car_pk FROM owner") == [[nil]])
  }

  @Test func whatLeadsToSomethingElseNowIsRefused() throws {
    let owner = Declare.entity("Owner", [Declare.toOne("vehicle", "Vehicle")])
    let parts = [Declare.entity("Vehicle"), Declare.entity("Car", parent: "Vehicle")]
    let failure = fact {
      try migrated(
        [owner] + parts,
        "INSERT INTO vehicle VALUES (1, 'Car'), (2, 'Vehicle'); INSERT INTO owner VALUES (1, 1), (2, 2)",
        to: [owner, Declare.entity("Vehicle"), Declare.entity("Car")])
    }
    #expect(failure == .migrationRefused(["Owner.vehicle: 1 object has one of Car, and it leads to Vehicle"]))
  }

  @Test func requiredRelationshipsThatLoseTheirObjectsAreRefused() throws {
    let owner = Declare.entity("Owner", [Declare.toOne("vehicle", "Vehicle") { $0.isOptional = false }])
    let failure = fact {
      try migrated(
        [owner, Declare.entity("Vehicle"), Declare.entity("Car", parent: "Vehicle")],
        "INSERT INTO vehicle VALUES (1, 'Car'); INSERT INTO owner VALUES (1, 1)",
        to: [owner, Declare.entity("Vehicle")], permitsLosses: true)
    }
    #expect(failure == .migrationRefused(["Owner.vehicle: 1 object has no value, and it is required"]))
  }

  @Test func anEntityMayGetItsFirstSubentity() throws {
    let store = try migrated(
      [Declare.entity("Car", [Declare.attribute("plate", .integer64)])], "INSERT INTO car VALUES (1, 10)",
      to: [Declare.entity("Car", [Declare.attribute("plate", .integer64)]), Declare.entity("Taxi", parent: "Car")])
    #expect(try rows(store, "SELECT _pk, plate FROM car WHERE _entity = 'Car'") == [[1, 10]])
  }

  @Test func whatMovesToAParentIsConvertedAndChecked() throws {
    let old = [Declare.entity("Car", [Declare.attribute("plate", .string)])]
    let new = [
      Declare.entity(
        "Vehicle",
        [
          Declare.attribute("plate", .integer64),
          Declare.attribute("wheels", .integer64) { $0.isOptional = false },
        ]), Declare.entity("Car", parent: "Vehicle"),
    ]
    let failure = fact { try migrated(old, "INSERT INTO car VALUES (1, '10'), (2, 'x')", to: new) }
    #expect(
      failure
        == .migrationRefused([
          "Car.plate: 1 object has a value not of type Integer64: \"x\"",
          "Car.wheels: 2 objects have no value, and it is required",
        ]))
  }

  @Test func timesOfTheLastChangeAreKept() throws {
    func entity(_ type: AttributeType) -> EntityDescription {
      Declare.entity(
        "A", [Declare.attribute("n", type), Declare.attribute("changed", .date) { $0.derivation = "now()" }])
    }
    let store = try migrated(
      [entity(.integer16)],
      "INSERT INTO a (_pk, n) VALUES (1, 5); DROP TRIGGER a_changed_trigger_2; UPDATE a SET changed = 7",
      to: [entity(.string)])
    #expect(try store.connection.all("SELECT n, changed FROM a") == [[.string("5"), .double(7)]])
  }

  @Test func countsFollowWhatIsRemoved() throws {
    let owner = Declare.entity(
      "Owner",
      [Declare.toMany("vehicles", "Vehicle"), Declare.attribute("n", .integer64) { $0.derivation = "vehicles.@count" }])
    let vehicle = Declare.entity("Vehicle", [Declare.toOne("owner", "Owner")])
    let store = try migrated(
      [owner, vehicle, Declare.entity("Car", parent: "Vehicle")],
      """
      INSERT INTO owner (_pk) VALUES (1);
      INSERT INTO vehicle (_pk, _entity, owner_pk) VALUES (1, 'Car', 1), (2, 'Vehicle', 1)
      """, to: [owner, vehicle], permitsLosses: true)
    #expect(try rows(store, "SELECT n FROM owner") == [[1]])
  }

  @Test func onlyWhatIsLostIsRefused() throws {
    let (vehicle, car) = (Declare.entity("Vehicle", [Declare.toOne("owner", "Owner")]), "Car")
    let old = [
      Declare.entity("Owner", [Declare.toMany("vehicles", "Vehicle"), Declare.attribute("n", .string)]), vehicle,
      Declare.entity(car, parent: "Vehicle"), Declare.entity("Tenant", parent: "Owner"),
    ]
    // Only cars have owners, and the tenant whose number is none is removed.
    let content = """
      INSERT INTO owner VALUES (1, 'Owner', '5'), (2, 'Tenant', 'x');
      INSERT INTO vehicle VALUES (1, 'Car', 1), (2, 'Vehicle', NULL)
      """
    let new = [
      Declare.entity("Owner", [Declare.toMany("vehicles", car), Declare.attribute("n", .integer64)]),
      Declare.entity("Vehicle"), Declare.entity(car, parent: "Vehicle", [Declare.toOne("owner", "Owner")]),
    ]
    #expect(
      fact { try migrated(old, content, to: new) } == .migrationLosing(["1 Tenant would be deleted"], obstacles: []))
    try FileManager.default.removeItem(atPath: folder.file("store.sqlite"))
    let store = try migrated(old, content, to: new, permitsLosses: true)
    #expect(try rows(store, "SELECT owner_pk FROM vehicle ORDER BY _pk") == [[1], [nil]])
    #expect(try rows(store, "SELECT n FROM owner") == [[5]])
  }

  @Test func aRelationshipMayLeadElsewhereWhenAllItLedToIsRemoved() throws {
    let store = try migrated(
      [Declare.entity("A", [Declare.toOne("b", "B")]), Declare.entity("B")],
      "INSERT INTO b VALUES (1); INSERT INTO a VALUES (1, 1)",
      to: [Declare.entity("A", [Declare.toOne("b", "C")]), Declare.entity("C")], permitsLosses: true)
    #expect(try rows(store, "SELECT b_pk FROM a") == [[nil]])
  }
}

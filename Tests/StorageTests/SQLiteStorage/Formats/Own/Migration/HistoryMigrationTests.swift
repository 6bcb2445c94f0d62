import Modeling
import Testing

@testable import Records
@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// A migration keeps the history readable, under the new names.
@Suite struct HistoryMigrationTests {
  private func attribute(_ name: String, from former: String? = nil) -> Property {
    var attribute = Attribute(name, .string)
    attribute.renamingIdentifier = former
    return .attribute(attribute)
  }

  private func migrate(_ sample: HistorySample, to descriptions: [EntityDescription]) throws {
    let model = try Model(descriptions)
    try sample.reopen { ($0.model, $0.permitsLosses) = (model, true) }
  }

  @Test func renamedThingsAreToldByTheirNewNames() throws {
    let sample = try HistorySample([
      EntityDescription("Quake", properties: [attribute("code"), attribute("place"), attribute("note")])
    ])
    try sample.sql("INSERT INTO quake (code) VALUES ('a'); UPDATE quake SET place = 'here'")
    try sample.sql("UPDATE quake SET place = 'there', note = 'n'")
    var earthquake = EntityDescription(
      "Earthquake", properties: [attribute("size"), attribute("region", from: "place"), attribute("code")])
    earthquake.renamingIdentifier = "Quake"
    let token = try sample.store.currentHistoryToken
    try migrate(sample, to: [earthquake])
    #expect(try sample.told() == ["insert Earthquake/1", "update Earthquake/1: region, note"])
    #expect(try sample.store.currentHistoryToken == token)
    try sample.sql("UPDATE earthquake SET size = 'x', region = 'y'")
    #expect(try sample.told { $0.since = token } == ["update Earthquake/1: size, region"])
    #expect(try sample.told { $0.entity = sample.entity("Earthquake") }.count == 3)
  }

  @Test func removedThingsKeepTheirLastNames() throws {
    let sample = try HistorySample([
      EntityDescription("A", properties: [attribute("x")]), EntityDescription("B", properties: [attribute("y")]),
    ])
    try sample.sql("INSERT INTO a (x) VALUES ('1'); INSERT INTO b (y) VALUES ('1')")
    try migrate(sample, to: [EntityDescription("B", properties: [attribute("y")])])
    #expect(try sample.told() == ["insert A/1; insert B/1"])
    #expect(
      try sample.store.history()[0].changes.map(\.objectID) == [nil, ObjectID(entity: sample.entity("B"), key: 1)])
    // A new entity of an old name is another.
    try migrate(
      sample,
      to: [EntityDescription("B", properties: [attribute("y")]), EntityDescription("A", properties: [attribute("x")])])
    #expect(try sample.store.history()[0].changes[0].objectID == nil)
    try sample.sql("INSERT INTO a (x) VALUES ('2')")
    #expect(try sample.store.history().last?.changes[0].objectID == ObjectID(entity: sample.entity("A"), key: 1))
    #expect(try sample.told { $0.entity = sample.entity("A") } == ["insert A/1"])
  }

  @Test func anEntityThatGetsAParentTellsOfWhatItInherits() throws {
    let sample = try HistorySample([
      EntityDescription("A", properties: [attribute("x")]), EntityDescription("B", properties: [attribute("y")]),
    ])
    try sample.sql("INSERT INTO b (y) VALUES ('1')")
    try migrate(
      sample,
      to: [
        EntityDescription("A", properties: [attribute("x")]),
        EntityDescription("B", parent: "A", properties: [attribute("y")]),
      ])
    try sample.sql("UPDATE a SET x = '2'")
    try sample.sql("UPDATE a SET y = '3'")
    #expect(try sample.told().suffix(2) == ["update B/1: x", "update B/1: y"])
  }

  @Test func aNewPropertyOfAnOldNameIsAnother() throws {
    let sample = try HistorySample([EntityDescription("A", properties: [attribute("x"), attribute("z")])])
    try sample.sql("INSERT INTO a (x) VALUES ('1')")
    try sample.sql("UPDATE a SET x = '2'")
    try migrate(sample, to: [EntityDescription("A", properties: [attribute("z")])])
    try migrate(sample, to: [EntityDescription("A", properties: [attribute("z"), attribute("x")])])
    try sample.sql("UPDATE a SET x = '3'")
    #expect(try sample.told() == ["insert A/1", "update A/1: x", "update A/1: x"])
    try migrate(sample, to: [EntityDescription("A", properties: [attribute("z"), attribute("y", from: "x")])])
    #expect(try sample.told() == ["insert A/1", "update A/1: x", "update A/1: y"])
  }

  @Test func entitiesMaySwapNames() throws {
    let sample = try HistorySample([
      EntityDescription("A", properties: [attribute("x")]), EntityDescription("B", properties: [attribute("y")]),
    ])
    try sample.sql("INSERT INTO a (x) VALUES ('1'); UPDATE a SET x = '2'")
    try sample.sql("INSERT INTO b (y) VALUES ('1')")
    var first = EntityDescription("B", properties: [attribute("x")])
    first.renamingIdentifier = "A"
    var second = EntityDescription("A", properties: [attribute("y")])
    second.renamingIdentifier = "B"
    try migrate(sample, to: [first, second])
    #expect(try sample.told() == ["insert B/1", "insert A/1"])
    try sample.sql("UPDATE b SET x = '3'")
    #expect(try sample.told().last == "update B/1: x")
  }

  @Test func aParentAddedLaterChangesNothingThatWasRecorded() throws {
    let sample = try HistorySample([
      EntityDescription("Car", properties: [attribute("name"), attribute("doors")]),
      EntityDescription("Other", properties: [attribute("z")]),
    ])
    try sample.sql("INSERT INTO car (name) VALUES ('a')")
    try sample.sql("UPDATE car SET doors = '3'")
    var vehicle = EntityDescription("Vehicle", properties: [attribute("name")])
    vehicle.isAbstract = true
    try migrate(
      sample,
      to: [
        vehicle, EntityDescription("Car", parent: "Vehicle", properties: [attribute("doors")]),
        EntityDescription("Other", properties: [attribute("z")]),
      ])
    try sample.sql("UPDATE vehicle SET name = 'b', doors = '4'")
    #expect(try sample.told() == ["insert Car/1", "update Car/1: doors", "update Car/1: name, doors"])
    #expect(try sample.told { $0.entity = sample.entity("Vehicle") }.count == 3)
  }

  @Test func aMigrationIsNoChangeOfTheData() throws {
    let sample = try HistorySample([EntityDescription("A", properties: [attribute("x")])])
    try sample.sql("INSERT INTO a (x) VALUES ('1')")
    var y = Attribute("y", .integer64)
    y.defaultValue = .int(7)
    y.isUnique = false
    try migrate(sample, to: [EntityDescription("A", properties: [.attribute(y), attribute("x")])])
    #expect(try sample.told() == ["insert A/1"])
    try sample.sql("UPDATE a SET y = 8")
    #expect(try sample.told() == ["insert A/1", "update A/1: y"])
  }

  @Test func aStoreWhoseHistoryIsOffMigratesItsNamesToo() throws {
    let sample = try HistorySample([EntityDescription("A", properties: [attribute("x")])])
    try sample.sql("INSERT INTO a (x) VALUES ('1'); UPDATE a SET x = '2'")
    try sample.sql("UPDATE a SET x = '3'")
    try sample.store.setHistoryEnabled(false)
    try migrate(sample, to: [EntityDescription("A", properties: [attribute("y", from: "x")])])
    #expect(try !sample.store.isHistoryEnabled)
    #expect(try sample.told() == ["insert A/1", "update A/1: y"])
    #expect(try sample.store.connection.all("SELECT 1 FROM sqlite_schema WHERE type = 'trigger'").isEmpty)
  }

  @Test func whatTheModelPreservesCanChange() throws {
    let sample = try HistorySample([EntityDescription("A", properties: [attribute("x")])])
    try sample.sql("INSERT INTO a (x) VALUES ('1'), ('2'); DELETE FROM a WHERE x = '1'")
    var x = Attribute("x", .string)
    x.preservesValueInHistoryOnDeletion = true
    try migrate(sample, to: [EntityDescription("A", properties: [.attribute(x)])])
    try sample.sql("DELETE FROM a")
    #expect(try sample.told().last == "delete A/2 { x = \"2\" }")
  }

  @Test func namesSurviveAsText() throws {
    var names = HistoryNames(try Sample.model())
    names.isOn = true
    names.entities[2].isRetired = true
    names.families[0][1].isRetired = true
    #expect(HistoryNames(encoded: names.encoded) == names)
    #expect(HistoryNames(encoded: "{}") == nil)
    #expect(HistoryNames(encoded: "no") == nil)
  }
}

import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct MigrationRehearsalTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func store() throws -> SQLiteStore {
    var options = StoreOptions(path: folder.file("a.sqlite"))
    options.create = true
    options.model = try Model([
      Declare.entity(
        "A",
        [Declare.attribute("n", .integer64), Declare.attribute("note", .string), Declare.toOne("b", "B")]),
      Declare.entity("B"),
    ])
    let store = try SQLiteStore(options)
    try store.connection.execute(
      "INSERT INTO b VALUES (1); INSERT INTO a VALUES (1, 70000, 'x', 1), (2, 5, NULL, NULL)")
    return store
  }

  private func wanted(_ type: AttributeType) throws -> Model {
    try Model([Declare.entity("A", [Declare.attribute("n", type)])])
  }

  @Test func aRehearsalTellsWhatWouldHappenAndChangesNothing() throws {
    let store = try store()
    let report = try store.rehearseMigration(to: wanted(.integer16))
    #expect(
      report.description == """
        ~ A.n from Integer64 to Integer16
        - A.note, with its values
        - A.b, with its values
        - B, with all its objects
        ! A.note: 1 value would be lost
        ! A.b: 1 link would be lost
        ! 1 B would be deleted
        refused:
          A.n: 1 object has a value not of type Integer16: 70000
        """)
    #expect(try store.rehearseMigration(to: wanted(.string)).obstacles.isEmpty)
    #expect(try store.rehearseMigration(to: store.model).description == "nothing to migrate")
    #expect(try store.connection.all("SELECT count(*) FROM a, b") == [[.int(2)]])
    #expect(store.model.entities.count == 2)
  }

  @Test func aStoreOpenedForARehearsalIsACopy() throws {
    try store().close()
    var options = StoreOptions(path: folder.file("a.sqlite"))
    options.model = try wanted(.string)
    options.isRehearsal = true
    let copy = try SQLiteStore(options)
    #expect(copy.migration?.steps.count == 4)
    #expect(copy.path == options.path)
    #expect(try copy.connection.all("SELECT n FROM a ORDER BY _pk") == [[.string("70000")], [.string("5")]])
    copy.close()
    #expect(try SQLiteStore(StoreOptions(path: options.path)).model.entities.count == 2)
  }

  @Test func aStoreIsNotCopiedWhileItWrites() throws {
    let store = try store()
    try store.beginDryRun()
    #expect(try store.rehearseMigration(to: wanted(.string)).obstacles.isEmpty)
    _ = try store.sql("DELETE FROM a")
    #expect(fact { try store.rehearseMigration(to: wanted(.string)) } == .openTransaction)
    #expect(fact { try store.backup(to: folder.file("b.sqlite")) } == .openTransaction)
  }

  @Test func whatMovesToASubentityIsLostToTheOthersOnly() throws {
    func entities(_ first: [Property], _ second: [Property]) -> [EntityDescription] {
      [Declare.entity("Vehicle", first), Declare.entity("Car", parent: "Vehicle", second)]
    }
    let plate = Declare.attribute("plate", .string)
    var options = StoreOptions(path: ":memory:")
    options.create = true
    options.model = try Model(entities([plate], []))
    let store = try SQLiteStore(options)
    try store.connection.execute("INSERT INTO vehicle VALUES (1, 'Car', 'a'), (2, 'Vehicle', 'b')")
    #expect(
      try store.rehearseMigration(to: Model(entities([], [plate]))).description == """
        - Vehicle.plate, with its values
        ! Vehicle.plate: 1 value would be lost
        """)
  }
}

import Foundation
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// What a migration would lose is lost only where that was said.
@Suite struct MigrationLossTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.file("store.sqlite") }
  private var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
  }

  private func make(_ old: [EntityDescription], _ rows: String) throws {
    for file in files { try FileManager.default.removeItem(atPath: folder.file(file)) }
    var options = StoreOptions(path: path)
    (options.create, options.model) = (true, try Model(old))
    let store = try SQLiteStore(options)
    try store.connection.execute(rows)
    store.close()
  }

  private func open(_ new: [EntityDescription], permitsLosses: Bool = false) throws -> SQLiteStore {
    var options = StoreOptions(path: path)
    (options.model, options.permitsLosses) = (try Model(new), permitsLosses)
    return try SQLiteStore(options)
  }

  private func losses(_ old: [EntityDescription], _ rows: String, to new: [EntityDescription]) throws -> [String] {
    try make(old, rows)
    guard case .migrationLosing(let losses, _)? = fact({ try open(new).close() }) else { return [] }
    // Nothing has changed, and nothing lies beside the file.
    #expect(files == ["store.sqlite"])
    let store = try SQLiteStore(StoreOptions(path: path))
    #expect(store.model.descriptions == old)
    store.close()
    #expect(fact { try open(new, permitsLosses: true).close() } == nil)
    #expect(files == ["store.sqlite", "store.sqlite.migration-backup"])
    return losses
  }

  private let quake = Declare.entity("Quake", [Declare.attribute("code", .string), Declare.attribute("n", .integer64)])
  private let rows = "INSERT INTO quake VALUES (1, 'x', 5), (2, 'y', 6), (3, NULL, 7)"

  @Test func removedAttributesAndEntitiesAreCounted() throws {
    let tag = Declare.entity("Tag")
    #expect(
      try losses(
        [quake, tag], rows + "; INSERT INTO tag VALUES (1), (2)",
        to: [Declare.entity("Quake", [Declare.attribute("n", .integer64)])])
        == ["Quake.code: 2 values would be lost", "2 Tag objects would be deleted"])
  }

  @Test func objectsOfAHierarchyAreCountedOnce() throws {
    var car = Declare.entity("Car"), truck = Declare.entity("Truck")
    (car.parent, truck.parent) = ("Vehicle", "Vehicle")
    let old = [quake, Declare.entity("Vehicle"), car, truck]
    let rows = """
      INSERT INTO vehicle (_entity) VALUES ('Car'), ('Car'), ('Truck'), ('Vehicle')
      """
    #expect(
      try losses(old, rows, to: [quake])
        == ["1 Vehicle would be deleted", "2 Car objects would be deleted", "1 Truck would be deleted"])
    #expect(try losses(old, rows, to: [quake, Declare.entity("Vehicle"), car]) == ["1 Truck would be deleted"])
  }

  @Test func whatIsEmptyIsNoLoss() throws {
    try make([quake, Declare.entity("Tag")], "INSERT INTO quake VALUES (1, NULL, 5)")
    let store = try open([Declare.entity("Quake", [Declare.attribute("n", .integer64)])])
    #expect(try store.connection.all("SELECT * FROM quake") == [[.int(1), .int(5)]])
    store.close()
    #expect(files == ["store.sqlite"])
  }

  @Test func whatHasAnotherNameNowIsNoLoss() throws {
    try make([quake], rows)
    var shock = Declare.entity(
      "Shock",
      [Declare.attribute("id", .string) { $0.renamingIdentifier = "code" }, Declare.attribute("n", .integer64)])
    shock.renamingIdentifier = "Quake"
    try open([shock]).close()
    #expect(files == ["store.sqlite"])
  }

  @Test func valuesThatAreComputedOrOnlyInMemoryFromNowOnAreLost() throws {
    for change in [{ $0.derivation = "uppercase(code)" }, { $0.isTransient = true }] as [(inout Attribute) -> Void] {
      let old = Declare.entity("Quake", [Declare.attribute("code", .string), Declare.attribute("title", .string)])
      let new = Declare.entity(
        "Quake", [Declare.attribute("code", .string), Declare.attribute("title", .string, change)])
      #expect(
        try losses([old], "INSERT INTO quake VALUES (1, 'x', 'a')", to: [new]) == ["Quake.title: 1 value would be lost"]
      )
    }
  }

  @Test func valuesOfATypeThatDoesNotBecomeTheOtherAreLost() throws {
    let old = Declare.entity("Quake", [Declare.attribute("raw", .data)])
    let new = Declare.entity("Quake", [Declare.attribute("raw", .date)])
    #expect(
      try losses([old], "INSERT INTO quake VALUES (1, x'01'), (2, NULL)", to: [new])
        == ["Quake.raw: 1 value would be lost"])
  }

  @Test func linksAndTheirOrderAreCounted() throws {
    func both(_ change: @escaping (inout Relationship) -> Void, _ others: [Property] = []) -> [EntityDescription] {
      [Declare.entity("A", [Declare.toMany("bs", "B", change)] + others), Declare.entity("B")]
    }
    let rows = "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1), (2); INSERT INTO a_bs VALUES (1, 1, 9), (1, 2, 5)"
    #expect(
      try losses(both { $0.isOrdered = true }, rows, to: both { _ in }) == ["A.bs: the order of 2 links would be lost"])
    #expect(
      try losses(both { $0.isOrdered = true }, rows, to: [Declare.entity("A"), Declare.entity("B")])
        == ["A.bs: 2 links would be lost"])
    #expect(
      try losses(both { $0.isOrdered = true }, rows, to: both { ($0.isOrdered, $0.isTransient) = (true, true) })
        == ["A.bs: 2 links would be lost"])
  }

  @Test func valuesThatDoNotFitAreLostOnlyWhereThatIsPermittedAndTheCopyHasThem() throws {
    try make([quake], rows)
    let new = Declare.entity("Quake", [Declare.attribute("code", .integer64), Declare.attribute("n", .integer64)])
    let reasons = ["Quake.code: 2 objects have a value not of type Integer64, such as \"x\""]
    #expect(fact { try open([new]) } == .migrationRefused(reasons))
    #expect(files == ["store.sqlite"])
    let store = try open([new], permitsLosses: true)
    #expect(try store.connection.all("SELECT code FROM quake") == [[.null], [.null], [.null]])
    #expect(store.migration?.losses == reasons)
    let backup = path + ".migration-backup"
    #expect(store.notes.count == 1 && store.notes[0].contains("'\(backup)'"))
    store.close()
    let again = try SQLiteStore(StoreOptions(path: path))
    #expect(
      again.notes == [
        "'\(backup)' is this store before a migration that lost what its model has no place for; delete it when nothing of that"
          + " is needed."
      ])
    again.close()
    let copy = try SQLiteStore(StoreOptions(path: backup))
    #expect(
      try copy.connection.all("SELECT code FROM quake ORDER BY _pk") == [[.string("x")], [.string("y")], [.null]])
  }

  @Test func rulesOfTheModelHoldWhateverMayBeLost() throws {
    try make([quake], rows)
    let new = Declare.entity(
      "Quake", [Declare.attribute("code", .string) { $0.isOptional = false }, Declare.attribute("n", .string)])
    #expect(
      fact { try open([new], permitsLosses: true) }
        == .migrationRefused(["Quake.code: 1 object has no value, and it is required"]))
    #expect(files == ["store.sqlite"])
  }

  @Test func allReasonsAreToldAtOnce() throws {
    try make([quake], rows)
    let new = Declare.entity(
      "Quake", [Declare.attribute("code", .string) { $0.isOptional = false }, Declare.attribute("m", .integer64)])
    #expect(
      fact { try open([new]) }
        == .migrationLosing(
          ["Quake.n: 3 values would be lost"], obstacles: ["Quake.code: 1 object has no value, and it is required"]))
  }
}

import Modeling
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

// What cannot be migrated.
extension MigrationTests {
  @Test(arguments: [true, false])
  func whatCannotBeInferredIsListedAndNothingChanges(isSevered: Bool) throws {
    let old = [
      EntityDescription(
        "Quake",
        properties: [
          Declare.attribute("code", .string), Declare.attribute("n", .integer64), Declare.attribute("raw", .data),
          Declare.toMany("tags", "Tag"),
        ]),
      EntityDescription("Tag"),
    ]
    let quake = EntityDescription(
      "Quake",
      properties: [
        Declare.attribute("code", .string) { $0.isUnique = true }, Declare.attribute("n", .integer16),
        Declare.attribute("raw", isSevered ? .date : .data),
        Declare.attribute("must", .string) { $0.isOptional = false },
        isSevered ? Declare.toOne("tags", "Tag") : Declare.toMany("tags", "Tag"),
      ])
    let rows = "INSERT INTO quake VALUES (1, 'x', 70000, NULL), (2, 'x', 1, NULL)"
    let failure = fact { try migrate(old, rows, to: [quake, EntityDescription("Tag")]) }
    let rules = [
      "Quake.n: 1 object has a value not of type Integer16: 70000",
      "Quake.must: 2 objects have no value, and it is required", "Quake: several objects have the same code, x",
    ]
    #expect(failure == .migrationRefused(isSevered ? ["Quake.raw: Data does not become Date"] : rules))
    let store = try SQLiteStore(StoreOptions(path: folder.file("store.sqlite")))
    #expect(store.model.descriptions == old)
    #expect(try self.rows(store, "SELECT count(*) FROM quake") == [[.int(2)]])
  }

  @Test func rowsThatBreakNewRulesAreRefused() throws {
    let old = [EntityDescription("Quake", properties: [Declare.attribute("code", .string)])]
    let quake = EntityDescription(
      "Quake",
      properties: [
        Declare.attribute("code", .string) { $0.isUnique = true },
        Declare.attribute("must", .string) { $0.isOptional = false },
      ])
    let failure = fact { try migrate(old, "INSERT INTO quake VALUES (1, 'x'), (2, 'x')", to: [quake]) }
    #expect(
      failure
        == .migrationRefused([
          "Quake.must: 2 objects have no value, and it is required", "Quake: several objects have the same code, x",
        ]))
  }

  @Test func storesOpenedReadOnlyAreNotMigrated() throws {
    let old = [EntityDescription("Quake", properties: [Declare.attribute("code", .string)])]
    let failure = fact { try migrate(old, "", to: old + [EntityDescription("Tag")], readOnly: true) }
    #expect(failure == .modelMismatch(["+ Tag"]))
    var same = old
    same[0].userInfo = ["note": "nothing that rows depend on"]
    _ = try migrate(old, "", to: same, readOnly: true)
  }

  @Test func aPlanIsReadable() throws {
    let old = try Model([
      EntityDescription("Quake", properties: [Declare.attribute("code", .string), Declare.attribute("n", .integer16)])
    ])
    let new = try Model([
      EntityDescription(
        "Quake",
        properties: [
          Declare.attribute("id", .string) { $0.renamingIdentifier = "code" }, Declare.attribute("n", .string),
          Declare.attribute("depth", .double) { $0.defaultValue = .double(5) },
        ]), EntityDescription("Tag"),
    ])
    #expect(
      MigrationPlan(from: old, to: new).steps.map(\.description) == [
        "~ Quake.code is now id", "~ Quake.n from Integer16 to String", "+ Quake.depth = 5.0", "+ Tag",
      ])
  }
}

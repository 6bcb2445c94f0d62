import Foundation
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct StagedMigrationTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func model(_ version: String, _ names: [String]) throws -> Model {
    try Model(
      [Declare.entity("Person", names.map { Declare.attribute($0, .string) })], version: ModelVersion(version))
  }

  /// One name; first and last name; initials besides.
  private func versions() throws -> [Model] {
    [
      try model("1", ["name"]), try model("2", ["first", "last"]), try model("3", ["first", "last", "initials"]),
    ]
  }

  private func stages(_ versions: [Model], _ calls: @escaping (Int) throws -> Void = { _ in }) -> [MigrationStage] {
    zip(versions, versions.dropFirst()).enumerated().map { number, pair in
      MigrationStage(from: pair.0, to: pair.1) { migration in
        try calls(number + 1)
        let sql =
          number == 0
          ? "UPDATE person SET first = (SELECT substr(name, 1, instr(name, ' ') - 1) FROM _old_person o WHERE o._pk = person._pk)"
          : "UPDATE person SET initials = substr(first, 1, 1)"
        _ = try migration.new.sql(sql)
      }
    }
  }

  private func store(_ model: Model, _ rows: String) throws -> StoreOptions {
    var options = StoreOptions(path: folder.file("people.sqlite"))
    options.create = true
    options.model = model
    let store = try SQLiteStore(options)
    try store.connection.execute(rows)
    store.close()
    return options
  }

  @Test func everyStageRunsFromWhereTheStoreIs() throws {
    let versions = try versions()
    var options = try store(versions[0], "INSERT INTO person VALUES (1, 'Ada Lovelace')")
    options.model = versions[2]
    var called: [Int] = []
    options.stages = stages(versions) { called.append($0) }
    let store = try SQLiteStore(options)
    #expect(called == [1, 2])
    #expect(
      try store.connection.all("SELECT first, last, initials FROM person")
        == [[.string("Ada"), .null, .string("A")]])
    store.close()
    called = []
    _ = try SQLiteStore(options)
    #expect(called.isEmpty)
    #expect(try SQLiteStore(StoreOptions(path: options.path)).model.version == ModelVersion("3"))
  }

  @Test func aStageThatFailsUndoesAllOfThem() throws {
    struct Failure: Error {}
    let versions = try versions()
    var options = try store(versions[0], "INSERT INTO person VALUES (1, 'Ada Lovelace')")
    options.model = versions[2]
    options.stages = stages(versions) { if $0 == 2 { throw Failure() } }
    #expect(throws: Failure.self) { try SQLiteStore(options) }
    let store = try SQLiteStore(StoreOptions(path: options.path))
    #expect(store.model.version == ModelVersion("1"))
    #expect(try store.connection.all("SELECT name FROM person") == [[.string("Ada Lovelace")]])
  }

  @Test func stagesMustConnectAndKnowTheStore() throws {
    let versions = try versions()
    var options = try store(try model("0", ["other"]), "")
    options.model = versions[2]
    options.stages = stages(versions)
    #expect(
      fact { try SQLiteStore(options) }
        == .unknownModel(
          stored: "version 0", known: ["version 1", "version 2", "version 3"], nearest: "version 1",
          differences: ["+ Person.other", "- Person.name, with its values"]))
    options.stages = [
      MigrationStage(from: versions[0], to: versions[1]), MigrationStage(from: versions[0], to: versions[2]),
    ]
    #expect(
      fact { try SQLiteStore(options) } == .stagesApart(stage: 2, begins: "version 1", previous: "version 2"))
    options.stages = [MigrationStage(from: versions[0], to: versions[1])]
    #expect(
      fact { try SQLiteStore(options) } == .stagesEndElsewhere(last: "version 2", wanted: "version 3"))
  }

  @Test func aStoreOfALaterVersionIsRefusedByName() throws {
    let versions = try versions()
    var options = try store(versions[2], "INSERT INTO person VALUES (1, 'Ada', 'Lovelace', 'AL')")
    options.model = versions[0]
    let refusal = StoreError.Fact.newerModel(
      stored: "version 3", wanted: "version 1", extra: ["Person.first", "Person.last", "Person.initials"])
    #expect(fact { try SQLiteStore(options) } == refusal)
    options.readOnly = true
    #expect(fact { try SQLiteStore(options) } == refusal)
    options.readOnly = false
    options.model = try Model(versions[0].descriptions)
    #expect(
      fact { try SQLiteStore(options) }
        == .newerModel(
          stored: "version 3", wanted: "a model without a version",
          extra: ["Person.first", "Person.last", "Person.initials"]))
    options.model = versions[1]
    options.stages = stages(versions)
    #expect(
      fact { try SQLiteStore(options) }
        == .newerModel(stored: "version 3", wanted: "version 2", extra: ["Person.initials"]))
    options.stages = [MigrationStage(from: versions[2], to: versions[1])]
    #expect(
      fact { try SQLiteStore(options) } == .migrationLosing(["Person.initials: 1 value would be lost"], obstacles: []))
    options.stages[0].permitsLosses = true
    #expect(
      try SQLiteStore(options).connection.all("SELECT * FROM person") == [
        [.int(1), .string("Ada"), .string("Lovelace")]
      ])
  }

  @Test func aLaterVersionThatIsAlikeIsOpenedAndStays() throws {
    var options = try store(try model("2", ["name"]), "")
    options.model = try model("1", ["name"])
    try SQLiteStore(options).close()
    #expect(try SQLiteStore(StoreOptions(path: options.path)).model.version == ModelVersion("2"))
  }

  @Test func aModelThatIsAlikeGivesItsVersionToAStoreOfAnEarlierOneOrOfNone() throws {
    let named = try model("1", ["name"])
    var options = try store(try Model(named.descriptions), "")
    for version in ["1", "2"] {
      options.model = try model(version, ["name"])
      try SQLiteStore(options).close()
      #expect(try SQLiteStore(StoreOptions(path: options.path)).model.version == ModelVersion(version))
    }
    options.model = try Model(named.descriptions)
    try SQLiteStore(options).close()
    #expect(try SQLiteStore(StoreOptions(path: options.path)).model.version == ModelVersion("2"))
  }

  @Test func aFunctionCannotEndTheTransaction() throws {
    let versions = try versions()
    for sql in ["COMMIT", "ROLLBACK", "ROLLBACK; DELETE FROM person"] {
      var options = try store(versions[0], "INSERT INTO person VALUES (1, 'Ada Lovelace')")
      options.model = versions[1]
      options.stages = [
        MigrationStage(from: versions[0], to: versions[1]) { _ = try? $0.new.sql(sql) }
      ]
      #expect(fact { try SQLiteStore(options) } != nil)
      let store = try SQLiteStore(StoreOptions(path: options.path))
      #expect(try store.connection.all("SELECT name FROM person") == [[.string("Ada Lovelace")]], "\(sql)")
      store.close()
      try FileManager.default.removeItem(atPath: options.path)
    }
  }
}

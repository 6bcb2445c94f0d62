import Foundation
import Modeling
import Postgres
import PostgresStorage
import Queries
import StorageTestSupport
import Stores
import TestSupport
import Testing

/// A store on a server becomes one of another model as a file does, with the same words.
@Suite(.enabled(if: PostgresServer.isInstalled), .seeded) struct PostgresMigrationTests {
  private let server: PostgresServer
  private let database: String
  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "migration")
  }

  private func open(
    _ entities: [EntityDescription]? = nil, in name: String? = nil,
    _ change: (inout PostgresOptions) throws -> Void = { _ in }
  ) throws -> PostgresStore {
    var options = PostgresOptions(try PostgresAddress(server.address(of: name ?? database)))
    options.model = try entities.map { try Model($0) }
    options.create = true
    try change(&options)
    return try PostgresStore(options)
  }

  private func rows(_ sql: String) throws -> String { try server.psql(database, sql) }

  private func refusal(_ body: () throws -> Void) -> [String] {
    do {
      try body()
      return []
    } catch {
      switch (error as? StoreError)?.fact {
      case .migrationRefused(let obstacles)?: return obstacles
      case .migrationLosing(let losses, let obstacles)?: return losses + obstacles
      default: return ["\(error)"]
      }
    }
  }

  private func attribute(
    _ name: String, _ type: AttributeType, _ change: (inout Attribute) -> Void = { _ in }
  ) -> Property {
    var attribute = Attribute(name, type)
    change(&attribute)
    return .attribute(attribute)
  }

  @Test func anIndexWhoseNameTheServerCutsOffIsOneOfTheModels() throws {
    let long = attribute("aNameOfAnAttributeThatIsLongerThanANameMayBeInPostgreSQLWhichCutsItOff", .string) {
      $0.isUnique = true
    }
    func note(_ type: AttributeType) -> EntityDescription {
      EntityDescription("Note", properties: [long, attribute("size", type)])
    }
    let first = try open([note(.integer64)])
    let entity = first.model.entity(named: "Note")!
    _ = try first.insert(entity, [.string("a"), .int(1)], key: nil)
    let refused = StoreError.Fact.notUnique(
      entity: "Note", properties: [entity.properties[0].name], values: [.string("a")])
    #expect(fact { _ = try first.insert(entity, [.string("a"), .int(2)], key: nil) } == refused)
    first.close()
    // The table is rewritten.
    let store = try open([note(.string)])
    let note = store.model.entity(named: "Note")!
    #expect(fact { _ = try store.insert(note, [.string("a"), .null], key: nil) } == refused)
    #expect(try rows("SELECT size FROM note") == "1")
  }

  @Test func valuesAreConvertedFilledAndRenamed() throws {
    try open([EntityDescription("Quake", properties: [attribute("mag", .double), attribute("place", .string)])]).close()
    _ = try rows("INSERT INTO quake (mag, place) VALUES (5.1, '007'), (NULL, 'x')")
    let new = [
      EntityDescription(
        "Quake",
        properties: [
          attribute("magnitude", .decimal) { $0.renamingIdentifier = "mag" },
          attribute("source", .string) { ($0.isOptional, $0.defaultValue) = (false, .string("it's")) },
          attribute("since", .date) { $0.defaultValue = .date(Timestamp(1.5)) },
          attribute("flag", .boolean) { $0.defaultValue = .bool(true) },
          attribute("bytes", .data) { $0.defaultValue = .data([0, 255]) },
        ])
    ]
    let store = try open(new) { $0.permitsLosses = true }
    #expect(store.migration?.losses == ["Quake.place: 2 values would be lost"])
    #expect(
      try rows("SELECT _pk, magnitude, source, extract(epoch FROM since), flag, bytes FROM quake ORDER BY _pk")
        == "1|5.1|it's|1.500000|t|\\x00ff\n2||it's|1.500000|t|\\x00ff")
    #expect(
      store.migration?.steps.map(\.description) == [
        "~ Quake.mag is now magnitude", "~ Quake.magnitude from Double to Decimal", "+ Quake.source = it's",
        "~ Quake.source is required = it's", "+ Quake.since = 1970-01-01T00:00:01.5Z", "+ Quake.flag = true",
        "+ Quake.bytes = <2 bytes>", "- Quake.place, with its values",
      ])
    // Keys go on behind those that are there.
    let entity = try #require(store.model.entity(named: "Quake"))
    #expect(try store.insert(entity, store.layout(of: entity).columns.map { _ in .null }) == 3)
    store.close()
    #expect(try open(new).migration == nil)
    #expect(try rows("SELECT count(*) FROM pg_class WHERE relname ~ '^_(old|new)_'") == "0")
  }

  @Test func whatDoesNotFitIsRefusedWithAllReasonsAndNothingChanges() throws {
    try open([EntityDescription("Quake", properties: [attribute("code", .string), attribute("place", .string)])])
      .close()
    _ = try rows("INSERT INTO quake (code, place) VALUES ('007', 'x'), ('8', 'x'), ('nine', NULL)")
    let new = [
      EntityDescription(
        "Quake",
        properties: [
          attribute("code", .integer64),
          attribute("place", .string) { ($0.isOptional, $0.isUnique) = (false, true) },
        ])
    ]
    let before = try rows("SELECT * FROM quake; SELECT value FROM _perilune")
    #expect(
      refusal { _ = try open(new) } == [
        "Quake.code: 2 objects have a value not of type Integer64, such as \"007\"",
        "Quake.place: 1 object has no value, and it is required",
        "Quake: several objects have the same place, x",
      ])
    #expect(try rows("SELECT * FROM quake; SELECT value FROM _perilune") == before)
    let store = try open()
    let report = try store.rehearseMigration(to: try Model(new), stages: [], migrate: nil)
    #expect(report.obstacles.count == 3 && report.steps.count == 3)
    #expect(try rows("SELECT * FROM quake; SELECT value FROM _perilune") == before)
    #expect(try store.count(FetchRequest(store.model.entities[0])) == 3)
    // The record is there as before.
    _ = try store.changesByOthers()
    _ = try rows("UPDATE quake SET place = 'y'")
    #expect(try store.changesByOthers()?.tables["quake"]?.updated == [1, 2, 3])
  }

  @Test func whatTheModelHasNoPlaceForIsRefusedUnlessThatIsPermitted() throws {
    let old = [
      EntityDescription("Quake", properties: [attribute("mag", .double), attribute("place", .string)]),
      EntityDescription("Note", properties: [attribute("text", .string)]),
    ]
    try open(old).close()
    _ = try rows("INSERT INTO quake (mag, place) VALUES (5.5, 'a'), (NULL, 'b'); INSERT INTO note (text) VALUES ('x')")
    let before = try rows("SELECT * FROM quake; SELECT * FROM note; SELECT value FROM _perilune")
    let new = [EntityDescription("Quake", properties: [attribute("mag", .integer64)])]
    #expect(
      refusal { _ = try open(new) } == [
        "Quake.place: 2 values would be lost", "1 Note would be deleted",
        "Quake.mag: 1 object has a value not of type Integer64: 5.5",
      ])
    #expect(try rows("SELECT * FROM quake; SELECT * FROM note; SELECT value FROM _perilune") == before)
    // A rehearsal loses nothing.
    let tried = try open(new.map { $0 }) { ($0.isRehearsal, $0.permitsLosses) = (true, true) }
    #expect(tried.migration?.losses.count == 3)
    tried.close()
    #expect(try rows("SELECT * FROM quake; SELECT * FROM note; SELECT value FROM _perilune") == before)
    let store = try open(new) { $0.permitsLosses = true }
    #expect(try rows("SELECT * FROM quake ORDER BY _pk") == "1|\n2|")
    #expect(store.migration?.losses.count == 3)
    #expect(try rows("SELECT count(*) FROM pg_class WHERE relname = 'note'") == "0")
  }

  @Test func aFunctionMakesWhatCannotBeInferred() throws {
    let old = [EntityDescription("Person", properties: [attribute("name", .string)])]
    let new = [
      EntityDescription(
        "Person", properties: [attribute("first", .string), attribute("last", .string) { $0.isOptional = false }])
    ]
    try open(old).close()
    _ = try rows("INSERT INTO person (name) VALUES ('Ada Lovelace')")
    func split(_ migration: Migration) throws {
      let (before, after) = (migration.old.model.entities[0], migration.new.model.entities[0])
      let cursor = try migration.old.cursor(FetchRequest(before))
      while try cursor.step() {
        let words = String(decoding: cursor.bytes(0), as: UTF8.self).split(separator: " ").map(String.init)
        let id = try #require(migration.counterpart(of: ObjectID(entity: before, key: cursor.key)))
        _ = try migration.new.update(after, key: id.key, [(0, .string(words[0])), (1, .string(words[1]))])
      }
    }
    #expect(
      refusal { _ = try open(new) } == [
        "Person.name: 1 value would be lost", "Person.last: 1 object has no value, and it is required",
      ])
    let ended = #expect(throws: StoreError.self) {
      _ = try open(new) { options in
        options.migrate = { migration in
          try split(migration)
          _ = try migration.new.sql("ROLLBACK")
        }
      }
    }
    #expect(ended?.fact == .transactionHeld("ROLLBACK", by: .migration))
    struct Failure: Error {}
    #expect(throws: Failure.self) { _ = try open(new) { $0.migrate = { _ in throw Failure() } } }
    #expect(try rows("SELECT name FROM person") == "Ada Lovelace")
    let store = try open(new) { $0.migrate = split }
    #expect(try rows("SELECT first, last FROM person") == "Ada|Lovelace")
    #expect(try store.count(FetchRequest(store.model.entities[0])) == 1)
  }

  @Test func theHistoryGoesOnUnderTheNewNames() throws {
    try open([EntityDescription("Quake", properties: [attribute("mag", .double)])]) { $0.history = true }.close()
    _ = try rows("INSERT INTO quake (mag) VALUES (1); UPDATE quake SET mag = 2")
    var shock = EntityDescription("Shock", properties: [attribute("size", .double) { $0.renamingIdentifier = "mag" }])
    shock.renamingIdentifier = "Quake"
    let store = try open([shock])
    _ = try rows("UPDATE shock SET size = 3")
    #expect(
      try store.history(HistoryRequest()).flatMap(\.changes).map {
        "\($0.kind) \($0.entityName) \($0.updatedProperties)"
      }
        == ["insert Shock []", "update Shock [\"size\"]"])
    #expect(throws: StoreError.self) { _ = try store.reverseSave(.undo) }
  }

  @Test func indexesOfOthersStayAndAreRefusedWhereTheyDoNotFit() throws {
    try open([EntityDescription("Quake", properties: [attribute("mag", .double), attribute("code", .string)])]).close()
    _ = try rows("CREATE INDEX mine ON quake (code, mag)")
    try open([EntityDescription("Quake", properties: [attribute("mag", .string), attribute("code", .string)])]).close()
    #expect(try rows("SELECT count(*) FROM pg_indexes WHERE indexname = 'mine'") == "1")
    let reasons = refusal { _ = try open([EntityDescription("Quake", properties: [attribute("mag", .string)])]) }
    #expect(reasons.count == 1 && reasons[0].hasPrefix("mine, which was added to the table quake, no longer fits: "))
  }

  /// Migrating gives what writing everything afresh gives, for random models, objects and changes.
  @Test func aMigratedStoreIsWhatAFreshOneWouldBe() throws {
    let count = ProcessInfo.processInfo.environment["PERILUNE_MIGRATIONS"].flatMap { UInt64($0) } ?? 12
    for seed in 1...count {
      var world = MigrationWorld(seed: seed)
      let former = world
      var edits: [String] = []
      let first = try world.model(renaming: false)
      world.settle()
      for _ in 0..<Int.random(in: 1...5, using: &world.random) { if let edit = world.edit() { edits.append(edit) } }
      world.maySwap = false
      guard let second = try? world.model(renaming: true), world.isUnambiguous(second), former.isUnambiguous(first)
      else {
        continue
      }
      let names = (try server.makeDatabase(for: "old"), try server.makeDatabase(for: "fresh"))
      do {
        let old = try open(in: names.0) { $0.model = first }
        try former.write(toAny: old)
        old.close()
        let migrated = try open(in: names.0) { ($0.model, $0.permitsLosses) = (second, true) }
        let fresh = try open(in: names.1) { options in options.model = try world.model(renaming: false) }
        try world.write(toAny: fresh)
        let (found, expected) = (try world.lines(of: migrated), try world.lines(of: fresh))
        #expect(
          found == expected,
          "seed \(seed): \(edits)\n\(found.difference(from: expected).map { "\($0)" }.joined(separator: "\n"))")
        #expect(migrated.changeSource(of: []) == .historyAndNotifications)
        migrated.close()
        fresh.close()
      } catch {
        Issue.record("seed \(seed): \(edits): \(error)")
      }
      try server.dropDatabase(names.0)
      try server.dropDatabase(names.1)
    }
  }
}

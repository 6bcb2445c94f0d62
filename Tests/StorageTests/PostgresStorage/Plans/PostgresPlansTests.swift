import Modeling
import PostgresStorage
import Queries
import StorageTestSupport
import Stores
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled)) struct PostgresPlansTests {
  private let server: PostgresServer
  private let database: String
  private let store: PostgresStore
  private let reading: Entity

  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "plans")
    let opened = try server.open(
      database,
      after: """
        CREATE SCHEMA "old Data"; CREATE TABLE "old Data"."the readings" (id int PRIMARY KEY, level int, grade int, place text);
        INSERT INTO "old Data"."the readings" SELECT n, n, n % 50, 'p' || n % 50 FROM generate_series(1, 5000) AS n;
        CREATE INDEX by_grade ON "old Data"."the readings" (grade); ANALYZE;
        CREATE VIEW high AS SELECT id, level FROM "old Data"."the readings" WHERE level > 4000
        """
    ) { _ in }
    reading = try #require(
      opened.model.entities.first { opened.layout(of: $0).columns.contains { $0.name == "place" } })
    store = opened
  }

  private func request(_ format: String) throws -> FetchRequest {
    var request = FetchRequest(reading)
    request.predicate = try Predicate.parse(format)
    return request
  }

  private func indexCount() throws -> String {
    try server.psql(
      database, "SELECT count(*) FROM pg_index WHERE indrelid = '\"old Data\".\"the readings\"'::regclass")
  }

  @Test func aTableThatIsReadWholeIsNamedWithTheIndexThatWouldHelp() throws {
    let explanation = try store.plans.explain(try request("level == 77"))
    #expect(explanation.rowsReturned == 1 && explanation.tablesScanned == ["the readings"])
    #expect(explanation.words.map(\.text).contains("reads all of \(reading.name) (5,000 rows)"))
    #expect(explanation.warnings == [.readsAll(entity: reading.name, rows: 5000, wanted: 1)])
    #expect(explanation.advice.map(\.keyText) == ["level"])
    let diagnosis = try store.diagnosis(of: try request("level == 77"))
    #expect(diagnosis.scanned == reading.name && diagnosis.advice == explanation.advice)
  }

  @Test func anIndexThatFindsRowsIsNamedAndNoOtherAdvised() throws {
    let explanation = try store.plans.explain(try request("grade == 7"))
    #expect(explanation.indexesUsed == ["by_grade"] && explanation.warnings.isEmpty && explanation.advice.isEmpty)
    #expect(explanation.words.map(\.text).contains("finds \(reading.name) by index by_grade"))
  }

  @Test func clausesThatNoIndexFindsAreNamed() throws {
    let warnings = try store.plans.explain(try request("place CONTAINS 'p49'")).warnings
    #expect(warnings.contains(.unindexable(clause: #"place CONTAINS "p49""#, .anywhere)), "\(warnings)")
  }

  @Test func aTriedIndexIsUsedAndLeavesNothing() throws {
    let before = try indexCount()
    let request = try request("level == 77")
    let trial = try store.plans.tryIndexes([try store.plans.index(of: ["level"], for: reading)], for: request)
    #expect(trial.isUsed && trial.bytes > 0 && trial.secondsToBuild > 0 && !trial.isOnCopy)
    #expect(trial.wordsBefore.map(\.text).contains("reads all of \(reading.name) (5,000 rows)"))
    #expect(trial.wordsAfter.map(\.text).contains { $0.hasPrefix("finds \(reading.name) by index the readings_level") })
    #expect(try indexCount() == before)
    // One that does not help is not used.
    let other = try store.plans.tryIndexes([try store.plans.index(of: ["grade", "place"], for: reading)], for: request)
    #expect(!other.isUsed)
    try store.beginDryRun()
    #expect(try store.plans.tryIndexes(trial.indexes, for: request).isUsed)
    #expect(try store.count(request) == 1)
    try store.endDryRun(keeping: false)
    #expect(try indexCount() == before)
  }

  @Test func namesOfIndexesAreFree() throws {
    let advice = try store.plans.index(of: ["level"], for: reading)
    let first = try store.plans.statement(making: advice)
    #expect(first == #"CREATE INDEX "the readings_level_index" ON "old Data"."the readings" ("level")"#)
    try server.psql(database, first)
    #expect(try store.plans.statement(making: advice).contains(#""the readings_level_index_2""#))
  }

  @Test func whatCannotHaveAnIndexIsRefused() throws {
    let high = try #require(store.model.entity(named: "High"))
    #expect(throws: IndexObstacle.view("High")) { try store.plans.index(of: ["level"], for: high) }
    #expect(throws: IndexObstacle.unknownProperty("levle", entity: reading.name, nearest: "level")) {
      try store.plans.index(of: ["levle"], for: reading)
    }
    let index = try store.plans.index(of: ["level"], for: reading)
    _ = try store.sql("BEGIN")
    #expect(throws: StoreError(.openTransaction, path: store.path)) {
      try store.plans.tryIndexes([index], for: try request("level == 1"))
    }
    _ = try store.sql("ROLLBACK")
    #expect(throws: IndexObstacle.noAdvice) { try store.plans.tryIndexes([], for: try request("level == 1")) }
    let reader = try server.open(database) { $0.isReadOnly = true }
    #expect(throws: StoreError(.readOnly, path: reader.path)) {
      try reader.plans.tryIndexes(
        [try reader.plans.index(of: ["level"], for: reader.model.entity(named: reading.name)!)],
        for: FetchRequest(reader.model.entity(named: reading.name)!))
    }
  }
}

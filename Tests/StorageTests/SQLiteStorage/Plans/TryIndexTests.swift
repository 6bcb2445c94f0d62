import Foundation
import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite struct TryIndexTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("quakes.sqlite")
    let store = try Self.open(path)
    _ = try store.sql(
      """
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000)
      INSERT INTO quake (code, magnitude, place, count) SELECT 'q' || n, n % 10, 'p' || n, n % 500 FROM c
      """)
    _ = try store.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
  }

  private static func open(_ path: String, readOnly: Bool = false) throws -> SQLiteStore {
    var options = StoreOptions(path: path)
    options.create = !readOnly
    options.readOnly = readOnly
    if !readOnly { options.model = try Sample.model() }
    return try SQLiteStore(options)
  }

  private func request(_ store: SQLiteStore) throws -> FetchRequest {
    var request = FetchRequest(store.model.entity(named: "Quake")!)
    request.predicate = try Predicate.parse("count == 7")
    return request
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  private func schema(_ store: SQLiteStore) throws -> [[Value]] {
    try store.connection.all("SELECT name, sql FROM sqlite_schema ORDER BY name")
  }

  @Test func aTrialLeavesNothingBehind() throws {
    let store = try Self.open(path)
    let other = try Self.open(path)
    let request = try request(store)
    var commits = 0
    let subscription = store.onCommit { _ in commits += 1 }
    let (before, stamp, version) = (try schema(store), store.stamp, other.dataVersion)
    let fileBefore = try bytes()
    let index = try store.plans.index(of: ["count"], for: request.entity)
    let trial = try store.plans.tryIndexes([index], for: request)
    #expect(trial.isUsed)
    #expect(!trial.isOnCopy)
    #expect(trial.bytes > 0)
    #expect(trial.wordsBefore.map(\.text) == ["reads all of Quake"])
    #expect(trial.wordsAfter.map(\.text) == ["finds Quake by index quake_count_index (count = ?)"])
    #expect(try schema(store) == before)
    #expect(store.stamp == stamp)
    #expect(other.dataVersion == version)
    #expect(try bytes() == fileBefore)
    #expect(commits == 0)
    #expect(!store.connection.isInTransaction)
    // Others can write at once, and so can we.
    _ = try other.sql("UPDATE quake SET count = 98 WHERE _pk = 1")
    _ = try store.sql("UPDATE quake SET count = 99 WHERE _pk = 2")
    #expect(commits == 1)
    #expect(try store.count(request) == 6)
    withExtendedLifetime(subscription) {}
  }

  @Test func anInterruptedTrialLeavesNothingBehind() throws {
    let store = try Self.open(path)
    let request = try request(store)
    let index = try store.plans.index(of: ["count", "place"], for: request.entity)
    let before = try schema(store)
    // At each of its steps once.
    for limit in [0, 1, 5, 20, 40] {
      var asked = 0
      store.isInterrupted = {
        asked += 1
        return asked > limit
      }
      _ = try? store.plans.tryIndexes([index], for: request)
      store.isInterrupted = { false }
      #expect(try schema(store) == before)
      #expect(!store.connection.isInTransaction)
      #expect(try store.count(request) == 6)
    }
  }

  @Test func aStoreThatCannotBeWrittenIsTriedOnACopy() throws {
    let store = try Self.open(path, readOnly: true)
    let request = try request(store)
    let before = try bytes()
    let trial = try store.plans.tryIndexes([try store.plans.index(of: ["count"], for: request.entity)], for: request)
    #expect(trial.isOnCopy)
    #expect(trial.isUsed)
    #expect(try bytes() == before)
  }

  @Test func anOpenLoopGoesOn() throws {
    let store = try Self.open(path)
    let request = try request(store)
    let cursor = try store.cursor(request)
    #expect(try cursor.step())
    #expect(
      try store.plans.tryIndexes([try store.plans.index(of: ["count"], for: request.entity)], for: request).isOnCopy)
    var rest = 1
    while try cursor.step() { rest += 1 }
    #expect(rest == 6)
  }

  @Test func aTransactionOfTheUsersIsLeftAlone() throws {
    let store = try Self.open(path)
    let request = try request(store)
    let index = try store.plans.index(of: ["count"], for: request.entity)
    _ = try store.sql("BEGIN")
    _ = try store.sql("DELETE FROM quake WHERE count = 7")
    #expect(throws: StoreError(.openTransaction, path: path)) { try store.plans.tryIndexes([index], for: request) }
    _ = try store.sql("ROLLBACK")
    #expect(try store.count(request) == 6)
    try store.beginDryRun()
    _ = try store.sql("DELETE FROM quake WHERE _pk = 7")
    #expect(try store.plans.tryIndexes([index], for: request).isUsed)
    #expect(try store.count(request) == 5)
    try store.endDryRun(keeping: false)
    #expect(try store.count(request) == 6)
  }

  @Test func anIndexThatCannotBeMadeIsExplained() throws {
    let store = try Self.open(path)
    let quake = store.model.entity(named: "Quake")!
    func obstacle(_ keys: String...) -> IndexObstacle? {
      do {
        _ = try store.plans.index(of: keys, for: quake)
        return nil
      } catch { return error as? IndexObstacle }
    }
    #expect(obstacle("cuont") == .unknownProperty("cuont", entity: "Quake", nearest: "count"))
    #expect(obstacle("reports.score") == .severalEntities(["reports.score"]))
    #expect(obstacle("count", "network.name") == .severalEntities(["count", "network.name"]))
    #expect(obstacle("note") == .noColumn("note", entity: "Quake"))
    #expect(obstacle("") != nil)
    #expect(obstacle() == .noKeys)
    #expect(try store.plans.index(of: ["network.name"], for: quake).entity.name == "Network")
    #expect(
      try store.plans.statement(making: store.plans.index(of: ["place", "-address.city"], for: quake))
        == "CREATE INDEX quake_place_address_city_index ON quake (place, json_extract(address, '$.\"city\"') DESC)")
    #expect(throws: IndexObstacle.noAdvice) { try store.plans.tryIndexes([], for: request(store)) }
  }
}

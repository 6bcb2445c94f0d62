import Foundation
import Modeling
import Queries
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

/// A file made by another program, whose references name rows by other columns than the row id.
@Suite struct ForeignFaultTests {
  let path = TemporaryFolder.ofThisRun.appending(path: "perilune-\(UUID()).sqlite").path

  /// Makes the file by the sqlite3 command.
  private func open() throws -> SQLiteStore {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = [
      path,
      """
      CREATE TABLE airports (iata TEXT PRIMARY KEY COLLATE NOCASE, name TEXT);
      CREATE TABLE flights (id INTEGER PRIMARY KEY, origin TEXT REFERENCES airports(iata));
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
        INSERT INTO airports SELECT 'A' || i, 'Airport ' || i FROM n;
      INSERT INTO flights SELECT NULL, iata FROM airports;
      INSERT INTO flights VALUES (500, NULL), (501, 'a7'), (502, 'nowhere');
      """,
    ]
    try process.run()
    process.waitUntilExit()
    return try SQLiteStore(StoreOptions(path: path))
  }

  @Test func theRowsAreFoundAndReadTogether() throws {
    let store = try open()
    defer {
      store.close()
      try? FileManager.default.removeItem(atPath: path)
    }
    let flights = try #require(store.model.entity(named: "Flights"))
    for prefetches in [false, true] {
      let context = ObjectContext(store: store)
      var request = FetchRequest(flights)
      let relationship = try #require(flights.relationships.first { !$0.isToMany }).name
      if prefetches { request.relationshipKeyPathsForPrefetching = [PropertyPath([relationship])] }
      let result = try context.fetch(request)
      var found: [Value] = []
      for flight in try result.objectList() {
        guard let key = try? flight.one(relationship) else { continue }
        found.append(try key.get("name"))
      }
      #expect(found.count == 401)
      #expect(Set(found).count == 400)
      #expect(found.last == .string("Airport 7"))
      #expect(context.statistics.lookupStatements <= 16)
      #expect(context.statistics.faultBatches <= 24)
      #expect(try context.fetch(request)[0].one(relationship)?.get("name") == .string("Airport 1"))
    }
  }
}

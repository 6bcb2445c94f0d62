import Modeling
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// What the history tells of rows that were in the way of others.
@Suite struct HistoryReplacementsTests {
  private let sample: HistorySample
  private var store: SQLiteStore { sample.store }

  init() throws {
    sample = try HistorySample()
    try sample.sql("INSERT INTO quake (code, place) VALUES ('a', 'A'), ('b', 'B')")
  }

  /// The reports on what `body` does.
  private func told(
    _ change: (inout HistoryRequest) -> Void = { _ in }, of body: () throws -> Void
  ) throws -> [String] {
    let token = try store.currentHistoryToken
    try body()
    return try sample.told {
      $0.since = token
      change(&$0)
    }
  }

  /// SQLite runs no trigger for such a row, unless recursive triggers are on.
  @Test func aRowThatReplacePushesOutIsToldAsDeleted() throws {
    let told = try told {
      try sample.sql("INSERT OR REPLACE INTO quake (_pk, code) VALUES (1, 'c')")
      try sample.sql("INSERT OR REPLACE INTO quake (code) VALUES ('b')")
      try sample.sql("INSERT INTO quake (code) VALUES ('c') ON CONFLICT (code) DO UPDATE SET place = 'd'")
      try sample.sql("UPDATE OR REPLACE quake SET code = 'c' WHERE _pk = 3")
      try store.connection.execute("PRAGMA recursive_triggers = ON")
      try sample.sql("INSERT OR REPLACE INTO quake (_pk, code) VALUES (9, 'c')")
    }
    #expect(
      told == [
        "delete Quake/1 { code = \"a\" }; insert Quake/1", "delete Quake/2 { code = \"b\" }; insert Quake/3",
        "update Quake/1: place", "delete Quake/1 { code = \"c\" }; update Quake/3: code",
        "delete Quake/3 { code = \"c\" }; insert Quake/9",
      ])
  }

  @Test func whatIgnoreLeavesIsNotToldAsDeletedAndLaterOnce() throws {
    let told = try told {
      try sample.sql("INSERT OR IGNORE INTO quake (_pk, code) VALUES (7, 'a')")
      try sample.sql("INSERT OR IGNORE INTO quake (_pk, code) VALUES (1, 'c'), (8, 'd')")
      try sample.sql("INSERT INTO quake (code) VALUES ('b') ON CONFLICT DO NOTHING")
      try sample.sql("DELETE FROM quake WHERE code = 'a'")
      try sample.sql("INSERT INTO quake (_pk, code) VALUES (1, 'a')")
    }
    #expect(told == ["insert Quake/8", "delete Quake/1 { code = \"a\" }", "insert Quake/1"])
  }

  @Test func aStatementThatFailsPushesNobodyOut() throws {
    let told = try told {
      #expect(throws: StoreError.self) { try sample.sql("INSERT INTO quake (_pk, code) VALUES (7, 'a')") }
      #expect(throws: StoreError.self) { try sample.sql("INSERT OR FAIL INTO quake (code) VALUES ('e'), ('a')") }
    }
    #expect(told == [])
  }

  @Test func oneRowMayPushOutSeveral() throws {
    let told = try told { try sample.sql("INSERT OR REPLACE INTO quake (_pk, code) VALUES (1, 'b')") }
    #expect(told == ["delete Quake/1 { code = \"a\" }; delete Quake/2 { code = \"b\" }; insert Quake/1"])
  }

  @Test func aRowThatIsMadeAndPushedOutInOneTransactionIsNoChange() throws {
    let told = try told {
      try store.transaction {
        try sample.sql("INSERT INTO quake (code) VALUES ('e')")
        try sample.sql("INSERT OR REPLACE INTO quake (code) VALUES ('e')")
      }
    }
    #expect(told == ["insert Quake/4"])
  }

  @Test func requestsForAnEntityFindWhatOthersOfItsTablePushedOut() throws {
    var name = Attribute("name", .string)
    name.isUnique = true
    var car = EntityDescription("Car")
    car.parent = "Vehicle"
    var truck = EntityDescription("Truck")
    truck.parent = "Vehicle"
    let vehicles = try HistorySample([EntityDescription("Vehicle", properties: [.attribute(name)]), car, truck])
    try vehicles.sql("INSERT INTO vehicle (_entity, name) VALUES ('Car', 'a')")
    try vehicles.sql("INSERT OR REPLACE INTO vehicle (_entity, name) VALUES ('Truck', 'a')")
    var request = HistoryRequest()
    request.entity = vehicles.entity("Car")
    request.includesChanges = false
    let found = try vehicles.store.history(request)
    #expect(found.count == 2)
    let changes = try vehicles.store.historyChanges(of: #require(found.last), entity: vehicles.entity("Car"))
    #expect(changes.map(\.line) == ["delete Car/1"])
  }

  @Test func nobodyKnowsWhatBecameOfARowWhileTheHistoryWasOff() throws {
    try sample.sql("INSERT OR IGNORE INTO quake (code) VALUES ('a')")
    try sample.sql("INSERT INTO quake (code) VALUES ('e')")
    try store.setHistoryEnabled(false)
    try sample.sql("DELETE FROM quake WHERE code = 'a'")
    try store.setHistoryEnabled(true)
    try sample.sql("INSERT INTO quake (_pk, code) VALUES (1, 'a')")
    #expect(try sample.told() == ["insert Quake/1; insert Quake/2", "insert Quake/3", "insert Quake/1"])
  }

  @Test func manyRowsMayBePushedOutAtOnce() throws {
    let told = try told {
      try sample.sql(
        """
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
        INSERT INTO quake (_pk, code) SELECT 100 + i, 'n' || i FROM n
        """)
      try sample.sql("INSERT OR REPLACE INTO quake (code) SELECT code FROM quake WHERE _pk > 100")
    }
    let second = try #require(told.last).split(separator: "; ")
    #expect(second.filter { $0.hasPrefix("delete Quake/") }.count == 3000)
    #expect(second.filter { $0.hasPrefix("insert Quake/") }.count == 3000)
  }
}

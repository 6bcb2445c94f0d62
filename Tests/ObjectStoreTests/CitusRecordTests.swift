import Glibc
import Modeling
import ObjectGraph
import Postgres
import PostgresStorage
import Queries
import Stores
import TestSupport
import Testing

extension CitusTests {
  /// What the nodes of Citus record of the rows that are written there. Within the other tests of Citus, as all share its servers: each
  /// would see the commits of those beside it.
  @Suite struct CitusRecordTests {
    private let cluster: CitusCluster
    private let database: String
    private let store: PostgresStore
    private let other: PostgresConnection

    /// Stations, of which each node has a copy, and their readings, which are spread by tenant.
    init() throws {
      cluster = try CitusCluster.shared.get()
      database = try cluster.makeDatabase(for: "record")
      let address = try PostgresAddress(cluster.coordinator.address(of: database))
      store = try Self.open(address)
      other = try PostgresConnection(address, isInterrupted: { false })
      let context = ObjectContext(store: store)
      for name in ["a", "b"] {
        let station = try context.insert(store.model.entity(named: "Station")!)
        try station.setAttribute(at: station.entity.index(of: "name")!, .string(name))
      }
      try context.save()
      try write("INSERT INTO reading (_pk, tenant, value) SELECT n, n % 4, n FROM generate_series(1, 12) AS n")
      try settle()
    }

    private static func open(_ address: PostgresAddress) throws -> PostgresStore {
      var tags = Relationship(toMany: "tags", "Tag", inverse: "stations")
      tags.isOrdered = true
      var readings = Relationship(toMany: "readings", "Reading", inverse: "station")
      readings.isOrdered = true
      let station = EntityDescription(
        "Station",
        properties: [.attribute(Attribute("name", .string)), .relationship(tags), .relationship(readings)])
      let tag = EntityDescription(
        "Tag", properties: [.relationship(Relationship(toMany: "stations", "Station", inverse: "tags"))])
      var reading = EntityDescription(
        "Reading",
        properties: [
          .attribute(Attribute("tenant", .integer64)), .attribute(Attribute("value", .double)),
          .relationship(Relationship(toOne: "station", "Station", inverse: "readings")),
        ])
      reading.userInfo = ["distributed": "tenant"]
      var options = PostgresOptions(address)
      (options.model, options.create) = (try Model([station, tag, reading]), true)
      return try PostgresStore(options)
    }

    private func write(_ sql: String) throws { _ = try other.run(sql) }

    private func look(_ store: PostgresStore) throws -> TouchedRows? {
      usleep(20_000)
      return store.commitWatch?.check() == true ? try store.changesByOthers() : nil
    }

    /// Waits until the rows of all commits are recorded, and what was written before has been reported.
    private func settle() throws {
      let end = monotonicSeconds() + 120
      while store.changeSource(of: ["reading"]) != .historyAndPolling(seconds: 0.25) {
        try #require(monotonicSeconds() < end, "the rows of commits are not recorded")
        _ = try look(store)
      }
      for _ in 0..<20 {
        let rows = try told(by: { try write("UPDATE station SET name = name || 'x'") }) {
          !$0.isComplete || $0.tables["station"] != nil
        }
        if rows.isComplete, rows.tables.mapValues(\.keys) == ["station": [1, 2]] { return }
      }
      Issue.record("every commit counts as a write to all tables")
    }

    /// The rows that come after `body`, until they are what is awaited.
    private func told(
      by body: () throws -> Void, until isDone: (TouchedRows) -> Bool
    ) throws -> TouchedRows {
      try body()
      var found = TouchedRows()
      let end = monotonicSeconds() + 60
      while !isDone(found) {
        try #require(monotonicSeconds() < end, "only these are told: \(found.tables)")
        if let rows = try look(store) { found.formUnion(rows) }
      }
      return found
    }

    /// The rows of a commit: all that come before those of the next one.
    private func told(_ body: () throws -> Void) throws -> TouchedRows {
      try body()
      var rows = try told(by: { try write("INSERT INTO tag DEFAULT VALUES") }) {
        !$0.isComplete || $0.tables["tag"]?.inserted.isEmpty == false
      }
      rows.tables["tag"] = nil
      return rows
    }

    private func told(_ sql: String) throws -> TouchedRows { try told { try write(sql) } }

    @Test func aCommitOnAnyNodeIsToldByItsRows() throws {
      var rows = try told("UPDATE reading SET value = -1 WHERE tenant = 1")
      #expect(rows.isComplete && Set(rows.tables.keys) == ["reading"])
      #expect(rows.tables["reading"]?.updated.sorted() == [1, 5, 9])
      #expect(rows.tables["reading"]?.updatedColumns == ["value"])

      rows = try told("UPDATE reading SET value = value + 1 WHERE _pk <= 8")
      #expect(rows.tables["reading"]?.updated.sorted() == Array(1...8))
      rows = try told("INSERT INTO reading (_pk, tenant) SELECT n, n FROM generate_series(100, 120) AS n")
      #expect(rows.tables["reading"]?.inserted.sorted() == Array(100...120))
      rows = try told("DELETE FROM reading WHERE _pk >= 100")
      #expect(rows.tables["reading"]?.deleted.sorted() == Array(100...120))

      // Every node has the row, and tells it.
      rows = try told("UPDATE station SET name = 'new'")
      #expect(Set(rows.tables.keys) == ["station"] && rows.tables["station"]?.keys == [1, 2])
      rows = try told("TRUNCATE reading")
      #expect(rows.isComplete && Set(rows.tables.keys) == ["reading"] && rows.tables["reading"]?.isUnknown == true)
    }

    @Test func aTransactionIsToldWhenItHasEndedAndNotIfItIsRolledBack() throws {
      try write("BEGIN")
      for key in [2, 3] { try write("UPDATE reading SET value = 7 WHERE tenant = \(key) AND _pk = \(key)") }
      let sql = "UPDATE reading SET value = 1 WHERE tenant = 0 AND _pk = 4"
      let between = try told(by: { try cluster.coordinator.psql(database, sql) }) { !$0.isEmpty }
      #expect(between.tables.mapValues(\.keys) == ["reading": [4]])
      let ended = try told("COMMIT")
      #expect(ended.tables.mapValues(\.keys) == ["reading": [2, 3]])

      try write("BEGIN")
      try write("SET LOCAL citus.multi_shard_modify_mode TO 'sequential'")
      try write("UPDATE reading SET value = 8")
      try write("UPDATE station SET name = 'never'")
      #expect(try told("ROLLBACK").isEmpty)
    }

    @Test func aSaveOfAnotherStoreIsToldAsThatStoreTellsIt() throws {
      let writer = try Self.open(try PostgresAddress(cluster.coordinator.address(of: database)))
      let context = ObjectContext(store: writer)
      var own = TouchedRows()
      let subscription = writer.onOwnCommit { own.formUnion($0.touched) }
      defer { subscription?.cancel() }
      func all(_ name: String) throws -> [ManagedObject] {
        try context.fetch(FetchRequest(writer.model.entity(named: name)!)).objectList()
      }
      func save(_ change: () throws -> Void) throws {
        own = TouchedRows()
        try change()
        let rows = try told { try context.save() }
        for (name, table) in own.tables where name != "tag" {
          #expect(rows.tables[name]?.keys == table.keys, "\(name)")
          #expect(Set(rows.tables[name]?.presentReferences.keys ?? [:].keys) == Set(table.presentReferences.keys))
        }
        #expect(!own.isEmpty && rows.isComplete)
      }
      let stations = try all("Station")
      let readings = try all("Reading")
      let (toReadings, toTags) = (stations[0].entity.index(of: "readings")!, stations[0].entity.index(of: "tags")!)
      try save { try stations[0].setMembers(at: toReadings, Array(readings.prefix(4))) }
      try save { try stations[0].setMembers(at: toReadings, Array(readings.prefix(4).reversed())) }
      try save { try stations[1].setMembers(at: toTags, try all("Tag")) }
      try save { try readings[5].delete() }
      let rows = try told(by: {
        try readings[6].delete()
        try context.save(author: "Ann")
      }) { !$0.isEmpty }
      #expect(rows.author == "Ann")
    }

    @Test func aSaveOfTheStoreIsToldOnceWithWhatStatementsWriteInIt() throws {
      let context = ObjectContext(store: store)
      let rows = try told {
        _ = try context.insert(store.model.entity(named: "Station")!)
        try context.save()
      }
      #expect(rows.isEmpty)
      let written = try told {
        _ = try store.transaction { _ = try store.sql("UPDATE reading SET value = 5 WHERE _pk = 2", []) }
      }
      #expect(written.tables.mapValues(\.keys) == ["reading": [2]])
    }

    @Test func partsThatWereMovedAreRecordedAgain() throws {
      try write(
        """
        SELECT citus_move_shard_placement(shardid, '127.0.0.1', nodeport, '127.0.0.1', \(cluster.workers[1].port), 'block_writes') \
        FROM citus_shards WHERE table_name = 'reading'::regclass AND nodeport = \(cluster.workers[0].port) LIMIT 1
        """)
      let insert = "INSERT INTO reading (_pk, tenant, value) SELECT n, n, 0 FROM generate_series(100, 200) AS n"
      _ = try told(by: { try write(insert) }) { !$0.isComplete || $0.tables["reading"]?.inserted.count == 101 }
      try settle()
      // What was moved is dropped later where it was, which may be another such moment.
      for _ in 0..<20 {
        let rows = try told("UPDATE reading SET value = value + 1")
        if rows.isComplete { return #expect(rows.tables["reading"]?.keys.count == 113) }
      }
      Issue.record("rows of parts that were moved are not recorded")
    }

    @Test func aStoreThatIsOnlyReadFollowsWhatIsRecorded() throws {
      var options = PostgresOptions(try PostgresAddress(cluster.coordinator.address(of: database)))
      options.isReadOnly = true
      let reader = try PostgresStore(options)
      var updated: Set<Int64> = []
      let end = monotonicSeconds() + 60
      while !updated.contains(3), monotonicSeconds() < end {
        let isRecorded = reader.changeSource(of: ["reading"]) == .historyAndPolling(seconds: 0.25)
        if isRecorded { try write("UPDATE reading SET value = value + 1 WHERE _pk = 3") }
        updated.formUnion(try look(reader)?.tables["reading"]?.updated ?? [])
      }
      #expect(updated == [3])
    }
  }
}

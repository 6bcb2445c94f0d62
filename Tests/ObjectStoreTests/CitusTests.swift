import Glibc
import Modeling
import ObjectGraph
import Postgres
import PostgresStorage
import Queries
import Stores
import TestSupport
import Testing

/// What only a server that truly spreads tables over nodes says and refuses.
@Suite(.serialized, .enabled(if: CitusCluster.isInstalled, CitusCluster.missing)) struct CitusTests {
  /// Orders and lines, distributed by their tenant where that is wanted, and countries, of which each node has a copy.
  private func model(_ change: (inout [EntityDescription]) -> Void = { _ in }) throws -> Model {
    var name = Attribute("name", .string)
    name.isUnique = true
    let country = EntityDescription(
      "Country",
      properties: [.attribute(name), .relationship(Relationship(toMany: "orders", "Order", inverse: "country"))])
    var order = EntityDescription(
      "Order",
      properties: [
        .attribute(Attribute("tenant", .integer64)), .attribute(Attribute("number", .integer64)),
        .relationship(Relationship(toOne: "country", "Country", inverse: "orders")),
        .relationship(Relationship(toMany: "lines", "Line", inverse: "order")),
      ])
    var line = EntityDescription(
      "Line",
      properties: [
        .attribute(Attribute("tenant", .integer64)), .attribute(Attribute("text", .string)),
        .relationship(Relationship(toOne: "order", "Order", inverse: "lines")),
      ])
    (order.userInfo, line.userInfo) = (["distributed": "tenant"], ["distributed": "tenant"])
    var all = [country, order, line]
    change(&all)
    return try Model(all)
  }

  private func open(
    _ cluster: CitusCluster, _ database: String, _ model: Model, permitsLosses: Bool = false
  ) throws -> PostgresStore {
    var options = PostgresOptions(try PostgresAddress(cluster.coordinator.address(of: database)))
    (options.model, options.create, options.permitsLosses) = (model, true, permitsLosses)
    return try PostgresStore(options)
  }

  /// Saves two countries, and orders with a line each, of the first one.
  private func fill(_ store: PostgresStore) throws {
    let context = ObjectContext(store: store)
    func insert(_ name: String, _ values: [String: Value]) throws -> ManagedObject {
      let object = try context.insert(store.model.entity(named: name)!)
      for (name, value) in values { try object.setAttribute(at: object.entity.index(of: name)!, value) }
      return object
    }
    let country = try insert("Country", ["name": .string("a")])
    _ = try insert("Country", ["name": .string("b")])
    for number in 1...12 {
      let order = try insert("Order", ["tenant": .int(Int64(number % 4)), "number": .int(Int64(number))])
      try order.setRelated(at: order.entity.index(of: "country")!, to: country)
      let line = try insert("Line", ["tenant": .int(Int64(number % 4)), "text": .string("l\(number)")])
      try line.setRelated(at: line.entity.index(of: "order")!, to: order)
    }
    try context.save()
  }

  private func count(_ store: PostgresStore, _ name: String, _ format: String = "TRUEPREDICATE") throws -> Int {
    var request = FetchRequest(store.model.entity(named: name)!)
    request.predicate = try Queries.Predicate.parse(format)
    return try store.count(request)
  }

  @Test func entitiesThatAreDistributedReferToOneAnother() throws {
    let cluster = try CitusCluster.shared.get()
    let store = try open(cluster, try cluster.makeDatabase(), try model())
    try fill(store)
    #expect(store.notes.contains { $0.hasPrefix("The nodes have no moment in common") })
    #expect(try count(store, "Line", "order.number > 6") == 6)
    #expect(try count(store, "Order", "country.name == 'a'") == 12)

    let country = store.model.entity(named: "Country")!
    let refused = StoreError.Fact.notUnique(entity: "Country", properties: ["name"], values: [.string("b")])
    #expect(fact { try store.insert(country, [.string("b")], key: nil) } == refused)
    let reference = store.layout(of: store.model.entity(named: "Line")!).columns.map(\.name)
    var row = reference.map { _ in Value.null }
    row[reference.firstIndex(of: "tenant")!] = .int(77)
    row[reference.firstIndex { $0.hasPrefix("order") }!] = .int(1)
    guard case .constraint(let message)? = fact({ try store.insert(store.model.entity(named: "Line")!, row, key: nil) })
    else {
      Issue.record("a line of an order of another tenant was not refused")
      return
    }
    #expect(message.contains("\"line\""), "\(message)")

    // To delete what distributed rows refer to empties their references.
    let context = ObjectContext(store: store)
    var request = FetchRequest(country)
    request.predicate = try Queries.Predicate.parse("name == 'a'")
    try context.fetch(request)[0].delete()
    try context.save()
    #expect(try count(store, "Order", "country == nil") == 12 && count(store, "Country") == 1)
    #expect(try store.batchDelete(FetchRequest(country)) == 1)
  }

  @Test func rowsAreWrittenTogetherAndAloneWhereTheyAre() throws {
    let cluster = try CitusCluster.shared.get()
    let database = try cluster.makeDatabase()
    let store = try open(cluster, database, try model())
    try fill(store)
    let context = ObjectContext(store: store)
    let order = store.model.entity(named: "Order")!
    let (number, tenant) = (order.index(of: "number")!, order.index(of: "tenant")!)
    func numbers() throws -> String {
      try cluster.coordinator.psql(database, "SELECT string_agg(number::text, ' ' ORDER BY number) FROM \"order\"")
    }
    let orders = try context.fetch(FetchRequest(order)).objectList()
    for object in orders {
      guard case .int(let old) = try object.attribute(at: number) else { continue }
      try object.setAttribute(at: number, .int(old + 100))
    }
    try context.save()
    #expect(try numbers() == (101...112).map(String.init).joined(separator: " "))
    let one = try #require(try orders.first { try $0.attribute(at: number) == .int(105) })
    try one.setAttribute(at: number, .int(1))
    try context.save()
    #expect(try numbers() == ([1] + (101...104) + (106...112)).map(String.init).joined(separator: " "))

    // One that another program has deleted is missing where it was.
    try cluster.coordinator.psql(database, "DELETE FROM line; DELETE FROM \"order\" WHERE number = 1")
    #expect(throws: (any Error).self) {
      try one.setAttribute(at: number, .int(2))
      try context.save()
    }
    context.rollback()

    // One that it has made again in another place is found there.
    let column = store.layout(of: order).properties[number].ownColumns[0]
    for (place, key) in [(50, orders[1].objectID.key), (51, orders[2].objectID.key)] {
      try cluster.coordinator.psql(
        database,
        """
        DELETE FROM "order" WHERE _pk = \(key); INSERT INTO "order" (_pk, tenant, number) VALUES (\(key), \(place), 7)
        """)
    }
    #expect(try store.update(order, key: orders[1].objectID.key, [(column: column, value: .int(8))]))
    let cursor = try store.rows(of: order, keys: [orders[1].objectID.key])
    #expect(try cursor.step())
    #expect(try store.delete(order, key: orders[2].objectID.key))
    #expect(try numbers().hasPrefix("8 "))

    #expect(throws: (any Error).self) {
      try orders[0].setAttribute(at: tenant, .int(99))
      try context.save()
    }
    context.rollback()
    #expect(try numbers().hasPrefix("8 101 "))
  }

  @Test func aModelIsMigrated() throws {
    let cluster = try CitusCluster.shared.get()
    let database = try cluster.makeDatabase()
    let first = try open(cluster, database, try model())
    try fill(first)
    first.close()
    let memo = EntityDescription(
      "Memo",
      properties: [
        .attribute(Attribute("tenant", .integer64)),
        .relationship(Relationship(toOne: "order", "Order", inverse: "memos")),
      ])
    let changes: [(String, (inout [EntityDescription]) -> Void)] = [
      ("a type", { $0[1].properties[1] = .attribute(Attribute("number", .string)) }),
      ("an attribute goes", { $0[2].properties.remove(at: 1) }),
      (
        "an entity comes",
        { all in
          var memo = memo
          memo.userInfo = ["distributed": "tenant"]
          all[1].properties.append(.relationship(Relationship(toMany: "memos", "Memo", inverse: "order")))
          all.append(memo)
        }
      ),
      ("a table is copied to each node", { $0[2].userInfo = [:] }),
      ("and everything is as it was", { _ in }),
    ]
    for (name, change) in changes {
      let store = try open(cluster, database, try model(change), permitsLosses: true)
      // From now on its nodes record what is written.
      _ = store.commitWatch?.check()
      #expect(try count(store, "Line", "order.country.name == 'a'") == 12, "\(name)")
      #expect(store.migration != nil, "\(name)")
      // Rows are still numbered.
      _ = try store.sql("INSERT INTO \"order\" (tenant) VALUES (9)", [])
      #expect(try count(store, "Order", "tenant == 9") == 1 && count(store, "Order") == 13)
      _ = try store.sql("DELETE FROM \"order\" WHERE tenant = 9", [])
      store.close()
    }
  }

  @Test func aConditionOnAToOneIsDecidedOnceForEachDestinationThatIsSpread() throws {
    let cluster = try CitusCluster.shared.get()
    let database = try cluster.makeDatabase()
    try cluster.coordinator.psql(
      database,
      """
      CREATE TABLE station (id bigint PRIMARY KEY, name text);
      CREATE TABLE reading (id bigint, station_id bigint, PRIMARY KEY (station_id, id));
      SELECT create_distributed_table('station', 'id'); SELECT create_distributed_table('reading', 'station_id');
      ALTER TABLE reading ADD FOREIGN KEY (station_id) REFERENCES station (id);
      INSERT INTO station SELECT n, 'Süd ' || n FROM generate_series(1, 50) AS n;
      INSERT INTO reading SELECT n, 1 + n % 50 FROM generate_series(1, 20000) AS n;
      ANALYZE station; ANALYZE reading
      """)
    let store = try PostgresStore(PostgresOptions(try PostgresAddress(cluster.coordinator.address(of: database))))
    var request = FetchRequest(try #require(store.model.entity(named: "Reading")))
    request.predicate = try Queries.Predicate.parse("station.name MATCHES '.*7'")
    let explanation = try store.plans.explain(request)
    #expect(explanation.rowsReturned == 2000)
    let words = explanation.words.map(\.text).joined(separator: "\n")
    #expect(words.contains("once for each object to which the to-one leads"), "\(words)")
    #expect(explanation.tablesScanned + explanation.indexesUsed == ["reading"], "\(words)")
  }

  @Test func aLiveListIsToldOfWhatOthersCommitOnAnyNode() throws {
    let cluster = try CitusCluster.shared.get()
    let database = try cluster.makeDatabase()
    let store = try open(cluster, database, try model())
    try fill(store)
    func told() throws -> Int {
      var count = 0
      for _ in 0..<20 {
        if try store.changesByOthers() != nil { count += 1 }
        usleep(100_000)
      }
      return count
    }
    _ = try told()
    // Two seconds, in which it reported eight times before; the server's own housekeeping may commit, too.
    #expect(try told() <= 2)
    try cluster.coordinator.psql(database, "UPDATE line SET text = 'new' WHERE tenant = 1")
    #expect(try told() >= 1)
  }

  @Test func aNodeThatIsLostIsAnErrorOfTheConnection() throws {
    let cluster = try CitusCluster()
    let store = try open(cluster, try cluster.makeDatabase(), try model())
    try fill(store)
    cluster.workers[0].stop()
    usleep(1_000_000)
    func isLost(_ fact: StoreError.Fact?) -> Bool { if case .connectionLost? = fact { true } else { false } }
    #expect(isLost(fact { _ = try count(store, "Order") }))
    let context = ObjectContext(store: store)
    _ = try context.insert(store.model.entity(named: "Country")!)
    #expect(isLost(fact { try context.save() }))
    #expect(context.hasChanges)
    for server in cluster.workers + [cluster.coordinator] { server.stop() }
  }
}

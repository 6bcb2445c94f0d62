import Modeling
import Postgres
import PostgresStorage
import Queries
import StorageTestSupport
import Stores
import TestSupport
import Testing

/// Databases whose tables others made, and stores that lose their server.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct PostgresStoreTests {
  private let server: PostgresServer
  private let database: String
  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "store")
  }

  private func open(_ sql: String = "", _ change: (inout PostgresOptions) throws -> Void = { _ in }) throws
    -> PostgresStore
  {
    try server.open(database, after: sql, change)
  }

  private static let shop = """
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE DOMAIN email AS text CHECK (value LIKE '%@%');
    CREATE TABLE customer (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name varchar(10) NOT NULL,
      mail email UNIQUE, mood mood DEFAULT 'ok', since date, tags text[], data jsonb, uid uuid, balance numeric(12,2),
      active boolean DEFAULT true, seen timestamptz, big double precision, span int4range);
    CREATE TABLE orders (id serial PRIMARY KEY, customer_id bigint REFERENCES customer ON DELETE CASCADE, total numeric);
    CREATE TABLE line (order_id int REFERENCES orders, number int, sku text, PRIMARY KEY (order_id, number));
    CREATE TABLE label (id int PRIMARY KEY, text text);
    CREATE TABLE customer_label (customer_id bigint REFERENCES customer, label_id int REFERENCES label,
      PRIMARY KEY (customer_id, label_id));
    CREATE VIEW rich AS SELECT id, name FROM customer WHERE balance > 100;
    CREATE TABLE keyless (x int);
    CREATE SCHEMA archive; CREATE TABLE archive.orders (id int PRIMARY KEY, note text);
    INSERT INTO customer (name, mail, since, tags, data, uid, balance, seen, big, span) VALUES
      ('Ann', 'a@x', '2024-02-29', '{a,b}', '{"b": 1, "a": [1.50]}', 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 12.50,
       '2024-01-02 03:04:05.123456Z', 1.5, '[1,3)'),
      ('Bob', NULL, NULL, NULL, NULL, NULL, 200, NULL, 'NaN', NULL);
    INSERT INTO orders (customer_id, total) VALUES (1, 10), (1, 20), (2, 30);
    INSERT INTO line VALUES (1, 1, 'x'), (1, 2, 'y');
    INSERT INTO label VALUES (7, 'new'); INSERT INTO customer_label VALUES (1, 7);
    """

  private func row(_ store: PostgresStore, _ name: String, _ key: Int64) throws -> [String: Value] {
    let entity = store.model.entity(named: name)!
    var request = FetchRequest(entity)
    request.resultType = .dictionaries
    request.predicate = .comparison(
      Comparison(.object, .equal, .constant(.object(ObjectID(entity: entity, key: key)))))
    let cursor = try store.dictionaries(request, tiesByKey: true)
    guard try cursor.step() else { return [:] }
    return Dictionary(uniqueKeysWithValues: cursor.columns.enumerated().map { ($1, cursor.value($0)) })
  }

  private func endSessions() throws {
    try server.psql(
      database,
      """
      SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
  }

  @Test func aSnapshotBeginsWithItsFirstStatement() throws {
    let store = try open(Self.shop)
    let customer = store.model.entity(named: "Customer")!
    func count() throws -> Int { try store.count(FetchRequest(customer)) }
    func insert() throws { try server.psql(database, "INSERT INTO customer (name) VALUES ('Eve')") }
    try store.reading {
      #expect(try count() == 2)
      try insert()
      #expect(try count() == 2)
      #expect(try store.reading(count) == 2)
    }
    #expect(try count() == 3)
    try store.reading {}
    // Nothing went with a session that ended before it.
    try store.reading {
      try endSessions()
      #expect(try count() == 3)
      try insert()
      #expect(try count() == 3)
    }
    #expect(throws: StoreError.self) {
      try store.reading {
        #expect(try count() == 4)
        try endSessions()
        _ = try count()
      }
    }
    #expect(try count() == 4)
  }

  @Test func aSnapshotIsPartOfATransactionThatWasBegunByHand() throws {
    let store = try open(Self.shop)
    let customer = store.model.entity(named: "Customer")!
    func count() throws -> Int { try store.count(FetchRequest(customer)) }
    _ = try store.sql("BEGIN", [])
    _ = try store.sql("INSERT INTO customer (name) VALUES ('Eve')", [])
    try store.reading {
      let found = try count()
      #expect(found == 3)
      #expect(store.showsUncommittedRows)
    }
    #expect(store.showsUncommittedRows)
    _ = try store.sql("ROLLBACK", [])
    #expect(!store.showsUncommittedRows)
    #expect(try count() == 2)
  }

  @Test func aTransactionThatWasBegunByHandIsNotGoneOnWithAfterALostConnection() throws {
    let store = try open(Self.shop)
    let customer = store.model.entity(named: "Customer")!
    _ = try store.sql("BEGIN", [])
    _ = try store.sql("INSERT INTO customer (name) VALUES ('Eve')", [])
    try endSessions()
    #expect(throws: StoreError.self) { try store.count(FetchRequest(customer)) }
    #expect(try store.count(FetchRequest(customer)) == 2)
    #expect(!store.showsUncommittedRows)
  }

  @Test func aHistoryIsNotSwitchedWithinATransactionThatWasBegunByHand() throws {
    let store = try open(Self.shop)
    _ = try store.sql("BEGIN", [])
    #expect(fact { try store.setHistoryEnabled(true) } == .openTransaction)
    _ = try store.sql("ROLLBACK", [])
    try store.setHistoryEnabled(true)
    _ = try store.sql("BEGIN", [])
    #expect(fact { try store.setHistoryEnabled(false) } == .openTransaction)
    _ = try store.sql("COMMIT", [])
    #expect(store.isHistoryEnabled)
  }

  @Test func documentsOfTwoColumnsAreCompared() throws {
    // PostgreSQL has no operator that compares values of type json.
    let store = try open(
      """
      CREATE TABLE doc (id int PRIMARY KEY, a json, b json);
      INSERT INTO doc VALUES (1, '{"x": 1}', '{"x": 1}'), (2, '{"x": 1}', '{"x": 2}'), (3, NULL, '{}');
      """)
    func keys(_ format: String) throws -> [Int64] {
      var request = FetchRequest(store.model.entity(named: "Doc")!)
      request.predicate = try Predicate.parse(format)
      return try store.keys(request).sorted()
    }
    #expect(try keys("a == b") == [1])
    #expect(try keys("a != b") == [2])
  }

  @Test func tablesBecomeEntities() throws {
    let store = try open(Self.shop)
    #expect(
      Set(store.model.entities.map(\.name)) == [
        "Customer", "Orders", "Line", "Label", "Rich", "Keyless", "ArchiveOrders",
      ])
    let customer = store.model.entity(named: "Customer")!
    #expect(customer.property(named: "orders")?.relationship?.isToMany == true)
    #expect(customer.property(named: "labels")?.relationship?.isToMany == true)
    #expect(customer.property(named: "name")?.attribute?.isOptional == false)
    #expect(customer.property(named: "mood")?.attribute?.defaultValue == .string("ok"))
    #expect(customer.property(named: "span")?.attribute?.isReadOnly == true)
    #expect(store.model.entity(named: "Rich")!.isReadOnly && store.model.entity(named: "Keyless")!.isReadOnly)
    #expect(store.kind == .postgres && !store.path.isEmpty)
  }

  @Test func valuesOfEachTypeAreRead() throws {
    let ann = try row(open(Self.shop), "Customer", 1)
    #expect(ann["name"] == .string("Ann") && ann["mood"] == .string("ok") && ann["active"] == .bool(true))
    #expect(ann["since"] == .date(Timestamp(iso8601: "2024-02-29")!))
    #expect(ann["seen"] == .date(Timestamp(iso8601: "2024-01-02T03:04:05.123456Z")!))
    #expect(ann["balance"]?.displayText == "12.5" && ann["big"] == .double(1.5))
    #expect(ann["uid"]?.displayText == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    #expect(ann["tags"] == .json(.array([.string("a"), .string("b")])))
    #expect(ann["data"] == .json(.object(["b": .int(1), "a": .array([.double(1.5)])])))
    #expect(ann["span"] == .string("[1,3)"))
  }

  @Test func aNumberThatIsNoneIsNothing() throws {
    let store = try open(Self.shop)
    #expect(try row(store, "Customer", 2)["big"] == .null)
    var request = FetchRequest(store.model.entity(named: "Customer")!)
    for (text, keys) in [("big > 1", [1]), ("big != 0", [1]), ("big == nil", [2]), ("NOT big > 1", [])]
      as [(String, [Int64])]
    {
      request.predicate = try Predicate.parse(text)
      #expect(try store.keys(request) == keys, "\(text)")
    }
    // Nothing comes before every number.
    for (isAscending, keys) in [(true, [2, 1]), (false, [1, 2])] as [(Bool, [Int64])] {
      request.predicate = nil
      request.sortDescriptors = [SortDescriptor(.path(PropertyPath(["big"])), ascending: isAscending)]
      #expect(try store.keys(request) == keys)
    }
  }

  @Test func keysOfSeveralColumnsAreNumbered() throws {
    let store = try open(Self.shop)
    let line = store.model.entity(named: "Line")!
    let key = try #require(try store.key(of: line, fromKeyValues: [.int(1), .int(2)]))
    #expect(store.keyValues(of: line, key: key) == [.int(1), .int(2)])
    #expect(try row(store, "Line", key)["sku"] == .string("y"))
    #expect(try store.update(line, key: key, [(column: 2, value: .string("z"))]))
    #expect(try row(store, "Line", key)["sku"] == .string("z"))
    #expect(try store.delete(line, key: key))
    #expect(try store.count(FetchRequest(line)) == 1)
  }

  @Test func whatTheServerRefusesIsAFact() throws {
    let store = try open(Self.shop)
    let customer = store.model.entity(named: "Customer")!
    func change(_ name: String, _ value: Value) -> StoreError.Fact? {
      guard case .column(let column) = store.layout(of: customer).properties[customer.index(of: name)!] else {
        return nil
      }
      do {
        _ = try store.update(customer, key: 2, [(column: column, value: value)])
        return nil
      } catch { return (error as? StoreError)?.fact }
    }
    #expect(
      change("mail", .string("a@x")) == .notUnique(entity: "Customer", properties: ["mail"], values: [.string("a@x")]))
    if case .constraint(let text)? = change("mail", .string("none")) {
      #expect(text.contains("email"))
    } else {
      Issue.record()
    }
    if case .constraint? = change("name", .null) {} else { Issue.record("NOT NULL is refused") }
    if case .server(let error)? = change("mood", .string("angry")) {
      #expect(error.sqlState == "22P02")
    } else {
      Issue.record()
    }
    #expect(try row(store, "Customer", 2)["name"] == .string("Bob"))
  }

  @Test func aModelGivenStandsOverTheTables() throws {
    var person = EntityDescription("Person", properties: [.attribute(Attribute("name", .string))])
    person.renamingIdentifier = "customer"
    let model = try Model([person])
    let store = try open(Self.shop) { $0.model = model }
    #expect(try store.count(FetchRequest(store.model.entity(named: "Person")!)) == 2)
    let wrong = try Model([EntityDescription("Nothing", properties: [])])
    #expect(throws: StoreError.self) { _ = try open { $0.model = wrong } }
  }

  @Test func aStoreOfOursIsFoundAgain() throws {
    let model = try Model([EntityDescription("Note", properties: [.attribute(Attribute("text", .string))])])
    #expect(throws: StoreError(.notFound, path: try PostgresAddress(server.address(of: database)).shown)) {
      _ = try open { $0.model = model }
    }
    try open { ($0.model, $0.create) = (model, true) }.close()
    let again = try open()
    #expect(again.model.encoded() == model.encoded() && again.kind == .perilune)
    let other = try Model([EntityDescription("Note", properties: [.attribute(Attribute("title", .string))])])
    again.close()
    #expect(try open { $0.model = other }.model.encoded() == other.encoded())
  }

  @Test func derivedValuesFollowWhatTheyAreDerivedOf() throws {
    func attribute(_ name: String, _ type: AttributeType, _ derivation: String? = nil) -> Property {
      var attribute = Attribute(name, type)
      attribute.derivation = derivation
      return .attribute(attribute)
    }
    let model = try Model([
      EntityDescription(
        "Owner",
        properties: [
          attribute("name", .string), attribute("small", .string, "lowercase:(name)"),
          attribute("count", .integer64, "pets.@count"), attribute("weight", .double, "pets.@sum.weight"),
          .relationship(Relationship(toMany: "pets", "Pet", inverse: "owner")),
        ]),
      EntityDescription(
        "Pet",
        properties: [
          attribute("weight", .double), .relationship(Relationship(toOne: "owner", "Owner", inverse: "pets")),
        ]),
    ])
    let store = try open { ($0.model, $0.create) = (model, true) }
    let (owner, pet) = (store.model.entity(named: "Owner")!, store.model.entity(named: "Pet")!)
    func column(_ entity: Entity, _ name: String) -> Int {
      store.layout(of: entity).properties[entity.index(of: name)!].ownColumns[0]
    }
    func insert(_ entity: Entity, _ values: [String: Value]) throws -> Int64 {
      var row = [Value](repeating: .null, count: store.layout(of: entity).columns.count)
      for (name, value) in values { row[column(entity, name)] = value }
      return try store.insert(entity, row)
    }
    let ann = try insert(owner, ["name": .string("ANN")])
    let bob = try insert(owner, ["name": .string("Bob")])
    #expect(try row(store, "Owner", ann)["small"] == .string("ann"))
    #expect(try row(store, "Owner", ann)["count"] == .int(0))
    let cat = try insert(pet, ["weight": .double(4), "owner": .int(ann)])
    _ = try insert(pet, ["weight": .double(2.5), "owner": .int(ann)])
    #expect(try row(store, "Owner", ann)["count"] == .int(2) && row(store, "Owner", ann)["weight"] == .double(6.5))
    _ = try store.update(pet, key: cat, [(column: column(pet, "owner"), value: .int(bob))])
    #expect(try row(store, "Owner", ann)["weight"] == .double(2.5) && row(store, "Owner", bob)["weight"] == .double(4))
    _ = try store.update(pet, key: cat, [(column: column(pet, "weight"), value: .double(5))])
    #expect(try row(store, "Owner", bob)["weight"] == .double(5))
    _ = try store.delete(pet, key: cat)
    #expect(try row(store, "Owner", bob)["count"] == .int(0))
    _ = try store.update(owner, key: bob, [(column: column(owner, "name"), value: .string("BOBBY"))])
    #expect(try row(store, "Owner", bob)["small"] == .string("bobby"))
    _ = try store.sql("UPDATE owner SET name = 'LATER' WHERE name = 'BOBBY'", [])
    #expect(try row(store, "Owner", bob)["small"] == .string("later"))
    // An undone save may be too large to be recorded row by row.
    let reference = store.layout(of: pet).columns[column(pet, "owner")].name
    let many = "INSERT INTO pet (\"\(reference)\", weight) SELECT \(bob), 1 FROM generate_series(1, 30000)"
    _ = try store.sql(many, [])
    _ = try store.reverseSave(.undo)
    #expect(try row(store, "Owner", bob)["count"] == .int(0))
    _ = try store.reverseSave(.redo)
    #expect(try row(store, "Owner", bob)["count"] == .int(30_000))
    #expect(try row(store, "Owner", bob)["weight"] == .double(30_000))
  }

  @Test func aDryRunThatIsKeptIsASaveWithItsAuthor() throws {
    func attribute(_ name: String, _ derivation: String? = nil) -> Property {
      var attribute = Attribute(name, .string)
      attribute.derivation = derivation
      return .attribute(attribute)
    }
    let model = try Model([
      EntityDescription("Note", properties: [attribute("text"), attribute("small", "lowercase:(text)")])
    ])
    let store = try open { ($0.model, $0.create, $0.history) = (model, true, true) }
    let note = store.model.entity(named: "Note")!
    func insert(_ text: String) throws -> Int64 {
      try store.insert(note, store.layout(of: note).columns.map { $0.name == "text" ? .string(text) : .null })
    }
    try store.beginDryRun()
    var keys: [Int64] = []
    for text in ["ONE", "TWO"] {
      try store.attributing(TransactionInfo(author: "bob")) { keys.append(try insert(text)) }
    }
    // As on a file, where triggers derive, the values are there before the end.
    #expect(try row(store, "Note", keys[1])["small"] == .string("two"))
    try store.endDryRun(keeping: true)
    #expect(try store.saveToReverse(.undo).author == "bob")
    let undone = try store.reverseSave(.undo)
    #expect(undone.deleted == 2)
    #expect(try store.count(FetchRequest(note)) == 0)
    #expect(try store.reverseSave(.redo).inserted == 2)
    #expect(try row(store, "Note", keys[0])["small"] == .string("one"))
    try store.beginDryRun()
    _ = try store.sql("UPDATE note SET text = 'UNO' WHERE text = 'ONE'", [])
    try store.endDryRun(keeping: true)
    #expect(try row(store, "Note", keys[0])["small"] == .string("uno"))
    _ = try store.reverseSave(.undo)
    try store.beginDryRun()
    _ = try insert("THREE")
    try store.endDryRun(keeping: false)
    #expect(try store.count(FetchRequest(note)) == 2)
    #expect(try store.saveToReverse(.undo).objects.count == 2)
  }

  @Test func derivedValuesFollowThePairsThatAreTakenBack() throws {
    var count = Attribute("count", .integer64)
    count.derivation = "tags.@count"
    let model = try Model([
      EntityDescription(
        "Note",
        properties: [
          .attribute(Attribute("text", .string)), .attribute(count),
          .relationship(Relationship(toMany: "tags", "Tag", inverse: "notes")),
        ]),
      EntityDescription(
        "Tag",
        properties: [
          .attribute(Attribute("label", .string)),
          .relationship(Relationship(toMany: "notes", "Note", inverse: "tags")),
        ]),
    ])
    let store = try open { ($0.model, $0.create) = (model, true) }
    let (note, tag) = (store.model.entity(named: "Note")!, store.model.entity(named: "Tag")!)
    let tags = note.index(of: "tags")!
    func insert(_ entity: Entity) throws -> Int64 {
      try store.insert(entity, [Value](repeating: .null, count: store.layout(of: entity).columns.count))
    }
    func counted(_ key: Int64) throws -> Value? { try row(store, "Note", key)["count"] }
    let (first, second) = (try insert(note), try insert(note))
    let labels = try (1...2).map { _ in try insert(tag) }
    try store.transaction { try store.link(tags, in: note, pairs: labels.map { (owner: first, member: $0) }) }
    #expect(try counted(first) == .int(2) && counted(second) == .int(0))
    _ = try store.reverseSave(.undo)
    #expect(try counted(first) == .int(0) && counted(second) == .int(0))
    _ = try store.reverseSave(.redo)
    #expect(try counted(first) == .int(2) && counted(second) == .int(0))
  }

  @Test func aConnectionThatBreaksIsMadeAnew() throws {
    let store = try open(Self.shop)
    let request = FetchRequest(store.model.entity(named: "Customer")!)
    let end =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)' AND pid <> pg_backend_pid()"
    try server.psql(database, end)
    #expect(try store.count(request) == 2)
    // What was written in a transaction that is lost with its connection is not there, and nothing more is written in it.
    let label = store.model.entity(named: "Label")!
    #expect(throws: StoreError.self) {
      try store.transaction {
        try store.insert(label, [.int(8), .string("lost")])
        try server.psql(database, end)
        _ = try? store.insert(label, [.int(9), .string("late")])
        try store.insert(label, [.int(10), .string("later")])
      }
    }
    #expect(try store.count(FetchRequest(label)) == 1)
    try store.insert(label, [.int(11), .string("there")])
    #expect(try store.count(FetchRequest(label)) == 2)
  }

  @Test func aDryRunCountsTheRowsThatSQLHasWritten() throws {
    let store = try open(
      """
      CREATE TABLE item (id bigint PRIMARY KEY);
      CREATE FUNCTION fill(n int) RETURNS int LANGUAGE sql AS $$ INSERT INTO item SELECT generate_series(1, n); SELECT n $$
      """)
    try store.beginDryRun()
    func rows(_ sql: String) throws -> Int64 {
      let before = store.changeCount
      let cursor = try store.sql(sql, [])
      while try cursor.step() {}
      return store.changeCount - before
    }
    #expect(try rows("SELECT count(*) FROM item") == 0)
    #expect(try rows("SELECT fill(7)") == 7)
    #expect(try rows("UPDATE item SET id = id + 10 WHERE id < 4") == 3)
    #expect(try rows("WITH gone AS (DELETE FROM item RETURNING id) SELECT * FROM gone") == 7)
    #expect(try rows("TABLE item") == 0)
    try store.endDryRun(keeping: false)
  }

  @Test func rowsAreReadWhereTheServerHasEndedWhatWasIdle() throws {
    let store = try open(
      "CREATE TABLE number (n bigint PRIMARY KEY); INSERT INTO number SELECT generate_series(1, 3000)")
    let number = store.model.entity(named: "Number")!
    func read() throws -> Int {
      let cursor = try store.cursor(FetchRequest(number), keysOnly: false)
      var count = 0
      while try cursor.step() { count += 1 }
      return count
    }
    #expect(try read() == 3000)
    // A transaction is the main connection's.
    let main = try store.transaction {
      let cursor = try store.sql("SELECT pg_backend_pid()", [])
      return try cursor.step() ? cursor.value(0) : .null
    }
    let ended = try server.psql(
      database,
      """
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = '\(database)' AND pid NOT IN (pg_backend_pid(), \(main.displayText))
      """)
    #expect(ended.contains("1"))
    #expect(try read() == 3000)
  }

  @Test func aWaitIsInterrupted() throws {
    let store = try open(Self.shop)
    let start = ContinuousClock.now
    store.isInterrupted = { ContinuousClock.now - start > .milliseconds(200) }
    #expect(throws: StoreError.self) { _ = try store.sql("SELECT pg_sleep(60)", []) }
    #expect(ContinuousClock.now - start < .seconds(20))
    store.isInterrupted = { false }
    #expect(try store.count(FetchRequest(store.model.entity(named: "Customer")!)) == 2)
  }

  @Test func rowsAreReadOneByOneWhileOthersAreAsked() throws {
    let store = try open(
      "CREATE TABLE number (n bigint PRIMARY KEY); INSERT INTO number SELECT generate_series(1, 20000)")
    let number = store.model.entity(named: "Number")!
    let cursor = try store.cursor(FetchRequest(number), keysOnly: false)
    var (count, sum): (Int, Int64) = (0, 0)
    while try cursor.step() {
      count += 1
      sum += cursor.integer(0)
      if count % 5_000 == 0 { #expect(try store.count(FetchRequest(number)) == 20_000) }
    }
    #expect(count == 20_000 && sum == 200_010_000)
  }
}

import Foundation
import Modeling
import ObjectGraph
import Postgres
import PostgresStorage
import PostgresTestSupport
import Queries
import StoreErrors
import Stores
import TestSupport
import Testing

/// Servers that lack something of what PostgreSQL does: nothing of it is ever asked of them, and everything works without, or is
/// refused by its name.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ProfileTests {
  private struct Failure: Error {}

  @Test(arguments: Conformance.imitated) func nothingIsSentThatTheServerLacks(_ conformance: Conformance) throws {
    let proxy = try #require(try conformance.proxy())
    let refusals = proxy.tally.refusals
    let shop = try Bookshop(conformance)
    #expect((shop.store as? PostgresStore)?.profile.lacking == conformance.profile?.lacking)
    try shop.store.transaction { try shop.fill() }
    #expect(try shop.keys("Book").count == 24 && shop.keys("Novel").count == 8)
    #expect(try shop.keys("Book", "pages > 20 AND author.rating > 0", order: ["title"]).count > 0)

    // Rows, references and order.
    let (author, book) = (try shop.insert("Author", ["name": .string("Ann")]), try shop.insert("Book"))
    #expect(try shop.update("Book", book, "author", .int(author)))
    let members = try (0..<4).map { _ in try shop.insert("Book", ["author": .int(author)]) } + [book]
    try shop.store.setOrder(shop.index("Author", "books"), in: shop.entity("Author"), owner: author, members: members)
    #expect(try shop.members("Author", "books", author) == members)
    let tags = try shop.keys("Tag")
    try shop.store.link(shop.index("Book", "tags"), in: shop.entity("Book"), pairs: tags.map { (book, $0) })
    #expect(try shop.members("Book", "tags", book) == tags)
    try shop.store.setOrder(
      shop.index("Book", "tags"), in: shop.entity("Book"), owner: book, members: tags.reversed())
    #expect(try shop.members("Book", "tags", book) == tags.reversed())
    let refused = StoreError.Fact.notUnique(entity: "Author", properties: ["name"], values: [.string("Ann")])
    #expect(fact { try shop.insert("Author", ["name": .string("Ann")]) } == refused)

    // Many at once, and batches.
    try shop.store.bulkInsert(into: shop.entity("Tag"), expecting: 100) {
      for number in 0..<100 { try shop.insert("Tag", ["label": .string("bulk \(number)")]) }
    }
    #expect(try shop.keys("Tag", "label BEGINSWITH 'bulk'").count == 100)
    let change = (property: shop.index("Tag", "label"), value: Value.string("set"))
    #expect(try shop.store.batchUpdate(try shop.request("Tag", "label BEGINSWITH 'bulk'"), [change]) == 100)
    #expect(try shop.store.batchDelete(try shop.request("Tag", "label == 'set'")) == 100)
    #expect(try shop.store.batchDelete(try shop.request("Author", "name == 'Ann'")) == 1)
    #expect(try shop.value("Book", book, "author") == nil)
    #expect(proxy.tally.refusals == refusals)
  }

  @Test(arguments: Conformance.imitated) func objectsAreSavedAndTakenBack(_ conformance: Conformance) throws {
    let proxy = try #require(try conformance.proxy())
    let refusals = proxy.tally.refusals
    let shop = try Bookshop(conformance)
    let context = ObjectContext(store: shop.store)
    let (book, title, sequel) = (shop.entity("Book"), shop.index("Book", "title"), shop.index("Book", "sequel"))
    let books = try (0..<60).map { number in
      let object = try context.insert(book)
      try object.setAttribute(at: title, .string("b\(number)"))
      return object
    }
    // In a circle, which no order of inserts closes.
    for (place, object) in books.enumerated() {
      try object.setRelated(at: sequel, to: books[(place + 1) % books.count])
    }
    try context.save()
    for object in books { try object.setAttribute(at: title, .string("again")) }
    try context.save()
    #expect(try shop.keys("Book", "title == 'again' AND sequel.title == 'again'").count == 60)
    for object in books.prefix(20) { try object.delete() }
    try context.save()
    #expect(try shop.keys("Book").count == 40)
    #expect(try shop.keys("Book", "sequel == nil").count == 1)
    #expect(proxy.tally.refusals == refusals)
  }

  @Test(arguments: Conformance.imitated) func aPartThatCannotBeUndoneAloneUndoesAllOfIt(_ conformance: Conformance)
    throws
  {
    let shop = try Bookshop(conformance)
    let refusal = fact {
      try shop.store.transaction {
        try shop.insert("Tag")
        try? shop.store.transaction {
          try shop.insert("Tag")
          throw Failure()
        }
        try shop.insert("Tag")
      }
    }
    if conformance.profile?.has(.savepoints) == true {
      #expect(refusal == nil)
      #expect(try shop.keys("Tag").count == 2)
    } else {
      #expect(refusal == .lacking(server: "Aurora DSQL", feature: "savepoints"))
      #expect(try shop.keys("Tag").isEmpty)
    }
  }

  @Test(arguments: Conformance.imitated.filter { !$0.recordsWrites })
  func whereNothingIsRecordedOthersMayHaveWrittenAnything(_ conformance: Conformance) throws {
    let proxy = try #require(try conformance.proxy())
    let shop = try Bookshop(conformance)
    let key = try shop.insert("Tag", ["label": .string("a")])
    let refusals = proxy.tally.refusals
    let other = try shop.another()
    _ = try shop.store.changesByOthers()
    _ = try other.update("Tag", key, "label", .string("b"))
    let source = (shop.store as? PostgresStore)?.changeSource(of: ["tag"])
    #expect(source == .polling(seconds: 0.25))
    let watch = try #require(shop.store.commitWatch)
    let end = Date(timeIntervalSinceNow: 20)
    while !watch.check(), Date() < end { usleep(20_000) }
    let told = try #require(try shop.store.changesByOthers())
    #expect(told.isForeign && !told.isComplete)

    // A save has to find out for itself whether its rows are as they were.
    let context = ObjectContext(store: shop.store)
    let object = try context.fetch(try shop.request("Tag"))[0]
    #expect(try object.attribute(at: shop.index("Tag", "label")) == .string("b"))
    _ = try other.update("Tag", key, "label", .string("c"))
    try object.setAttribute(at: shop.index("Tag", "label"), .string("d"))
    #expect(throws: (any Error).self) { try context.save() }
    #expect(try shop.value("Tag", key, "label") == .string("c"))
    #expect(proxy.tally.refusals == refusals)
  }

  @Test func nodesOnWhichNobodyHasCommittedTellNothing() throws {
    let shop = try Bookshop(.citus)
    let store = try #require(shop.store as? PostgresStore)
    let name = try store.sql("SELECT current_database()", [])
    #expect(try name.step())
    let (server, database) = (try PostgresServer.shared.get(), name.value(0).displayText)
    // Those of the server that the tests share change with every test that writes.
    try server.psql(
      database,
      """
      CREATE TABLE pg_catalog.moment (number int);
      INSERT INTO pg_catalog.moment VALUES (1);
      CREATE OR REPLACE FUNCTION pg_catalog.run_command_on_all_nodes(command text)
        RETURNS TABLE (nodeid int, success bool, result text) LANGUAGE sql AS 'SELECT 1, number > 0, number::text FROM moment'
      """.replacing("CREATE TABLE", with: "SET allow_system_table_mods = on; CREATE TABLE"))
    /// How often others are said to have written in a second and a half.
    func told() throws -> Int {
      var count = 0
      for _ in 0..<15 {
        if try store.changesByOthers() != nil { count += 1 }
        usleep(100_000)
      }
      return count
    }
    _ = try told()
    #expect(try told() == 0)
    try server.psql(database, "UPDATE pg_catalog.moment SET number = 2")
    #expect(try told() == 1)
    // A node that does not answer may have commits.
    try server.psql(database, "UPDATE pg_catalog.moment SET number = 0")
    #expect(try told() > 2)
  }

  /// The constraint of a unique text that a message names, and the name under which the server knows it.
  private func refusal(_ attribute: String, named name: (String) -> String) throws -> StoreError.Fact? {
    var unique = Attribute(attribute, .string)
    unique.isUnique = true
    let store = try #require(
      try Conformance.citus.open(try Model([EntityDescription("Note", properties: [.attribute(unique)])]))
        as? PostgresStore)
    let index = try store.sql(
      "SELECT indexname FROM pg_indexes WHERE tablename = 'note' AND indexname NOT LIKE '%pkey'", [])
    #expect(try index.step())
    let known = index.value(0).displayText
    if name(known) != known { _ = try store.sql("ALTER INDEX \"\(known)\" RENAME TO \"\(name(known))\"", []) }
    let note = store.model.entity(named: "Note")!
    try store.insert(note, [.string("a")], key: nil)
    return fact { try store.insert(note, [.string("a")], key: nil) }
  }

  @Test func aUniqueValueIsKnownByTheNameThatItsShardHas() throws {
    #expect(
      try refusal("label") { "\($0)_102008" }
        == .notUnique(entity: "Note", properties: ["label"], values: [.string("a")]))
    let long = "aNameOfAnAttributeThatIsLongerThanANameMayBeInPostgreSQLWhichCutsItOff"
    let refused = StoreError.Fact.notUnique(entity: "Note", properties: [long], values: [.string("a")])
    #expect(try refusal(long) { $0 } == refused)
    #expect(try refusal(long) { "\($0.prefix(46))_d1601278_102008" } == refused)
  }

  @Test(arguments: Conformance.imitated.filter { !$0.recordsWrites })
  func whatNeedsARecordIsRefusedByName(_ conformance: Conformance) throws {
    let shop = try Bookshop(conformance)
    let store = try #require(shop.store as? any HistoryKeeping)
    try shop.insert("Tag")
    let name = try #require(conformance.profile?.engine.name)
    let undo = StoreError.Fact.lacking(server: name, feature: "triggers that record what a save has changed")
    #expect(fact { _ = try store.reverseSave(.undo) } == undo)
    #expect(fact { _ = try store.saveToReverse(.redo) } == undo)
    let numbers = StoreError.Fact.lacking(server: name, feature: "sequences for the numbers of a history")
    #expect(fact { try store.setHistoryEnabled(true) } == (conformance.keepsHistory ? nil : numbers))
  }

  /// Orders and their lines, distributed by `tenant`; numbers of orders are unique together with some properties.
  private func orders(_ unique: [String], by name: String = "tenant", spread: Bool = true) throws -> Model {
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
        .attribute(Attribute("tenant", .integer64)),
        .relationship(Relationship(toOne: "order", "Order", inverse: "lines")),
      ])
    let country = EntityDescription(
      "Country",
      properties: [
        .attribute(Attribute("name", .string)),
        .relationship(Relationship(toMany: "orders", "Order", inverse: "country")),
      ])
    order.uniquenessConstraints = [unique]
    if spread { (order.userInfo, line.userInfo) = (["distributed": name], ["distributed": "tenant"]) }
    return try Model([order, line, country])
  }

  @Test func theDistributionColumnIsInKeysAndReferences() throws {
    let store = try Conformance.citus.open(try orders(["tenant", "number"]))
    let (order, line) = (store.model.entity(named: "Order")!, store.model.entity(named: "Line")!)
    func row(_ entity: Entity, _ values: [String: Value]) -> [Value] {
      store.layout(of: entity).columns.map { values[$0.name] ?? .null }
    }
    let key = try store.insert(order, row(order, ["tenant": .int(7), "number": .int(1)]))
    let reference = store.layout(of: line).columns.map(\.name).first { $0.hasPrefix("order") }!
    try store.insert(line, row(line, ["tenant": .int(7), reference: .int(key)]))
    // A line of another tenant cannot be one of the order.
    let refusal = fact { try store.insert(line, row(line, ["tenant": .int(8), reference: .int(key)])) }
    guard case .constraint? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    let tenant = store.layout(of: order).columns.firstIndex { $0.name == "tenant" }!
    let fixed = fact { _ = try store.update(order, key: key, [(tenant, .int(8))]) }
    guard case .lacking(server: "Citus", _)? = fixed else {
      Issue.record("\(String(describing: fixed))")
      return
    }
    let opened = try #require(store as? PostgresStore)
    let keys = try opened.sql(
      "SELECT string_agg(pg_get_constraintdef(oid), ';' ORDER BY contype, conname) FROM pg_constraint "
        + "WHERE conrelid IN ('\"order\"'::regclass, 'line'::regclass)", [])
    #expect(try keys.step())
    let text = keys.value(0).displayText
    #expect(text.contains("PRIMARY KEY (_pk, tenant)"))
    #expect(text.contains("FOREIGN KEY (tenant, \(reference)) REFERENCES \"order\"(tenant, _pk)"))
    #expect(text.contains("REFERENCES country(_pk)"))
  }

  @Test func rowsOfNodesAreJoinedWhereTheyLieTogether() throws {
    let store = try #require(try Conformance.citus.open(try orders(["tenant", "number"])) as? PostgresStore)
    func decided(_ text: String, _ name: String) throws -> Bool {
      var request = FetchRequest(store.model.entity(named: name)!)
      request.predicate = try Predicate.parse(text)
      return try !store.plans.explain(request).words.contains { $0.text.contains("decided here") }
    }
    // Lines lie with the order of their tenant, and each node has all countries.
    #expect(try decided("order.number > 1", "Line"))
    #expect(try decided("country.name == 'x'", "Order"))
    #expect(try decided("ANY lines.tenant > 1", "Order"))
    // The orders of a country lie anywhere, and are found first.
    #expect(try decided("ANY orders.number > 1", "Country"))
    #expect(try decided("orders.@count > 1", "Country"))
    #expect(try !decided("ANY orders.number > orders.@count", "Country"))
    let (country, order) = (store.model.entity(named: "Country")!, store.model.entity(named: "Order")!)
    func row(_ entity: Entity, _ values: [String: Value]) -> [Value] {
      store.layout(of: entity).columns.map { values[$0.name] ?? .null }
    }
    let key = try store.insert(country, row(country, ["name": .string("x")]))
    let reference = store.layout(of: order).columns.map(\.name).first { $0.hasPrefix("country") }!
    let orders = try (1...3).map {
      try store.insert(order, row(order, ["tenant": .int($0), "number": .int($0), reference: .int(key)]))
    }
    let index = country.index(of: "orders")!
    #expect(try store.members(of: index, in: country, owners: [key]).map(\.member) == orders)
    #expect(try store.memberCounts(of: index, in: country, owners: [key]) == [key: 3])
    var request = FetchRequest(country)
    let other = try store.insert(country, row(country, ["name": .string("y")]))
    let answers: [String: [Int64]] = [
      "ANY orders.number > 2 AND orders.@count == 3": [key], "ANY orders.number > 3": [],
      "NONE orders.number > 2": [other],
      "ALL orders.number > 0": [key, other], "ALL orders.number > 1": [other], "NOT (ANY orders.number > 2)": [other],
      "orders.@count == 0": [other], "orders.@count < 4 AND orders.@count >= 3": [key],
    ]
    for (text, keys) in answers {
      request.predicate = try Predicate.parse(text)
      #expect(try store.keys(request) == keys, "\(text)")
    }
  }

  /// Tables of others, of which hardly any lie together.
  private static let rooms = """
    CREATE TABLE person (id int PRIMARY KEY, code text UNIQUE);
    CREATE TABLE room (wing text, number int, PRIMARY KEY (wing, number));
    CREATE TABLE visit (id int PRIMARY KEY, person_code text REFERENCES person (code), wing text, number int,
      FOREIGN KEY (wing, number) REFERENCES room);
    CREATE TABLE club (id int PRIMARY KEY);
    CREATE TABLE person_club (person_id int REFERENCES person, club_id int REFERENCES club, PRIMARY KEY (person_id, club_id));
    CREATE TABLE room_club (wing text, number int, club_id int REFERENCES club, PRIMARY KEY (wing, number, club_id),
      FOREIGN KEY (wing, number) REFERENCES room);
    INSERT INTO person SELECT n, CASE WHEN n < 5 THEN 'p' || n END FROM generate_series(1, 6) AS n;
    INSERT INTO room SELECT w, n FROM unnest(ARRAY['a', 'b']) AS w, generate_series(1, 2) AS n;
    INSERT INTO visit SELECT n, CASE WHEN n % 4 > 0 THEN 'p' || n % 4 END, 'b', 1 + n % 2 FROM generate_series(1, 9) AS n;
    INSERT INTO visit VALUES (10, 'p1', 'a', NULL);
    INSERT INTO club SELECT n FROM generate_series(1, 4) AS n;
    INSERT INTO person_club SELECT p, c FROM generate_series(1, 6) AS p, generate_series(1, 4) AS c WHERE (p + c) % 3 = 0;
    INSERT INTO room_club SELECT wing, number, c FROM room, generate_series(1, 3) AS c WHERE number <> c;
    INSERT INTO citus_tables VALUES ('person', 'distributed', 'id', 1), ('room', 'distributed', 'wing', 2),
      ('visit', 'distributed', 'id', 3), ('club', 'reference', '<none>', 4), ('person_club', 'distributed', 'club_id', 5),
      ('room_club', 'distributed', 'club_id', 5)
    """

  @Test func tablesOfOthersAreReadOneByOneWhereTheirRowsLieApart() throws {
    let server = try PostgresServer.shared.get()
    let name = try server.makeDatabase(for: "apart")
    try server.psql(name, Conformance.citusCatalog)
    try server.psql(name, Self.rooms)
    let proxy = try #require(try Conformance.citus.proxy())
    let apart = try PostgresStore(PostgresOptions(try PostgresAddress(proxy.address(of: name))))
    let joined = try PostgresStore(PostgresOptions(try PostgresAddress(server.address(of: name))))
    /// What each relationship leads to and comes from, by the values of keys.
    func relationships(_ store: PostgresStore) throws -> [String] {
      var lines: [String] = []
      func name(_ entity: Entity, _ key: Int64) -> String {
        "\(store.keyValues(of: entity, key: key).map(\.displayText))"
      }
      for entity in store.model.entities where !["CitusTable", "PgDistPartition", "PgDistNode"].contains(entity.name) {
        let keys = try store.keys(FetchRequest(entity))
        for index in entity.properties.indices {
          guard let relationship = entity.properties[index].relationship else { continue }
          let destination = entity.destination(at: index)
          let place = "\(entity.name).\(relationship.name)"
          if relationship.isToMany {
            let members = try store.members(of: index, in: entity, owners: keys)
            lines += members.map { "\(place) \(name(entity, $0.owner)) \(name(destination, $0.member))" }.sorted()
            let counts = try store.memberCounts(of: index, in: entity, owners: keys)
            lines += counts.map { "\(place) \(name(entity, $0.key)) \($0.value)" }.sorted()
            for owner in keys {
              let own = members.filter { $0.owner == owner }.map(\.member)
              #expect(try store.members(of: index, in: entity, owners: [owner]).map(\.member) == own)
            }
          } else {
            let reference = LooseReference(entity: entity, property: index, effect: .left)
            var found: [String] = []
            try store.visitReferrers(of: reference, to: destination, keys: try store.keys(FetchRequest(destination))) {
              found.append("\(place) \(name(entity, $0)) to \(name(destination, $1))")
            }
            lines += found.sorted()
          }
          let lookUp = try store.ownerLookUp(index, of: entity)
          for key in try store.keys(FetchRequest(destination)) {
            var owners: Set<String> = []
            try lookUp.owners(of: [key]) { owners.insert(name(entity, $0)) }
            lines.append("\(place) of \(owners.sorted()) has \(name(destination, key))")
          }
        }
      }
      return lines
    }
    let expected = try relationships(joined)
    #expect(expected.count > 100)
    #expect(try relationships(apart) == expected)
  }

  // MARK: Distribution in migrations

  private func migrated(_ path: String, to model: Model) throws -> PostgresStore {
    var options = PostgresOptions(try PostgresAddress(path))
    options.model = model
    return try PostgresStore(options)
  }

  /// How the tables of a database are spread, and by which keys.
  private func places(_ store: PostgresStore) throws -> [String] {
    let rows = try store.sql(
      """
      SELECT c.relname || ' ' || coalesce(t.distribution_column, 'alone') || ' '
        || (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint AS k WHERE k.conrelid = c.oid AND k.contype = 'p')
      FROM pg_class AS c LEFT JOIN citus_tables AS t ON t.table_name = c.oid
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE '\\_%' ORDER BY c.relname
      """, [])
    var lines: [String] = []
    while try rows.step() { lines.append(rows.value(0).displayText) }
    return lines
  }

  /// Notes of tenants, distributed by a property if one is named, and what else the model has.
  private func notes(by name: String?, _ others: [EntityDescription] = [], extra: [Property] = []) throws -> Model {
    var note = EntityDescription(
      "Note",
      properties: [.attribute(Attribute("tenant", .integer64)), .attribute(Attribute("region", .string))] + extra)
    if let name { note.userInfo = ["distributed": name] }
    return try Model([note] + others)
  }

  @Test func aMigrationSpreadsTablesAsTheNewModelSays() throws {
    let first = try #require(try Conformance.citus.open(try notes(by: nil)) as? PostgresStore)
    let path = first.path
    let note = first.model.entity(named: "Note")!
    for tenant in 1...3 { try first.insert(note, [.int(Int64(tenant)), .string("r")], key: nil) }
    #expect(try places(first) == ["note <none> PRIMARY KEY (_pk)"])
    first.close()

    // The option is set, changed, and taken away again.
    for (name, place) in [
      ("tenant", "note tenant PRIMARY KEY (_pk, tenant)"), ("region", "note region PRIMARY KEY (_pk, region)"),
      (nil, "note <none> PRIMARY KEY (_pk)"), ("tenant", "note tenant PRIMARY KEY (_pk, tenant)"),
    ] {
      let store = try migrated(path, to: try notes(by: name))
      #expect(try places(store) == [place])
      let step = name.map { "~ Note is distributed by \($0)" } ?? "~ Note is copied to each node"
      #expect(store.migration?.steps.map(\.description) == [step])
      let note = store.model.entity(named: "Note")!
      #expect(try store.count(FetchRequest(note)) == 3)
      #expect(try store.rehearseMigration(to: try notes(by: name), stages: [], migrate: nil).steps == [])
      store.close()
    }

    // An entity comes, distributed or not; the others stay where they are. Then a table is rewritten.
    var line = EntityDescription("Line", properties: [.attribute(Attribute("tenant", .integer64))])
    line.userInfo = ["distributed": "tenant"]
    let country = EntityDescription("Country", properties: [.attribute(Attribute("name", .string))])
    let more = try migrated(path, to: try notes(by: "tenant", [line, country]))
    let all = [
      "country <none> PRIMARY KEY (_pk)", "line tenant PRIMARY KEY (_pk, tenant)",
      "note tenant PRIMARY KEY (_pk, tenant)",
    ]
    #expect(try places(more) == all)
    more.close()
    var size = Attribute("length", .integer64)
    (size.isOptional, size.defaultValue) = (false, .int(7))
    let rewritten = try migrated(path, to: try notes(by: "tenant", [line, country], extra: [.attribute(size)]))
    #expect(try places(rewritten) == all)
    let entity = rewritten.model.entity(named: "Note")!
    #expect(try rewritten.insert(entity, [.int(4), .null, .int(1)], key: nil) == 4)
    var request = FetchRequest(entity)
    request.predicate = try Predicate.parse("length == 7")
    #expect(try rewritten.keys(request) == [1, 2, 3])
  }

  @Test func aMigrationThatCannotSpreadRowsIsRefusedAndChangesNothing() throws {
    let first = try #require(try Conformance.citus.open(try notes(by: nil)) as? PostgresStore)
    let note = first.model.entity(named: "Note")!
    try first.insert(note, [.int(1), .null], key: nil)
    let nowhere = StoreError.Fact.notDistributable(entity: "Note", by: "planet", unique: [])
    let empty = StoreError.Fact.migrationRefused(["1 rows of note have no 'region' by which they could be distributed"])
    #expect(fact { _ = try migrated(first.path, to: try notes(by: "planet")) } == nowhere)
    #expect(fact { _ = try migrated(first.path, to: try notes(by: "region")) } == empty)
    #expect(try places(first) == ["note <none> PRIMARY KEY (_pk)"])
    #expect(try first.count(FetchRequest(note)) == 1)
  }

  @Test func aMigrationDoesNotSpreadRowsThatReferAcross() throws {
    let unique = ["tenant", "number"]
    let first = try #require(try Conformance.citus.open(try orders(unique, spread: false)) as? PostgresStore)
    let (order, line) = (first.model.entity(named: "Order")!, first.model.entity(named: "Line")!)
    let reference = first.layout(of: line).columns.map(\.name).first { $0.hasPrefix("order") }!
    func row(_ entity: Entity, _ values: [String: Value]) -> [Value] {
      first.layout(of: entity).columns.map { values[$0.name] ?? .null }
    }
    let key = try first.insert(order, row(order, ["tenant": .int(7), "number": .int(1)]), key: nil)
    let own = try first.insert(line, row(line, ["tenant": .int(8), reference: .int(key)]), key: nil)
    let refusal = "rows of line refer by \(reference) to rows that have another value to be distributed by"
    #expect(fact { _ = try migrated(first.path, to: try orders(unique)) } == .migrationRefused([refusal]))
    let tenant = first.layout(of: line).columns.firstIndex { $0.name == "tenant" }!
    #expect(try first.update(line, key: own, [(tenant, .int(7))]))
    let spread = try migrated(first.path, to: try orders(unique))
    #expect(try places(spread).contains("line tenant PRIMARY KEY (_pk, tenant)"))
  }

  @Test func aServerThatDefinesTablesOneByOneRefusesMigrations() throws {
    let first = try #require(try Conformance.dsql.open(try notes(by: nil)) as? PostgresStore)
    let extra = Property.attribute(Attribute("size", .integer64))
    let refusal = StoreError.Fact.lacking(
      server: "Aurora DSQL", feature: "transactions that change several tables")
    #expect(fact { _ = try migrated(first.path, to: try notes(by: nil, extra: [extra])) } == refusal)
  }

  @Test func whatCannotBeDistributedIsRefused() throws {
    let alone = StoreError.Fact.notDistributable(entity: "Order", by: "tenant", unique: ["number"])
    let nowhere = StoreError.Fact.notDistributable(entity: "Order", by: "region", unique: [])
    #expect(fact { _ = try Conformance.citus.open(try orders(["number"])) } == alone)
    #expect(fact { _ = try Conformance.citus.open(try orders(["tenant", "number"], by: "region")) } == nowhere)
    // Elsewhere the option says nothing.
    #expect(fact { _ = try Conformance.yugabyte.open(try orders(["number"])) } == nil)
  }
}

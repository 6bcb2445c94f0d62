import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct IntrospectionTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func open(_ sql: String) throws -> SQLiteStore {
    try SQLiteStore(StoreOptions(path: try folder.database("a.sqlite", sql)))
  }

  private func names(_ store: SQLiteStore, _ entity: String) -> [String]? {
    store.model.entity(named: entity)?.properties.map(\.name)
  }

  private func place(_ store: SQLiteStore, _ entity: String, _ property: String) throws -> PropertyLayout? {
    let entity = try #require(store.model.entity(named: entity))
    return store.layout(of: entity).properties[try #require(entity.index(of: property))]
  }

  @Test func aTableIsAnEntityAndAForeignKeyARelationship() throws {
    let store = try open(
      """
      CREATE TABLE airlines (carrier TEXT PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE airports (airport_id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE order_flights (
        id INTEGER PRIMARY KEY, carrier TEXT REFERENCES airlines,
        origin_id INTEGER NOT NULL REFERENCES airports(airport_id) ON DELETE CASCADE,
        destId INTEGER REFERENCES airports(airport_id) ON DELETE SET NULL);
      """)
    #expect(store.kind == .sqlite && store.notes.isEmpty)
    #expect(store.model.entities.map(\.name) == ["Airlines", "Airports", "OrderFlights"])
    #expect(names(store, "OrderFlights") == ["id", "carrier", "origin_id", "origin", "destId", "dest"])
    #expect(names(store, "Airlines") == ["carrier", "name", "orderFlights"])
    #expect(names(store, "Airports") == ["airport_id", "code", "originOrderFlights", "destOrderFlights"])
    #expect(try place(store, "OrderFlights", "carrier") == .reference([1], .columns(["carrier"])))
    #expect(try place(store, "OrderFlights", "origin") == .reference([2], .key))
    #expect(try place(store, "Airports", "destOrderFlights") == .inverse(5, order: nil))
    let flights = try #require(store.model.entity(named: "OrderFlights"))
    #expect(flights.property(named: "origin_id")?.isWritable == false)
    #expect(flights.property(named: "origin")?.relationship?.isOptional == false)
    // A model that is written out names both sides.
    #expect(flights.relationships.map(\.inverse) == ["orderFlights", "originOrderFlights", "destOrderFlights"])
    let airports = try #require(store.model.entity(named: "Airports"))
    #expect(airports.relationships.map(\.deleteRule) == [.cascade, .nullify])
    #expect(airports.relationships.map(\.inverse) == ["origin", "dest"])
    #expect(airports.uniqueAttribute?.name == "code")
    #expect(store.layout(of: airports).key == .rowID("airport_id"))
    #expect(store.layout(of: try #require(store.model.entity(named: "Airlines"))).key == .rowID("rowid"))
  }

  @Test func compositeKeysAreNamedAfterTheirTable() throws {
    let store = try open(
      """
      CREATE TABLE weather (origin TEXT, hour INTEGER, temp REAL, PRIMARY KEY (origin, hour)) WITHOUT ROWID;
      CREATE TABLE flights (
        id INTEGER PRIMARY KEY, origin TEXT, time_hour INTEGER,
        FOREIGN KEY (origin, time_hour) REFERENCES weather (origin, hour));
      """)
    #expect(names(store, "Flights") == ["id", "origin", "time_hour", "weather"])
    #expect(try place(store, "Flights", "weather") == .reference([1, 2], .columns(["origin", "hour"])))
    let weather = try #require(store.model.entity(named: "Weather"))
    #expect(store.layout(of: weather).key == .columns(["origin", "hour"]))
    #expect(store.layout(of: weather).primaryKey == [0, 1])
    #expect(weather.uniquenessConstraints == [["origin", "hour"]])
  }

  @Test func aTableMayReferToItself() throws {
    let store = try open(
      "CREATE TABLE employees (id INTEGER PRIMARY KEY, name TEXT, manager_id INTEGER REFERENCES employees)")
    #expect(names(store, "Employees") == ["id", "name", "manager_id", "manager", "employees"])
    #expect(try place(store, "Employees", "employees") == .inverse(3, order: nil))
  }

  @Test func twoKeysAndNothingElseAreAManyToMany() throws {
    let store = try open(
      """
      CREATE TABLE song (id INTEGER PRIMARY KEY);
      CREATE TABLE tag (name TEXT PRIMARY KEY);
      CREATE TABLE song_tag (song_id INTEGER REFERENCES song, tag TEXT REFERENCES tag(name));
      CREATE TABLE follows (follower_id INTEGER REFERENCES song, followee_id INTEGER REFERENCES song,
        PRIMARY KEY (follower_id, followee_id)) WITHOUT ROWID;
      CREATE TABLE rating (song_id INTEGER REFERENCES song, tag TEXT REFERENCES tag, stars INTEGER);
      """)
    #expect(store.model.entities.map(\.name) == ["Song", "Tag", "Rating"])
    #expect(names(store, "Song") == ["id", "ratings", "tags", "followees", "followers"])
    let join = JoinLayout(
      table: "song_tag", ownerColumns: ["tag"], ownerTarget: .columns(["name"]), memberColumns: ["song_id"],
      memberTarget: .key)
    #expect(try place(store, "Tag", "songs") == .join(join))
    let own = JoinLayout(
      table: "follows", ownerColumns: ["follower_id"], ownerTarget: .key, memberColumns: ["followee_id"],
      memberTarget: .key)
    #expect(try place(store, "Song", "followees") == .join(own))
    #expect(store.model.entity(named: "Song")?.property(named: "followees")?.relationship?.inverse == "followers")
  }

  @Test func keysThatLeadNowhereStayColumns() throws {
    let store = try open(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, gone_id INTEGER REFERENCES gone, b_id INTEGER REFERENCES b(nope),
        c_id REFERENCES c);
      CREATE TABLE b (x);
      CREATE TABLE c (x);
      """)
    #expect(names(store, "A") == ["id", "gone_id", "b_id", "c_id"])
    #expect(store.notes.count == 3)
  }

  @Test func strangeNamesAreKept() throws {
    let store = try open(
      """
      CREATE TABLE "sélect 'from' ""x"" " ("a b" TEXT, "Größe" REAL, "1st" INTEGER, "order" TEXT, "" TEXT);
      CREATE TABLE order_items (a);
      CREATE TABLE OrderItems (a);
      CREATE TABLE "2020" (a);
      CREATE TABLE "!!" (a);
      """)
    let entity = try #require(store.model.entities.first)
    #expect(entity.properties.map(\.name) == ["a b", "Größe", "1st", "order", "column"])
    #expect(store.layout(of: entity).table == "sélect 'from' \"x\" ")
    #expect(store.layout(of: entity).columns.map(\.name) == ["a b", "Größe", "1st", "order", ""])
    #expect(store.model.entities.dropFirst().map(\.name) == ["OrderItems", "OrderItems2", "_2020", "Entity"])
  }

  @Test func clashingRelationshipsGetNumbers() throws {
    let store = try open(
      """
      CREATE TABLE airline (id INTEGER PRIMARY KEY, flights TEXT);
      CREATE TABLE flight (airline TEXT, airline_id INTEGER REFERENCES airline);
      """)
    #expect(names(store, "Flight") == ["airline", "airline_id", "airline2"])
    #expect(names(store, "Airline") == ["id", "flights", "flights2"])
  }

  @Test func declaredTypesGiveAttributeTypes() throws {
    let store = try open(
      """
      CREATE TABLE t (i INT, big BIGINT, v VARCHAR(20), s STRING, r FLOAT, b BLOB, flag BOOLEAN, n, d DATE, u DATETIME,
        price DECIMAL(10, 2), j JSON, x GEOMETRY);
      INSERT INTO t (d, u, price) VALUES (NULL, NULL, 5), ('2024-01-22', 1705940779, 5.5);
      CREATE TABLE s (a INT, b ANY, c TEXT) STRICT;
      CREATE VIEW w AS SELECT i, i + 1 AS sum FROM t;
      """)
    let types = store.model.entities[0].attributes.map(\.type)
    #expect(
      types == [
        .integer64, .integer64, .string, .string, .double, .data, .boolean, .any, .date, .date, .double, .string, .any,
      ])
    #expect(store.model.entity(named: "S")?.attributes.map(\.type) == [.integer64, .any, .string])
    #expect(store.model.entity(named: "W")?.attributes.map(\.type) == [.integer64, .any])
  }

  @Test func defaultsThatAreLiteralsAreThoseOfNewObjects() throws {
    let store = try open(
      """
      CREATE TABLE t (a INTEGER NOT NULL DEFAULT 5, b TEXT DEFAULT 'it''s', c REAL DEFAULT (-1.5), d BOOLEAN DEFAULT TRUE,
        e TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, f INTEGER NOT NULL DEFAULT '', g TEXT DEFAULT ('x' || 'y'), h TEXT NOT NULL)
      """)
    let entity = store.model.entities[0]
    #expect(
      entity.attributes.map(\.defaultValue) == [
        .int(5), .string("it's"), .double(-1.5), .bool(true), .null, .null, .null, .null,
      ])
    #expect(entity.attributes.map(\.isOptional) == [false, true, true, true, true, true, true, false])
    #expect(
      store.layout(of: entity).columns.map(\.hasStoreDefault) == [false, false, false, false, true, true, true, false])
  }

  @Test func viewsAndVirtualTablesAreReadOnly() throws {
    let store = try open(
      """
      CREATE TABLE t (a, b);
      CREATE VIEW v AS SELECT a, count(*) AS n FROM t GROUP BY a;
      CREATE VIEW broken AS SELECT nope FROM t;
      CREATE VIEW quoted AS SELECT a FROM t WHERE b = "text";
      CREATE VIRTUAL TABLE notes USING fts5(title, body);
      CREATE VIRTUAL TABLE boxes USING rtree(id, minX, maxX);
      """)
    #expect(store.model.entities.map(\.name) == ["T", "V", "Quoted", "Notes", "Boxes"])
    #expect(store.model.entities.map(\.isReadOnly) == [false, true, true, true, true])
    #expect(store.layout(of: store.model.entities[1]).key == .columns(["a", "n"]))
    #expect(store.layout(of: store.model.entities[3]).key == .rowID("rowid"))
    #expect(names(store, "Notes") == ["title", "body"])
    #expect(store.notes == ["The view broken is left out: no such column: nope."])
  }

  @Test func virtualTablesOfUnknownModulesAreLeftOut() throws {
    let store = try open(
      """
      CREATE TABLE t (a); PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING nosuch(a)');
      """)
    #expect(store.model.entities.map(\.name) == ["T"])
    #expect(store.notes == ["The virtual table v is left out: no such module: nosuch."])
  }

  @Test func rowsAreIdentifiedHoweverTheRowIDIsHidden() throws {
    let store = try open(
      """
      CREATE TABLE a (rowid TEXT, x);
      CREATE TABLE b (rowid TEXT, _rowid_ TEXT, oid TEXT PRIMARY KEY);
      CREATE TABLE c (rowid TEXT, _rowid_ TEXT, oid TEXT);
      CREATE TABLE d (id INTEGER PRIMARY KEY DESC);
      CREATE TABLE e (id INT PRIMARY KEY);
      CREATE TABLE f (id INTEGER PRIMARY KEY AUTOINCREMENT);
      """)
    let keys = store.model.entities.map { store.layout(of: $0).key }
    #expect(
      keys == [
        .rowID("_rowid_"), .columns(["oid"]), .columns(["rowid", "_rowid_", "oid"]), .rowID("rowid"), .rowID("rowid"),
        .rowID("id"),
      ])
    #expect(store.model.entities.map(\.isReadOnly) == [false, false, true, false, false, false])
    #expect(store.model.entities[5].attributes[0].isOptional)
  }

  @Test func generatedColumnsCannotBeWritten() throws {
    let store = try open(
      "CREATE TABLE t (a INTEGER, b INTEGER AS (a * 2) STORED NOT NULL, c INTEGER AS (a * 3) VIRTUAL)")
    let entity = store.model.entities[0]
    #expect(entity.attributes.map(\.isWritable) == [true, false, false])
    #expect(store.layout(of: entity).columns.map(\.isWritable) == [true, false, false])
  }

  @Test func indexesOverPropertiesAreTheModels() throws {
    let store = try open(
      """
      CREATE TABLE t (a INTEGER PRIMARY KEY, b, c, d, UNIQUE (b, c));
      CREATE INDEX i ON t (d);
      CREATE INDEX j ON t (c, d);
      CREATE UNIQUE INDEX k ON t (c) WHERE b IS NULL;
      CREATE UNIQUE INDEX l ON t (lower(d));
      """)
    let entity = store.model.entities[0]
    #expect(entity.uniquenessConstraints == [["b", "c"]])
    #expect(entity.description.indexes == [["c", "d"]])
    #expect(entity.attributes.map(\.isIndexed) == [false, false, false, true])
    #expect(entity.attributes.map(\.isUnique) == [false, false, false, false])
  }

  @Test func tablesOfSQLitesOwnAreHidden() throws {
    let store = try open("CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT, b); CREATE INDEX i ON t(b); ANALYZE")
    #expect(store.model.entities.map(\.name) == ["T"])
  }
}

// MARK: A model beside the file

extension IntrospectionTests {
  private func open(_ sql: String, with model: Model) throws -> SQLiteStore {
    var options = StoreOptions(path: try folder.database("b.sqlite", sql))
    options.model = model
    return try SQLiteStore(options)
  }

  private static let flights = """
    CREATE TABLE airlines (carrier TEXT PRIMARY KEY, name TEXT);
    CREATE TABLE flights (id INTEGER PRIMARY KEY, carrier TEXT, time_hour INTEGER, plane_id INTEGER REFERENCES planes);
    CREATE TABLE planes (id INTEGER PRIMARY KEY, x);
    CREATE TABLE tags (flight_id INTEGER REFERENCES flights, plane_id INTEGER REFERENCES planes);
    """

  @Test func aModelBesideTheFileGivesNamesAndTypes() throws {
    var hour = Attribute("hour", .date)
    hour.renamingIdentifier = "time_hour"
    var airline = Relationship(toOne: "airline", "Airline", inverse: "flights")
    airline.renamingIdentifier = "carrier"
    var flight = EntityDescription(
      "Flight",
      properties: [
        .attribute(hour), .relationship(airline), .relationship(Relationship(toOne: "plane", "Plane")),
        .relationship(Relationship(toMany: "tagged", "Plane")),
      ])
    flight.renamingIdentifier = "flights"
    var carrier = EntityDescription(
      "Airline",
      properties: [.attribute(Attribute("name", .string)), .relationship(Relationship(toMany: "flights", "Flight"))])
    carrier.renamingIdentifier = "airlines"
    var plane = EntityDescription("Plane")
    plane.renamingIdentifier = "planes"
    let model = try Model([flight, carrier, plane])
    let store = try open(Self.flights, with: model)
    #expect(store.model === model && store.kind == .sqlite)
    let layout = store.layout(of: model.entities[0])
    #expect(layout.table == "flights" && layout.key == .rowID("id"))
    #expect(
      Array(layout.properties.prefix(3)) == [.column(2), .reference([1], .columns(["carrier"])), .reference([3], .key)])
    #expect(layout.columns[2].type == .date)
    guard case .join(let join) = layout.properties[3] else { throw CommandFailure(output: "no join") }
    #expect(join.table == "tags" && join.ownerColumns == ["flight_id"])
    #expect(store.layout(of: model.entities[1]).properties == [.column(1), .inverse(1, order: nil)])
  }

  @Test func whatTheFileDoesNotHaveIsListed() throws {
    let model = try Model([
      EntityDescription(
        "Flights",
        properties: [
          .attribute(Attribute("carier", .string)), .relationship(Relationship(toOne: "pilot", "Planes")),
          .relationship(Relationship(toMany: "legs", "Airlines")),
        ]), EntityDescription("Planes"), EntityDescription("Airlines"), EntityDescription("Airport"),
    ])
    let failure = fact { try open(Self.flights, with: model) }
    #expect(
      failure
        == .modelMismatch([
          "Airport: there is no table for it",
          "Flights.carier: the table flights has no column for it; the nearest is carrier",
          "Flights.pilot: the table flights has no foreign key for it",
          "Flights.legs: there is neither an inverse nor a table of pairs for it",
        ]))
  }
}

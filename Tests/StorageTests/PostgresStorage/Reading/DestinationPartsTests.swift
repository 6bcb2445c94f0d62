import Modeling
import PostgresStorage
import Queries
import Stores
import TestSupport
import Testing

/// Parts of predicates that depend on a to-one alone are decided once for each destination.
@Suite struct DestinationPartsTests {
  /// Two thousand quakes of forty stations, some without one; some names are missing.
  private static func makeStore() throws -> PostgresStore {
    let server = try PostgresServer.shared.get()
    return try server.open(
      try server.makeDatabase(for: "destinations"),
      after: """
        CREATE TABLE region (id serial PRIMARY KEY, title text);
        INSERT INTO region (title) VALUES ('Ålesund'), ('east'), (NULL);
        CREATE TABLE station (id serial PRIMARY KEY, name text, code text, region_id int REFERENCES region);
        INSERT INTO station (name, code, region_id)
        SELECT CASE WHEN n % 7 > 0 THEN chr(96 + n % 26) || CASE WHEN n % 2 = 0 THEN 'É' ELSE 'e' END END,
          CASE WHEN n % 3 > 0 THEN upper(chr(96 + n % 26)) || 'e' END, nullif(n % 4, 0)
        FROM generate_series(1, 40) AS n;
        CREATE TABLE quake (id serial PRIMARY KEY, depth int, station_id int REFERENCES station);
        INSERT INTO quake (depth, station_id)
        SELECT n % 50, CASE WHEN n % 11 > 0 THEN 1 + n % 40 END FROM generate_series(1, 2000) AS n;
        ANALYZE
        """)
  }

  private static func rows(of name: String, _ store: PostgresStore) throws -> [KeptRowValues] {
    let entity = store.model.entity(named: name)!
    let cursor = try store.cursor(FetchRequest(entity), keysOnly: false)
    var rows: [KeptRowValues] = []
    while try cursor.step() { rows.append(KeptRowValues(cursor, store.layout(of: entity), entity)) }
    return rows
  }

  private static func byKey(_ rows: [KeptRowValues]) -> [Int64: KeptRowValues] {
    Dictionary(uniqueKeysWithValues: rows.map { ($0.objectID.key, $0) })
  }

  @Test func theyAreTrueForTheSameRowsAsInMemory() throws {
    let store = try Self.makeStore()
    let regions = Self.byKey(try Self.rows(of: "Region", store))
    var stations = try Self.rows(of: "Station", store)
    for index in stations.indices { stations[index].destinations = regions }
    var quakes = try Self.rows(of: "Quake", store)
    let known = Self.byKey(stations)
    for index in quakes.indices { quakes[index].destinations = known }
    let entity = store.model.entity(named: "Quake")!
    for text in [
      "station.name MATCHES '.*É'", "NOT (station.name CONTAINS[cd] 'é')", "NOT (station.name MATCHES '.*e')",
      "station.region.title LIKE[cd] 'a*' OR depth < 2", "station.name == nil OR station.name MATCHES '.*e'",
      "station.name !=[cd] station.code AND depth > 40", "depth > 3 AND station.name MATCHES '.*e' AND depth < 30",
      "NOT (depth > 3 AND station.name MATCHES 'zz')", "station.name MATCHES '.*e' OR station.code MATCHES 'A.'",
      "station.name MATCHES 'nothing'", "station.name MATCHES '.*' AND station.region.title MATCHES '.*t'",
      "depth == 3 AND station.name ENDSWITH[cd] station.code",
    ] {
      var request = FetchRequest(entity)
      request.predicate = try Queries.Predicate.parse(text)
      let compiled = try CompiledPredicate(request.predicate!, entity: entity)
      let expected = try quakes.filter { try compiled.evaluate($0) == true }.map(\.objectID.key).sorted()
      #expect(try store.keys(request).sorted() == expected, "\(text)")
      #expect(try store.count(request) == expected.count, "\(text)")
    }
  }

  @Test func theExplanationNamesThem() throws {
    let store = try Self.makeStore()
    func words(_ text: String) throws -> [String] {
      var request = FetchRequest(store.model.entity(named: "Quake")!)
      request.predicate = try Queries.Predicate.parse(text)
      return try store.plans.explain(request).words.map(\.text)
    }
    let apart = "decided here, once for each object to which the to-one leads: station.name MATCHES \".*e\""
    let found = try words("station.name MATCHES '.*e' AND depth > 3")
    #expect(found.contains(apart) && found.contains("PostgreSQL decides depth > 3"))
    // A few rows are decided one by one.
    #expect(try !words("station.name MATCHES '.*e' AND depth == 3").contains(apart))
  }
}

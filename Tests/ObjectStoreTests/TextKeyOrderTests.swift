import LiveQueries
import Modeling
import ObjectGraph
import Postgres
import PostgresStorage
import Queries
import Stores
import TestSupport
import Testing

/// Objects whose keys are no integers have numbers in the order in which they were met, which no request asks for.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct TextKeyOrderTests {
  private let store: PostgresStore
  private let visit: Entity
  init() throws {
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase(for: "order")
    try server.psql(
      database,
      """
      CREATE TABLE team (code text PRIMARY KEY);
      CREATE TABLE room (wing text, number int, PRIMARY KEY (wing, number));
      CREATE TABLE visit (id int PRIMARY KEY, team text REFERENCES team, wing text, number int,
        FOREIGN KEY (wing, number) REFERENCES room);
      INSERT INTO team VALUES ('c'), ('a'), ('b'), ('é'), ('B');
      INSERT INTO room VALUES ('b', 1), ('a', 10), ('a', 9);
      INSERT INTO visit VALUES (1, 'b', 'a', 10), (2, 'c', 'b', 1), (3, 'a', NULL, NULL), (4, NULL, 'a', 9), (5, 'B', 'a', 10),
        (6, 'é', 'b', 1);
      """)
    store = try PostgresStore(PostgresOptions(try PostgresAddress(server.address(of: database))))
    visit = store.model.entity(named: "Visit")!
  }

  private func name(_ value: Value) -> String {
    guard case .object(let id) = value else { return "-" }
    return store.keyValues(of: id.entity, key: id.key).map(\.displayText).joined(separator: " ")
  }

  private func groups(by name: String) throws -> FetchRequest {
    var request = FetchRequest(visit)
    request.resultType = .dictionaries
    request.propertiesToGroupBy = [.path(PropertyPath([name]))]
    request.propertiesToFetch = [
      FetchedColumn(name, .path(PropertyPath([name]))), try FetchedColumn("n", parsing: "count"),
    ]
    return request
  }

  private func fetched(_ request: FetchRequest) throws -> [String] {
    let rows = try store.dictionaries(request, tiesByKey: false)
    var names: [String] = []
    while try rows.step() { names.append(name(rows.value(0))) }
    return names
  }

  @Test(arguments: [("team", ["-", "B", "a", "b", "c", "é"]), ("room", ["-", "a 9", "a 10", "b 1"])])
  func groupsByAToOneAreInTheOrderOfItsKeys(_ name: String, _ expected: [String]) throws {
    var request = try groups(by: name)
    #expect(try fetched(request) == expected)
    request.sortDescriptors = [Queries.SortDescriptor(.path(PropertyPath([name])))]
    #expect(try fetched(request) == expected)
    request.sortDescriptors = [Queries.SortDescriptor(.path(PropertyPath([name])), ascending: false)]
    #expect(try fetched(request) == expected.reversed())

    // The same where unsaved changes are among them.
    request.sortDescriptors = []
    let context = ObjectContext(store: store)
    _ = try context.insert(visit)
    let rows = try #require(try context.groupsWithUnsavedChanges(of: request))
    #expect(rows.map { self.name($0[0]) } == expected)
  }

  @Test func rowsThatTheOrderLeavesEqualAreInTheOrderOfTheirKeys() throws {
    var request = FetchRequest(store.model.entity(named: "Team")!)
    func codes() throws -> [String] {
      try store.keys(request).map { store.keyValues(of: request.entity, key: $0)[0].displayText }
    }
    // Met in another order before.
    #expect(try fetched(try groups(by: "team")).count == 6)
    request.predicate = try Queries.Predicate.parse("code MATCHES '.*'")
    request.sortDescriptors = [Queries.SortDescriptor(try Queries.Expression.parse("length(code)"))]
    #expect(try codes() == ["B", "a", "b", "c", "é"])
    request.sortDescriptors = []
    request.fetchLimit = 2
    #expect(try codes() == ["B", "a"])
  }
}

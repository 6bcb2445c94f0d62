import Postgres
import PostgresTestSupport
import StoreErrors
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "there is no PostgreSQL server on this system"))
struct ServerProfileTests {
  private func connect(_ profile: ServerProfile, _ test: String = #function) throws -> (StrictProxy, PostgresConnection)
  {
    let database = try TestDatabase(test)
    let proxy = try StrictProxy(database.server, as: profile)
    return (proxy, try PostgresConnection(PostgresAddress(proxy.address(of: database.name))) { false })
  }

  @Test func postgresLacksNothing() throws {
    let profile = try ServerProfile(TestDatabase().connect())
    #expect(profile.engine == .postgres && !profile.isPooled && profile.lacking.isEmpty && !profile.expectsRetries)
    #expect(profile.version.hasPrefix("PostgreSQL ") && profile.extensionVersion == nil)
  }

  @Test(arguments: ServerProfile.Engine.allCases) func anEngineIsKnownByWhatItSays(engine: ServerProfile.Engine) throws
  {
    let (proxy, connection) = try connect(ServerProfile(engine: engine))
    let profile = try ServerProfile(connection)
    #expect(profile.engine == engine && !profile.isPooled && (profile.extensionVersion != nil) == (engine == .citus))
    #expect(engine == .postgres || !profile.lacking.isEmpty)
    #expect(proxy.tally.refusals == 0)
  }

  @Test func aPoolIsKnownByTheSessionThatItMakesUp() throws {
    let (proxy, connection) = try connect(ServerProfile(engine: .postgres, isPooled: true))
    let profile = try ServerProfile(connection)
    #expect(profile.isPooled && !profile.has(.preparedStatements) && !profile.has(.notifications))
    #expect(profile.has(.savepoints))
    // What needs the session is gone with the transaction.
    try connection.run("SET search_path = nowhere")
    #expect(try connection.run("SHOW search_path").text(0, 0) != "nowhere")
    connection.preparesStatements = false
    #expect(proxy.tally.refusals == 0)
    for number in 0..<4 { #expect(try connection.run("SELECT $1", [.int(Int64(number))]).int(0, 0) == Int64(number)) }
    proxy.stop()
  }

  @Test func whatAPoolForgetsIsSentAgain() throws {
    let (proxy, connection) = try connect(ServerProfile(engine: .postgres, isPooled: true))
    #expect(proxy.tally.refusals == 0)
    for number in 0..<6 { #expect(try connection.run("SELECT $1", [.int(Int64(number))]).int(0, 0) == Int64(number)) }
    proxy.stop()
  }

  @Test(arguments: [
    (ServerProfile.Engine.citus, "CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f()", "0A000"),
    (.yugabyte, "SELECT xmin FROM t", "0A000"), (.yugabyte, "LISTEN x", "0A000"),
    (.cockroach, "SELECT t.xmin FROM t", "42703"), (.cockroach, "NOTIFY x", "0A000"),
    (.cockroach, "CREATE TEMP TABLE x (a int)", "0A000"),
    (.cockroach, "ALTER TABLE t ADD UNIQUE (a) DEFERRABLE", "0A000"),
    (.cockroach, "COPY t TO STDOUT (FORMAT binary)", "0A000"), (.dsql, "SAVEPOINT a", "0A000"),
    (.dsql, "CREATE TABLE x (a serial)", "0A000"), (.dsql, "CREATE TABLE x (a int REFERENCES t)", "0A000"),
    (.dsql, "SELECT pg_advisory_lock(1)", "42883"),
  ]) func whatAnEngineLacksIsRefusedAsTheEngineDoes(engine: ServerProfile.Engine, sql: String, state: String) throws {
    let (proxy, connection) = try connect(ServerProfile(engine: engine))
    try connection.run("CREATE TABLE t (a int PRIMARY KEY)")
    try connection.run("BEGIN")
    let attempts: [() throws -> Void] = [
      { try connection.run(sql) }, { try connection.script(sql) },
      { try connection.pipeline([("SELECT 1", []), (sql, []), ("SELECT 2", [])]) },
      { _ = try connection.stream(sql).step() },
    ]
    for attempt in attempts {
      let error = #expect(throws: StoreError.self) { try attempt() }
      guard case .server(let server) = error?.fact else { return #expect(Bool(false), "\(String(describing: error))") }
      #expect(server.sqlState == state)
      #expect(connection.transactionStatus == .inError)
      try connection.run("ROLLBACK")
      try connection.run("BEGIN")
    }
    try connection.run("ROLLBACK")
    #expect(proxy.tally.refusals == attempts.count)
    // Words in quotations ask for nothing.
    #expect(try connection.run("SELECT 'xmin LISTEN' -- CREATE TRIGGER SAVEPOINT serial").text(0, 0) == "xmin LISTEN")
  }

  @Test(arguments: ServerProfile.Engine.allCases)
  func theCatalogIsReadWithoutWhatAnEngineLacks(engine: ServerProfile.Engine) throws {
    let (proxy, connection) = try connect(ServerProfile(engine: engine, isPooled: true))
    try connection.script("CREATE TABLE t (a int PRIMARY KEY, b text UNIQUE)")
    for _ in 0..<3 { #expect(try PostgresCatalog(connection).table("t")?.uniqueKeys.map(\.columns) == [["b"]]) }
    #expect(proxy.tally.refusals == 0)
  }
}

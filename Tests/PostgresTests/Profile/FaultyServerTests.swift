import Postgres
import PostgresTestSupport
import StoreErrors
import TestSupport
import Testing

/// A server far away fails as servers do, and no fact is lost or made up on the way.
@Suite(.enabled(if: PostgresServer.isInstalled, "there is no PostgreSQL server on this system"))
struct FaultyServerTests {
  typealias Statement = (sql: String, arguments: [PostgresArgument])

  /// Adds 1 to a counter in a transaction, in one of the ways in which statements are sent.
  private func add(_ connection: PostgresConnection, _ way: Int) throws {
    let update = "UPDATE counter SET value = value + $1 WHERE id = $2"
    let arguments: [PostgresArgument] = [.int(1), .int(1)]
    switch way {
    case 0:
      try connection.run("BEGIN")
      try connection.run(update, arguments)
      try connection.run("COMMIT")
    case 1: try connection.pipeline([("BEGIN", []), (update, arguments), ("COMMIT", [])])
    case 2: try connection.pipeline([(update, arguments)])
    case 3: try connection.script("UPDATE counter SET value = value + 1 WHERE id = 1")
    default:
      let rows = try connection.stream(update + " RETURNING value", arguments)
      while try rows.step() {}
    }
  }

  @Test(.seeded) func failuresOfTransactionsAreToldAndLeaveNothingBehind() throws {
    let database = try TestDatabase()
    try database.connect().script("CREATE TABLE counter (id int, value int); INSERT INTO counter VALUES (1, 0)")
    var random = SplitMix(seed: 31)
    var faults = StrictProxy.Faults(random: SplitMix(seed: 32))
    faults.serializationFailures = 4
    faults.mostDelay = 0.001
    let proxy = try StrictProxy(database.server, as: ServerProfile(engine: .postgres), faults: faults)
    let connection = try PostgresConnection(PostgresAddress(proxy.address(of: database.name))) { false }
    var (done, failed) = (0, 0)
    for _ in 0..<Effort.rounds(200) {
      do {
        try add(connection, random.below(5))
        done += 1
      } catch let error as StoreError {
        guard case .server(let server) = error.fact, server.sqlState == "40001" else { throw error }
        failed += 1
        if connection.transactionStatus != .idle { try connection.run("ROLLBACK") }
      }
      #expect(connection.transactionStatus == .idle && !connection.isBusy && !connection.isBroken)
    }
    #expect(failed > 20 && done > 20 && proxy.tally.serializationFailures == failed)
    #expect(try database.connect().run("SELECT value FROM counter").int(0, 0) == Int64(done))
  }

  @Test(.seeded) func aConnectionThatEndsIsLostAndWhatWasNotDoneIsNotThere() throws {
    let database = try TestDatabase()
    try database.connect().script("CREATE TABLE counter (id int, value int); INSERT INTO counter VALUES (1, 0)")
    var random = SplitMix(seed: 33)
    var faults = StrictProxy.Faults(random: SplitMix(seed: 34))
    (faults.cuts, faults.terminations) = (10, 15)
    let proxy = try StrictProxy(database.server, as: ServerProfile(engine: .postgres), faults: faults)
    func connect() throws -> PostgresConnection {
      try PostgresConnection(PostgresAddress(proxy.address(of: database.name))) { false }
    }
    var connection = try connect()
    var (done, unknown) = (0, 0)
    for _ in 0..<Effort.rounds(150) {
      do {
        try add(connection, random.below(5))
        done += 1
      } catch let error as StoreError {
        guard case .connectionLost = error.fact else { throw error }
        #expect(connection.isBroken)
        unknown += 1
        connection = try connect()
      }
    }
    proxy.set(nil)
    let value = Int(try database.connect().run("SELECT value FROM counter").int(0, 0))
    #expect(value >= done && value <= done + unknown && unknown > 5)
    #expect(proxy.tally.cuts + proxy.tally.terminations == unknown)
  }

  @Test(.seeded) func rowsWithWrongBytesEndNothing() throws {
    let database = try TestDatabase()
    try database.connect().script(
      """
      CREATE TABLE t AS SELECT n AS a, 'text ' || n AS b, n / 3.0 AS c, now() AS d, ARRAY[n, NULL, 3] AS e,
        interval '1 day' * n AS f, '{"a": 1}'::jsonb AS g FROM generate_series(1, 40) n
      """)
    var faults = StrictProxy.Faults(random: SplitMix(seed: 35))
    faults.corruptions = 3
    let proxy = try StrictProxy(database.server, as: ServerProfile(engine: .postgres), faults: faults)
    func connect() throws -> PostgresConnection {
      try PostgresConnection(PostgresAddress(proxy.address(of: database.name))) { false }
    }
    var connection = try connect()
    var (count, failures) = (0, 0)
    for round in 0..<Effort.rounds(60) {
      do {
        if round.isMultiple(of: 2) {
          let rows = try connection.stream("SELECT * FROM t")
          while try rows.step() { for column in 0..<8 { count += rows.text(column).utf8.count } }
        } else {
          let rows = try connection.copyOut(
            "COPY t TO STDOUT (FORMAT binary)", types: [23, 25, 1700, 1184, 1007, 1186, 3802])
          while try rows.step() { for column in 0..<8 { count += rows.text(column).utf8.count } }
        }
      } catch {
        failures += 1
      }
      if connection.isBroken { connection = try connect() }
      #expect(!connection.isBusy)
    }
    #expect(count > 0 && failures > 0)
    proxy.set(nil)
    #expect(try connect().run("SELECT count(*) FROM t").int(0, 0) == 40)
  }
}

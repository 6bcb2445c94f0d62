import Postgres
import PostgresStorage
import StorageTestSupport
import StoreErrors
import Stores
import TestSupport
import Testing

/// Handwritten SQL cannot break the promises of the store: of reading only, of a dry run, of the sandbox.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct HeldTransactionTests {
  private let server: PostgresServer
  private let database: String
  init() throws {
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "held")
    try server.psql(database, "CREATE TABLE note (id int PRIMARY KEY, text text); INSERT INTO note VALUES (1, 'a')")
  }

  private static let write = "INSERT INTO note VALUES (2, 'b')"

  static let ways = [
    write, "COMMIT; \(write)", "ROLLBACK; \(write)", "END; \(write); BEGIN", "ABORT; \(write)",
    "ROLLBACK AND CHAIN; SET TRANSACTION READ WRITE; \(write); COMMIT", "BEGIN READ WRITE; \(write); COMMIT",
    "START TRANSACTION READ WRITE; \(write); COMMIT", "SET TRANSACTION READ WRITE; \(write)",
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE; \(write)",
    "SET default_transaction_read_only = off; \(write)", "RESET ALL; \(write)",
    "SELECT set_config('transaction_read_only', 'off', false); \(write)",
    "PREPARE w AS \(write); COMMIT; EXECUTE w", "PREPARE w AS \(write); EXECUTE w",
    "/* /* */ select */ COMMIT; /* /* */ select */ \(write)", "--\u{B}select\n COMMIT; \(write)",
    "DO $$ BEGIN COMMIT; \(write); END $$", "DO $$ BEGIN SET TRANSACTION READ WRITE; \(write); END $$",
    "SELECT E'\\'; COMMIT; \(write); --'", "SELECT lo_create(77)", "PREPARE TRANSACTION 'x'", "CREATE TABLE t (a int)",
    "EXPLAIN ANALYZE \(write)", "WITH w AS (\(write) RETURNING id) SELECT id FROM w", "COPY note FROM PROGRAM 'echo 2'",
  ]

  private func state() throws -> String {
    try server.psql(
      database,
      """
      SELECT count(*), (SELECT count(*) FROM pg_largeobject_metadata),
        (SELECT count(*) FROM pg_tables WHERE schemaname = 'public') FROM note
      """)
  }

  @Test(arguments: ways) func nothingIsWrittenThroughAStoreThatIsOnlyRead(text: String) throws {
    let store = try server.open(database) { $0.isReadOnly = true }
    _ = try? store.sql(text, [])
    // Neither by the text nor by what it left behind.
    #expect(fact { _ = try store.sql(Self.write, []) } == .readOnly)
    #expect(try store.sql("SELECT count(*) FROM note", []).step())
    store.close()
    #expect(try state() == "1|0|1")
  }

  @Test(arguments: ways) func nothingStaysOfADryRun(text: String) throws {
    let store = try server.open(database) { $0.isRehearsal = true }
    _ = try? store.sql(text, [])
    _ = try? store.sql(Self.write, [])
    #expect(store.isDryRun)
    try store.endDryRun(keeping: false)
    store.close()
    #expect(try state() == "1|0|1")
  }

  @Test func aTransactionIsNotTheStatementsToEnd() throws {
    func refusal(_ store: PostgresStore, _ text: String) -> StoreError.Fact? { fact { _ = try store.sql(text, []) } }
    let read = try server.open(database) { $0.isReadOnly = true }
    #expect(refusal(read, "SELECT 1; COMMIT") == .transactionHeld("COMMIT", by: .readOnly))
    let tried = try server.open(database) { $0.isRehearsal = true }
    #expect(refusal(tried, "ROLLBACK") == .transactionHeld("ROLLBACK", by: .dryRun))
    let store = try server.open(database)
    try store.transaction { #expect(refusal(store, "COMMIT") == .transactionHeld("COMMIT", by: .store)) }
    // A part of it is.
    _ = try tried.sql("SAVEPOINT a; \(Self.write); ROLLBACK TO a; RELEASE a", [])
    // One that a person began is that person's, and no dry run takes it back.
    _ = try store.sql("BEGIN; \(Self.write)", [])
    #expect(fact { try store.beginDryRun() } == .openTransaction)
    _ = try store.sql("COMMIT", [])
    #expect(try state() == "2|0|1")
  }

  @Test func aDryRunWithAStatementThatFailedIsNotKeptWithoutAWord() throws {
    let store = try server.open(database) { $0.isRehearsal = true }
    _ = try store.sql(Self.write, [])
    #expect(throws: StoreError.self) { try store.sql("SELECT nothing", []) }
    #expect(throws: StoreError.self) { try store.endDryRun(keeping: true) }
    #expect(store.isDryRun)
    try store.endDryRun(keeping: false)
    #expect(try state() == "1|0|1" && !store.isDryRun)
  }

  @Test func settingsOfAReaderEndWithTheText() throws {
    let store = try server.open(database) { $0.isReadOnly = true }
    _ = try store.sql("SET search_path = pg_catalog; SELECT 1", [])
    let rows = try store.sql("SELECT count(*) FROM note WHERE id = ?", [.int(1)])
    #expect(try rows.step() && rows.value(0) == .int(1))
  }

  @Test(arguments: [
    "SELECT 1", "SELECT pg_read_file('/etc/passwd')", "COPY note TO PROGRAM 'cat'", "ALTER SYSTEM SET work_mem = '1MB'",
    "DROP TABLE note",
  ]) func aStoreThatIsConfinedRunsNoSQL(text: String) throws {
    let store = try server.open(database) { $0.isConfined = true }
    #expect(fact { _ = try store.sql(text, []) } == .refusedBySandbox(.server))
    #expect(try state() == "1|0|1")
  }
}

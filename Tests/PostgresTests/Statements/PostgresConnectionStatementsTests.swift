import Postgres
import StoreErrors
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "there is no PostgreSQL server on this system"))
struct PostgresConnectionStatementsTests {
  @Test func aStatementAnswersItsRows() throws {
    let connection = try TestDatabase().connect()
    let result = try connection.run("SELECT 1::int2, 2::int4, 3::int8, 4.5::float8, 'a'::text, NULL, true")
    #expect(result.rowCount == 1 && result.columnCount == 7)
    #expect((0..<3).map { result.int(0, $0) } == [1, 2, 3])
    #expect(result.double(0, 3) == 4.5 && result.text(0, 4) == "a" && result.isNull(0, 5) && result.bool(0, 6))
    #expect(result.name(3) == "float8" && result.typeOID(3) == PostgresType.float8)
    #expect(connection.serverVersion >= 90_000)
  }

  @Test func theSameTextIsPreparedOnceForEachKindOfArguments() throws {
    let connection = try TestDatabase().connect()
    for number in 0..<5 {
      #expect(try connection.run("SELECT $1", [.int(Int64(number))]).int(0, 0) == Int64(number))
      #expect(try connection.run("SELECT $1", [.text("t\(number)")]).text(0, 0) == "t\(number)")
    }
    #expect(try connection.run("SELECT $1", [.null]).isNull(0, 0))
    let prepared = try connection.run("SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT $1'")
    #expect(prepared.int(0, 0) == 2)
  }

  @Test func aPreparedStatementFollowsTheTable() throws {
    let connection = try TestDatabase().connect()
    try connection.script("CREATE TABLE t (a int); INSERT INTO t VALUES (1)")
    for _ in 0..<3 { #expect(try connection.run("SELECT * FROM t").columnCount == 1) }
    try connection.script("ALTER TABLE t ADD b text")
    #expect(try connection.run("SELECT * FROM t").columnCount == 2)
    try connection.script("DEALLOCATE ALL")
    #expect(try connection.run("SELECT * FROM t").columnCount == 2)
  }

  @Test func changesOfTablesWithinATransactionDoNotEndIt() throws {
    let connection = try TestDatabase().connect()
    try connection.script("CREATE TABLE t (a int)")
    for _ in 0..<3 { #expect(try connection.run("SELECT * FROM t").columnCount == 1) }
    try connection.run("BEGIN")
    try connection.run("ALTER TABLE t ADD b text")
    #expect(try connection.run("SELECT * FROM t").columnCount == 2)
    try connection.pipeline([("ALTER TABLE t ADD c int", []), ("SELECT * FROM t", [])])
    try connection.run("DEALLOCATE ALL")
    #expect(try connection.run("SELECT * FROM t").columnCount == 3)
    try connection.run("COMMIT")
    for _ in 0..<3 { #expect(try connection.run("SELECT * FROM t").columnCount == 3) }
    let prepared = try connection.run("SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT * FROM t'")
    #expect(prepared.int(0, 0) == 1)
  }

  @Test func whatTheServerSaysBesidesIsKept() throws {
    let connection = try TestDatabase().connect()
    try connection.script("DO $$ BEGIN RAISE NOTICE 'first'; RAISE WARNING 'second'; END $$")
    #expect(connection.takeNotices().texts == ["NOTICE:  first", "WARNING:  second"])
    #expect(connection.takeNotices().texts.isEmpty)
    try connection.script("DO $$ BEGIN FOR n IN 1..150 LOOP RAISE NOTICE '%', n; END LOOP; END $$")
    let notices = connection.takeNotices()
    #expect(notices.texts.count == 100 && notices.omitted == 50)
  }

  @Test func moreTextsThanAreKeptAreTakenOffTheServer() throws {
    let connection = try TestDatabase().connect()
    for number in 0..<400 {
      for _ in 0..<2 { #expect(try connection.run("SELECT \(number)").int(0, 0) == Int64(number)) }
    }
    #expect(try connection.run("SELECT count(*) FROM pg_prepared_statements").int(0, 0) <= 257)
  }

  @Test func whatTheServerRefusesIsAFactWithItsParts() throws {
    let connection = try TestDatabase().connect()
    try connection.script("CREATE TABLE t (a int CONSTRAINT small CHECK (a < 10), b int UNIQUE)")
    let error = #expect(throws: StoreError.self) { try connection.run("INSERT INTO t VALUES ($1)", [.int(11)]) }
    guard case .server(let server) = error?.fact else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(server.sqlState == "23514" && server.constraint == "small" && server.table == "t")
    #expect(server.schema == "public" && server.statement == "INSERT INTO t VALUES ($1)")
    let typo = #expect(throws: StoreError.self) { try connection.run("SELECT 'ä', x FROM t") }
    guard case .server(let server) = typo?.fact else { return #expect(Bool(false), "\(String(describing: typo))") }
    #expect(server.sqlState == "42703" && server.position == 13 && server.offset == 13)
    #expect(try connection.run("SELECT 1").int(0, 0) == 1)
  }

  @Test func statementsTellHowManyRowsTheyChanged() throws {
    let connection = try TestDatabase().connect()
    #expect(try connection.run("CREATE TABLE t (a int)").affectedRows == 0)
    #expect(try connection.run("INSERT INTO t SELECT generate_series(1, 5)").affectedRows == 5)
    #expect(try connection.run("UPDATE t SET a = 0 WHERE a > 2").affectedRows == 3)
    #expect(try connection.run("DELETE FROM t RETURNING a").affectedRows == 5)
  }

  @Test func aScriptIsOneTransactionUnlessItSaysOtherwise() throws {
    let connection = try TestDatabase().connect()
    #expect(throws: StoreError.self) { try connection.script("CREATE TABLE t (a int); SELECT 1/0") }
    #expect(try connection.run("SELECT to_regclass('t')").isNull(0, 0))
    try connection.script("BEGIN")
    #expect(connection.transactionStatus == .inTransaction)
    #expect(throws: StoreError.self) { try connection.run("SELECT 1/0") }
    #expect(connection.transactionStatus == .inError)
    try connection.run("ROLLBACK")
    #expect(connection.transactionStatus == .idle)
  }

  @Test func textWithNULIsRefusedBeforeItIsSent() throws {
    let connection = try TestDatabase().connect()
    for argument in [PostgresArgument.text("a\0b"), .untyped("\0"), .texts(["a", "\0"]), .jsonb("\0")] {
      let error = #expect(throws: StoreError.self) { try connection.run("SELECT $1::text", [argument]) }
      #expect(error?.fact == .nulInText)
    }
    #expect(throws: StoreError.self) { try connection.run("SELECT 1\0") }
    #expect(try connection.run("SELECT $1", [.bytes([0, 1])]).bytes(0, 0).elementsEqual([0, 1]))
  }

  @Test func aCopyThatIsNoneIsRefusedAndEnded() throws {
    let connection = try TestDatabase().connect()
    try connection.script("CREATE TABLE t (a int); INSERT INTO t SELECT generate_series(1, 1000)")
    for sql in ["COPY t TO STDOUT", "COPY t FROM STDIN"] {
      #expect(throws: StoreError.self) { try connection.run(sql) }
      #expect(throws: StoreError.self) { try connection.script(sql) }
      #expect(throws: StoreError.self) { try connection.stream(sql) }
      #expect(try connection.run("SELECT count(*) FROM t").int(0, 0) == 1000)
    }
  }

  @Test func anEmptyStatementAnswersNothing() throws {
    let connection = try TestDatabase().connect()
    #expect(try connection.run("").rowCount == 0)
    #expect(try connection.run(" -- nothing").columnCount == 0)
  }
}

import Postgres
import StoreErrors
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "there is no PostgreSQL server on this system"))
struct PostgresConnectionPipelineTests {
  typealias Statement = (sql: String, arguments: [PostgresArgument])

  @Test func statementsThatAreSentTogetherAnswerInTheirOrder() throws {
    let connection = try TestDatabase().connect()
    try connection.run("CREATE TABLE t (a int8, b text)")
    var statements: [Statement] = [("BEGIN", [])]
    for number in 0..<500 {
      statements.append(("INSERT INTO t VALUES ($1, $2)", [.int(Int64(number)), .text("\(number)")]))
    }
    statements += [("SELECT count(*) FROM t", []), ("SELECT sum(a)::int8 FROM t", []), ("COMMIT", [])]
    let answers = try connection.pipeline(statements)
    #expect(answers.count == statements.count)
    #expect(answers[501].int(0, 0) == 500 && answers[502].int(0, 0) == 499 * 250)
    #expect(answers[1].affectedRows == 1 && connection.transactionStatus == .idle)
    #expect(try connection.run("SELECT count(*) FROM t WHERE a::text = b").int(0, 0) == 500)
    #expect(try connection.pipeline([]).isEmpty)
  }

  @Test(arguments: [0, 1, 2, 50, 99]) func theFirstFailureNamesItsPlaceAndEndsThemAll(place: Int) throws {
    let connection = try TestDatabase().connect()
    try connection.run("CREATE TABLE t (a int8 CHECK (a < 1000))")
    var statements: [Statement] = (0..<100).map { ("INSERT INTO t VALUES ($1)", [.int(Int64($0))]) }
    statements[place].arguments = [.int(1000)]
    let error = #expect(throws: StoreError.self) { try connection.pipeline(statements) }
    guard case .server(let server) = error?.fact else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(server.index == place && server.sqlState == "23514" && server.statement == statements[place].sql)
    // Without BEGIN they are one transaction.
    #expect(try connection.run("SELECT count(*) FROM t").int(0, 0) == 0)
    // What was prepared before, and what was not, can be sent again.
    statements[place].arguments = [.int(1)]
    #expect(try connection.pipeline(statements).count == 100)
    #expect(try connection.pipeline([("SELECT count(*) FROM t", [])])[0].int(0, 0) == 100)
  }

  @Test func aMistakeInTheTextOfOneIsNotPreparedForTheNext() throws {
    let connection = try TestDatabase().connect()
    for _ in 0..<3 {
      let statements: [Statement] = [("SELECT 1", []), ("SELECT nothing", []), ("SELECT 2", []), ("SELECT 2", [])]
      let error = #expect(throws: StoreError.self) { try connection.pipeline(statements) }
      guard case .server(let server) = error?.fact else { return #expect(Bool(false), "\(String(describing: error))") }
      #expect(server.index == 1 && server.sqlState == "42703")
      #expect(try connection.pipeline([("SELECT 2", [])])[0].int(0, 0) == 2)
    }
  }

  @Test func whatTheSessionHasForgottenIsSentAgainUnlessSomethingWasDone() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    try connection.run("CREATE TABLE t (a int8)")
    let insert: Statement = ("INSERT INTO t VALUES ($1)", [.int(1)])
    let whole: [Statement] = [("BEGIN", []), insert, insert, ("COMMIT", [])]
    for _ in 0..<3 { try connection.pipeline(whole) }
    // Behind the connection's back, within a function.
    let forget = "DO $$ BEGIN EXECUTE 'DEALLOCATE ALL'; END $$"
    try connection.script(forget)
    try connection.pipeline(whole)
    try connection.script(forget)
    try connection.pipeline([insert])
    #expect(try connection.run("SELECT count(*) FROM t").int(0, 0) == 9 && connection.transactionStatus == .idle)
    // The first of two transactions was done: sending it again would do it twice.
    let update: Statement = ("UPDATE t SET a = a + $1", [.int(1)])
    for _ in 0..<3 { try connection.pipeline([update]) }
    let others: [Statement] = [("BEGIN", []), ("SELECT 1", []), ("COMMIT", []), update]
    try connection.script(forget)
    try connection.pipeline([("SELECT 1", [])])
    let error = #expect(throws: StoreError.self) { try connection.pipeline([("COMMIT", [])] + others) }
    guard case .server(let server) = error?.fact else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(server.sqlState == "26000")
  }

  @Test func muchMoreThanTheSocketHoldsIsSentAndAnsweredTogether() throws {
    let connection = try TestDatabase().connect()
    let text = String(repeating: "ä", count: 100_000)
    let statements: [Statement] = (0..<200).map { _ in ("SELECT $1", [.text(text)]) }
    let answers = try connection.pipeline(statements)
    #expect(answers.count == 200 && answers.allSatisfy { $0.bytes(0, 0).count == 200_000 })
  }

  @Test func aCopyAmongThemIsRefused() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    #expect(throws: StoreError.self) { try connection.pipeline([("COPY pg_class TO STDOUT", []), ("SELECT 1", [])]) }
    #expect(throws: StoreError.self) { try connection.run("SELECT 1") }
    #expect(try database.connect().run("SELECT 1").int(0, 0) == 1)
  }
}

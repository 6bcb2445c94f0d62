import Foundation
import Postgres
import StoreErrors
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "there is no PostgreSQL server on this system"))
struct PostgresRowsTests {
  @Test func rowsComeOneAtATimeAndTheConnectionIsBusyMeanwhile() throws {
    let connection = try TestDatabase().connect()
    let rows = try connection.stream("SELECT n, 'row ' || n AS name FROM generate_series(1, 10) n")
    #expect(rows.columnCount == 2 && rows.name(1) == "name" && rows.typeOID(0) == PostgresType.int4)
    var sum: Int64 = 0
    while try rows.step() {
      sum += rows.int(0)
      #expect(rows.text(1) == "row \(rows.int(0))" && connection.isBusy)
      let error = #expect(throws: StoreError.self) { try connection.run("SELECT 1") }
      #expect(error?.fact == .connectionBusy)
    }
    #expect(sum == 55 && !connection.isBusy)
    #expect(try !rows.step())
    #expect(try connection.run("SELECT 1").int(0, 0) == 1)
  }

  @Test func aMillionRowsTakeNoMemory() throws {
    let connection = try TestDatabase().connect()
    let rows = try connection.stream("SELECT n, repeat('x', 100) FROM generate_series(1, 1000000) n")
    var (count, sum) = (0, 0 as Int64)
    var before = 0
    while try rows.step() {
      count += 1
      sum += rows.int(0)
      if count == 100_000 { before = try Self.residentBytes() }
    }
    #expect(count == 1_000_000 && sum == 500_000_500_000)
    // All of them would take some 700 MB; tests that run beside it take what they need.
    #expect(try Self.residentBytes() - before < 300_000_000)
  }

  @Test func whatComesWithoutAWaitIsStoppedAllTheSame() throws {
    var stops = false
    let connection = try TestDatabase().connect { stops }
    let text = "SELECT repeat('x', 1000000) FROM generate_series(1, 400)"
    let interrupted = StoreError(.interrupted, path: connection.address.shown)
    stops = true
    #expect(throws: interrupted) { try connection.run(text) }
    #expect(throws: interrupted) {
      let rows = try connection.stream(text)
      while try rows.step() {}
    }
    stops = false
    #expect(try connection.run("SELECT 1").int(0, 0) == 1)
  }

  /// What the process holds.
  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }

  @Test(arguments: [1, 10, 1_000_000]) func rowsThatAreLeftFreeTheConnection(count: Int) throws {
    let connection = try TestDatabase().connect()
    let rows = try connection.stream("SELECT n FROM generate_series(1, $1) n", [.int(Int64(count))])
    #expect(try rows.step())
    rows.close()
    #expect(try !connection.isBusy && !rows.step())
    #expect(try connection.run("SELECT 2").int(0, 0) == 2)
    // Rows that are let go are closed.
    _ = try connection.stream("SELECT n FROM generate_series(1, $1) n", [.int(Int64(count))]).step()
    #expect(try connection.run("SELECT 3").int(0, 0) == 3)
  }

  @Test func aFewRowsThatAreLeftDoNotEndTheTransaction() throws {
    let connection = try TestDatabase().connect()
    try connection.run("BEGIN")
    _ = try connection.stream("SELECT n FROM generate_series(1, 20) n").step()
    #expect(connection.transactionStatus == .inTransaction)
  }

  @Test func aFailureAmongTheRowsIsToldWhereItComes() throws {
    let connection = try TestDatabase().connect()
    let rows = try connection.stream("SELECT 10 / (5 - n) FROM generate_series(1, 9) n")
    for _ in 1...4 { #expect(try rows.step()) }
    let error = #expect(throws: StoreError.self) { try rows.step() }
    guard case .server(let server) = error?.fact else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(server.sqlState == "22012" && !connection.isBusy)
    #expect(try !rows.step())
    #expect(throws: StoreError.self) { try connection.stream("SELECT nothing") }
    #expect(try connection.run("SELECT 1").int(0, 0) == 1)
  }

  @Test func statementsThatReturnRowsTellHowManyTheyChanged() throws {
    let connection = try TestDatabase().connect()
    try connection.run("CREATE TABLE t (a int)")
    let rows = try connection.stream("INSERT INTO t SELECT generate_series(1, 3) RETURNING a")
    while try rows.step() {}
    #expect(rows.affectedRows == 3)
    let none = try connection.stream("SELECT a, 'b' AS b FROM t WHERE false")
    #expect(try none.columnCount == 2 && none.name(1) == "b" && !none.step() && !connection.isBusy)
  }

  @Test func rowsOfAClosedConnectionEnd() throws {
    let connection = try TestDatabase().connect()
    let rows = try connection.stream("SELECT n FROM generate_series(1, 100000) n")
    #expect(try rows.step())
    connection.close()
    let error = #expect(throws: StoreError.self) { while try rows.step() {} }
    #expect(error?.fact == .closed)
    #expect(throws: StoreError.self) { try connection.run("SELECT 1") }
  }
}

import Foundation
import Modeling
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

@Suite struct ConnectionTests {
  @Test func valuesComeBackAsTheyWereBound() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    let values: [Value] = [.null, .int(.max), .double(0.1), .string("a\u{0}ü"), .string(""), .data([0, 1]), .data([])]
    try connection.run("CREATE TABLE t(a, b, c, d, e, f, g)")
    try connection.run("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    #expect(try connection.all("SELECT * FROM t") == [values])
  }

  @Test func aFinishedStatementIsUsedAgain() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    let first = try connection.checkOut("SELECT 1")
    let second = try connection.checkOut("SELECT 1")
    #expect(first !== second)
    connection.checkIn(first)
    #expect(try connection.checkOut("SELECT 1") === first)
  }

  @Test func statementsOutliveTheirConnectionHarmlessly() throws {
    let connection = try Connection(":memory:")
    let statement = try connection.prepare("SELECT 1")
    #expect(try statement.step())
    connection.close()
    #expect(statement.value(0) == .null)
    #expect(fact { try statement.step() } == .closed)
    statement.reset()
    #expect(fact { try connection.execute("SELECT 1") } == .closed)
  }

  @Test func uniquenessErrorsNameTheColumns() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    try connection.execute("CREATE TABLE t(a, b, UNIQUE (a, b)); INSERT INTO t VALUES (1, 2)")
    connection.nameConstraint = { table, columns in table == "t" ? ("T", columns.map { $0.uppercased() }) : nil }
    let failure = fact { try connection.run("INSERT INTO t VALUES (1, 2)") }
    #expect(failure == .notUnique(entity: "T", properties: ["A", "B"], values: []))
  }

  @Test(
    arguments: [
      "swiftCompare", "swiftCaseInsensitiveCompare", "swiftLocalizedCaseInsensitiveCompare", "swiftLocalizedCompare",
      "swiftLocalizedStandardCompare",
    ])
  func tablesOfAppsThatUseGRDBAreSortedByTheirCollations(name: String) throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    try connection.execute("CREATE TABLE t(a TEXT COLLATE \(name))")
    for text in ["ä", "a10", "a9", "Z", "é"] { try connection.run("INSERT INTO t VALUES (?)", [.string(text)]) }
    let sorted = try connection.all("SELECT a FROM t ORDER BY a").map { $0[0] }
    let expected = name == "swiftCompare" ? ["Z", "a10", "a9", "ä", "é"] : nil
    if let expected { #expect(sorted == expected.map { .string($0) }) }
    #expect(sorted.firstIndex(of: .string("a10"))! < sorted.firstIndex(of: .string("é"))!)
    #expect(try connection.first("SELECT count(*) FROM t WHERE a = 'A9'") == .int(name.contains("Insensitive") ? 1 : 0))
  }

  @Test func sqlErrorsKnowTheirPlace() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    let sql = "SELECT nope FROM sqlite_schema"
    #expect(fact { try connection.run(sql) } == .sql(message: "no such column: nope", statement: sql, offset: 7))
  }

  @Test func longStatementsAreInterrupted() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    var asked = 0
    connection.isInterrupted = {
      asked += 1
      return asked > 10
    }
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    #expect(fact { try connection.run(endless) } == .interrupted)
  }

  @Test func collationsAreCalled() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    connection.register(collation: "backwards") { _, leftCount, left, rightCount, right in
      let (a, b) = (left!.load(as: UInt8.self), right!.load(as: UInt8.self))
      return a == b ? leftCount - rightCount : a < b ? 1 : -1
    }
    #expect(
      try connection.first("SELECT max(v COLLATE backwards) FROM (SELECT 'a' AS v UNION SELECT 'b')") == .string("a"))
  }
}

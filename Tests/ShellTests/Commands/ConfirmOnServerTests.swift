import TestSupport
import Testing

@testable import Shell

/// What SQL on a server has changed is asked about before it is kept.
@Suite(.serialized, .enabled(if: PostgresServer.isInstalled)) struct ConfirmOnServerTests {
  private let program: BuiltProgram
  private let server: PostgresServer
  private let database: String
  private let session: PTYSession

  init() throws {
    program = try BuiltProgram()
    server = try PostgresServer.shared.get()
    database = try server.makeDatabase(for: "confirm")
    try server.psql(
      database,
      """
      CREATE TABLE item (id int PRIMARY KEY, n int); INSERT INTO item SELECT i, i FROM generate_series(1, 1500) AS i;
      CREATE TABLE spare (id int PRIMARY KEY); INSERT INTO spare SELECT generate_series(1, 300)
      """)
    session = try program.terminal("-q '\(server.address(of: database))'", columns: 100, rows: 40)
    try session.expectPrompt(database + ">")
  }

  private var items: String {
    get throws { try server.psql(database, "SELECT count(*) || ' ' || sum(n) FROM item") }
  }

  private func ask(_ line: String, _ question: String, answering answer: String, _ result: String) throws {
    session.send(line + "\r")
    try session.expect(question)
    session.send(answer)
    try session.expect(result)
    try session.expectPrompt(database + ">")
  }

  private func type(_ line: String, expecting text: String) throws {
    session.send(line + "\r")
    try session.expect(text)
    try session.expectPrompt(database + ">")
  }

  @Test func aTextIsAskedAboutOnceAndTakenBackWhole() throws {
    let before = try items
    for line in [".sql DELETE FROM item WHERE id > 100", "store:sql('DELETE FROM item WHERE id > ?', 100)"] {
      try ask(
        line, "this deletes 1,400 rows of item; go on? [y/N] ", answering: "n\r",
        "it was not confirmed, and nothing was written")
      #expect(try items == before)
    }
    try ask(
      ".sql UPDATE item SET n = 0; DELETE FROM item WHERE id > 5",
      "this changes 1,500 rows of item and deletes 1,495 rows of item; go on?", answering: "\r", "not confirmed")
    #expect(try items == before)
    try ask(".sql UPDATE item SET n = 1", "this changes 1,500 rows of item; go on?", answering: "y\r", "")
    #expect(try items == "1500 1500")
  }

  @Test func whatIsBelowTheLimitIsNotAskedAbout() throws {
    try type(".sql DELETE FROM item WHERE id <= 100 RETURNING id", expecting: "100 rows")
    try type(".sql INSERT INTO item SELECT i, 0 FROM generate_series(2000, 2500) AS i", expecting: "")
    try type("print(store:sql('SELECT count(*) AS n FROM item')[1].n)", expecting: "1901")
    #expect(!session.transcript.contains("go on?"), "\(session.transcript)")
  }

  @Test func theRowsThatWereWrittenAreSaid() throws {
    try type(".sql UPDATE item SET n = 9 WHERE id <= 40", expecting: "40 rows written")
    try type(".sql INSERT INTO item VALUES (-1, 0); DELETE FROM item WHERE id <= 3", expecting: "5 rows written")
    session.send(".sql SELECT count(*) AS n FROM item\r")
    try session.expect("1 row · ")
    try session.expectPrompt(database + ">")
    #expect(!session.screen.lines.contains { $0.contains("1 row written") }, "\(session.screen.lines)")
    try type("Item:first().n", expecting: "9")
  }

  @Test func tablesThatGoAreCounted() throws {
    try ask(".sql TRUNCATE item", "this deletes 1,500 rows of item; go on?", answering: "n\r", "not confirmed")
    try ask(
      ".sql DROP TABLE IF EXISTS nothing, spare", "this drops spare with 300 rows; go on?", answering: "n\r",
      "not confirmed")
    #expect(try server.psql(database, "SELECT count(*) FROM spare") == "300")
    try ask(".sql DROP TABLE spare", "go on?", answering: "y\r", "")
    #expect(try server.psql(database, "SELECT to_regclass('spare') IS NULL") == "t")
  }

  @Test func aStatementWithinAnotherIsCounted() throws {
    let before = try items
    try ask(
      ".sql WITH gone AS (DELETE FROM item WHERE id > 1000 RETURNING id) SELECT count(*) FROM gone",
      "this changes 500 rows", answering: "n\r", "not confirmed")
    #expect(try items == before)
  }

  @Test func aTransactionByHandGoesOnWithoutWhatWasRefused() throws {
    try type(".sql BEGIN", expecting: "\n")
    try type(".sql UPDATE item SET n = 7 WHERE id = 1", expecting: "\n")
    try ask(".sql DELETE FROM item", "this deletes 1,500 rows of item; go on?", answering: "n\r", "not confirmed")
    try type(".sql COMMIT", expecting: "\n")
    try type("print(store:sql('SELECT count(*) AS n FROM item')[1].n)", expecting: "1500")
    #expect(try server.psql(database, "SELECT n FROM item WHERE id = 1") == "7")
    // One that the text itself began ends.
    let before = try items
    try ask(".sql BEGIN; DELETE FROM item; COMMIT", "this deletes 1,500 rows", answering: "n\r", "not confirmed")
    #expect(try items == before)
    try type(".sql UPDATE item SET n = 8 WHERE id = 1", expecting: "\n")
    try type("print(store:sql('SELECT n FROM item WHERE id = 1')[1].n)", expecting: "8")
    #expect(try server.psql(database, "SELECT n FROM item WHERE id = 1") == "8")
  }

  @Test func scriptsAreNotAsked() throws {
    let result = try program.run([server.address(of: database), "-e", "store:sql 'DELETE FROM item'"])
    #expect(result.status == 0 && !result.errors.contains("go on"), "\(result)")
    #expect(try server.psql(database, "SELECT count(*) FROM item") == "0")
  }

  @Test func aProfileCountsTheQueries() throws {
    try program.write("s.lua", "local n = 0\nfor i = 1, 30 do\n  n = n + Item:count()\nend\nassert(n == 45000)\n")
    let result = try program.run(["--profile", server.address(of: database), "s.lua"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains(", 30 queries\n"), "\(result.errors)")
    let shown = try program.run(["-i", server.address(of: database)], input: ".sql on\nItem:count()\n")
    #expect(shown.errors.contains("SELECT count(*)"), "\(shown.errors)")
  }
}

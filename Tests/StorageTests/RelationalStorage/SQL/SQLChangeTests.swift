import Modeling
import Testing

@testable import RelationalStorage

/// What the statements of some SQL would do to how many rows.
@Suite struct SQLChangeTests {
  @Test(arguments: [
    ("DELETE FROM quake", "deletes", "SELECT count(*) FROM quake"),
    ("delete from quake where depth > 5;", "deletes", "SELECT count(*) FROM quake where depth > 5"),
    (
      "DELETE FROM quake WHERE id IN (SELECT id FROM x WHERE a = ';') RETURNING id", "deletes",
      "SELECT count(*) FROM quake WHERE id IN (SELECT id FROM x WHERE a = ';')"
    ),
    ("DELETE FROM \"a b\" AS t WHERE t.x = 1", "deletes", "SELECT count(*) FROM \"a b\" AS t WHERE t.x = 1"),
    (
      "DELETE FROM quake INDEXED BY i WHERE a ORDER BY b LIMIT 5", "deletes",
      "SELECT count(*) FROM (SELECT 1 FROM quake WHERE a ORDER BY b LIMIT 5)"
    ),
    (
      "WITH x AS (SELECT 1 AS a) DELETE FROM quake WHERE id IN x", "deletes",
      "WITH x AS (SELECT 1 AS a) SELECT count(*) FROM quake WHERE id IN x"
    ),
    ("UPDATE quake SET place = 'WHERE' WHERE id = 3", "changes", "SELECT count(*) FROM quake WHERE id = 3"),
    ("UPDATE quake SET place = (SELECT 1 WHERE 1)", "changes", "SELECT count(*) FROM quake"),
    ("UPDATE quake SET place = (SELECT a FROM b)", "changes", "SELECT count(*) FROM quake"),
    ("UPDATE OR IGNORE quake SET a = 1", "changes", "SELECT count(*) FROM quake"),
    (
      "UPDATE a AS t SET x = b.x FROM b JOIN c WHERE t.id = b.id", "changes",
      "SELECT count(DISTINCT t.rowid) FROM a AS t, b JOIN c WHERE t.id = b.id"
    ),
    ("DROP TABLE IF EXISTS quake;", "drops", "SELECT count(*) FROM quake"),
    ("DROP TABLE main.quake", "drops", "SELECT count(*) FROM main.quake"),
    ("-- all of it\nDROP TABLE quake", "drops", "SELECT count(*) FROM quake"),
    ("SELECT 1; DELETE FROM quake; SELECT 2", "deletes", "SELECT count(*) FROM quake"),
  ])
  func theRowsAreThoseOfTheStatement(text: String, verb: String, count: String) throws {
    let changes = SQLChange.changes(of: text)
    try #require(changes.count == 1, "\(changes)")
    #expect(changes[0].verb.rawValue == verb && changes[0].count == count, "\(changes)")
  }

  @Test(arguments: [
    "", "SELECT * FROM quake", "INSERT INTO quake VALUES (1)", "DELETE", "DELETE FROM", "UPDATE", "UPDATE OR",
    "DROP TABLE", "DROP TABLE IF", "DELETE FROM 'quake", "DROP INDEX i", "CREATE TABLE t (a)", "WITH x AS", ";;",
    "EXPLAIN DELETE FROM quake", "WITH x AS (DELETE FROM quake) SELECT 1",
    "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE b SET c = 1; DELETE FROM b; END",
  ])
  func otherStatementsHarmNothing(text: String) { #expect(SQLChange.changes(of: text).isEmpty) }

  @Test func behindATriggerStatementsCountAgain() {
    let text = "CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END; DELETE FROM c"
    #expect(SQLChange.changes(of: text).map(\.table) == ["c"])
  }

  @Test(
    arguments: [
      ("UPDATE q SET a = ? WHERE b = ?", "WHERE b = ?2", [1, 2]),
      ("UPDATE q SET a = ?2 WHERE b = ?1", "WHERE b = ?1", [1]),
      ("UPDATE q SET a = :x WHERE b = :x AND c = @y", "WHERE b = ?1 AND c = ?2", [1, 2]),
      ("UPDATE q SET a = $x WHERE b IN (?,$x)", "WHERE b IN (?2 ,?1 )", [1, 2]),
      ("INSERT INTO q VALUES (?, ?); DELETE FROM q WHERE b = ?", "WHERE b = ?1", [3]),
    ] as [(String, String, [Int64])])
  func theCountTakesTheArgumentsOfItsStatement(text: String, condition: String, values: [Int64]) throws {
    let changes = SQLChange.changes(of: text, [.int(1), .int(2), .int(3)])
    try #require(changes.count == 1, "\(changes)")
    #expect(changes[0].count == "SELECT count(*) FROM q " + condition)
    #expect(changes[0].arguments == values.map { .int($0) })
  }
}

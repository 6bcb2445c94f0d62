import LuaBindings
import Testing

@testable import Shell

/// What a statement of SQL would do to how many rows.
@Suite struct SQLChangeTests {
  @Test(arguments: [
    ("DELETE FROM quake", "deletes", "SELECT count(*) FROM quake"),
    ("delete from quake where depth > 5;", "deletes", "SELECT count(*) FROM quake where depth > 5"),
    (
      "DELETE FROM quake WHERE id IN (SELECT id FROM x WHERE a = ';') RETURNING id", "deletes",
      "SELECT count(*) FROM quake WHERE id IN (SELECT id FROM x WHERE a = ';') "
    ),
    ("DELETE FROM \"a b\" AS t WHERE t.x = 1", "deletes", "SELECT count(*) FROM \"a b\" AS t WHERE t.x = 1"),
    ("UPDATE quake SET place = 'WHERE' WHERE id = 3", "changes", "SELECT count(*) FROM quake WHERE id = 3"),
    ("UPDATE quake SET place = (SELECT 1 WHERE 1)", "changes", "SELECT count(*) FROM quake "),
    ("UPDATE OR IGNORE quake SET a = 1", "changes", "SELECT count(*) FROM quake "),
    ("DROP TABLE IF EXISTS quake;", "drops", "SELECT count(*) FROM quake"),
    ("-- all of it\nDROP TABLE quake", "drops", "SELECT count(*) FROM quake"),
  ])
  func theRowsAreThoseOfTheStatement(text: String, verb: String, count: String) throws {
    // A subquery has a FROM of its own, which an UPDATE is not counted with.
    let change = SQLChange(text)
    #expect(change?.verb == verb && change?.count == count, "\(String(describing: change))")
  }

  @Test(arguments: [
    "", "SELECT * FROM quake", "INSERT INTO quake VALUES (1)", "DELETE", "DELETE FROM", "UPDATE", "DROP TABLE",
    "UPDATE a SET x = b.x FROM b WHERE a.id = b.id", "DELETE FROM 'quake", "DROP INDEX i", "CREATE TABLE t (a)",
  ])
  func otherStatementsAreNot(text: String) { #expect(SQLChange(text) == nil) }
}

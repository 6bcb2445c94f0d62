import Testing

@testable import PostgresStorage

/// What people write as SQL is read as SQLite's shell reads it, and as PostgreSQL does.
@Suite struct HandwrittenSQLTests {
  private func read(_ text: String, hasArguments: Bool = true) -> [String] {
    HandwrittenSQL(text, hasArguments: hasArguments).statements.map(\.text)
  }

  @Test func marksBecomeNumbers() {
    let read = HandwrittenSQL("SELECT ? + ?, '?', \"?\" -- ?\n/* ? /* ? */ ? */", hasArguments: true)
    #expect(read.statements.map(\.text) == ["SELECT $1 + $2, '?', \"?\" -- ?\n/* ? /* ? */ ? */"])
    #expect(read.parameterCount == 2)
  }

  @Test func numbersOfItsOwnAreKept() {
    #expect(read("SELECT $1 ? 'a'") == ["SELECT $1 ? 'a'"])
  }

  @Test func withoutArgumentsMarksAreOperators() {
    #expect(read("SELECT '{}'::jsonb ? 'a'", hasArguments: false) == ["SELECT '{}'::jsonb ? 'a'"])
  }

  @Test func semicolonsPartStatementsButNotWithinTexts() {
    #expect(read("SELECT ';'; ; DO $x$ BEGIN; END $x$; -- the end;") == ["SELECT ';'", " DO $x$ BEGIN; END $x$"])
    #expect(read("SELECT $$;$$, $a$ $b$ ; $a$;SELECT 2") == ["SELECT $$;$$, $a$ $b$ ; $a$", "SELECT 2"])
    #expect(read(" ; -- nothing\n ").isEmpty)
    #expect(
      read(#"SELECT E'\'; COMMIT; --', e'\\'; SELECT 'E\'"#) == [#"SELECT E'\'; COMMIT; --', e'\\'"#, #" SELECT 'E\'"#])
  }

  @Test(arguments: [
    "COMMIT", "commit work", " \n-- select\r END", "/* /* */ select */ ROLLBACK", "--\u{B}select\n ABORT",
    "Begin Read Write",
    "START TRANSACTION", "PREPARE TRANSACTION 'x'", "prepare/**/transaction 'x'", "ROLLBACK AND CHAIN",
    "COMMIT PREPARED 'to'",
  ]) func whatEndsATransactionIsToldBehindCommentsAsTheServerReadsThem(text: String) {
    #expect(HandwrittenSQL(text, hasArguments: false).statements.map(\.endsTransaction) == [true])
  }

  @Test(arguments: [
    "SAVEPOINT a", "RELEASE a", "ROLLBACK TO a", "rollback transaction to savepoint a", "PREPARE x AS SELECT 1",
    "SELECT 1 -- COMMIT", "SELECT 'COMMIT'", "EXPLAIN SELECT 1", "SET TRANSACTION READ WRITE",
  ]) func whatLeavesTheTransactionOpenDoesNotEndIt(text: String) {
    #expect(HandwrittenSQL(text, hasArguments: false).statements.map(\.endsTransaction) == [false])
  }

  @Test func whatIsNotClosedEndsWithTheText() {
    for text in ["SELECT 'a;", "SELECT \"a;", "SELECT $q$ a;", "SELECT 1 /* a;", "SELECT $"] {
      #expect(read(text).count == 1, "\(text)")
    }
  }
}

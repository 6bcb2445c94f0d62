import Testing

@testable import PostgresStorage

/// What people write as SQL is read as SQLite's shell reads it, and as PostgreSQL does.
@Suite struct HandwrittenSQLTests {
  private func read(_ text: String) -> [String] { HandwrittenSQL(text, hasArguments: true).statements }

  @Test func marksBecomeNumbers() {
    let read = HandwrittenSQL("SELECT ? + ?, '?', \"?\" -- ?\n/* ? /* ? */ ? */", hasArguments: true)
    #expect(read.statements == ["SELECT $1 + $2, '?', \"?\" -- ?\n/* ? /* ? */ ? */"])
    #expect(read.parameterCount == 2)
  }

  @Test func numbersOfItsOwnAreKept() {
    #expect(read("SELECT $1 ? 'a'") == ["SELECT $1 ? 'a'"])
  }

  @Test func withoutArgumentsMarksAreOperators() {
    #expect(HandwrittenSQL("SELECT '{}'::jsonb ? 'a'", hasArguments: false).statements == ["SELECT '{}'::jsonb ? 'a'"])
  }

  @Test func semicolonsPartStatementsButNotWithinTexts() {
    #expect(read("SELECT ';'; ; DO $x$ BEGIN; END $x$; -- the end;") == ["SELECT ';'", " DO $x$ BEGIN; END $x$"])
    #expect(read("SELECT $$;$$, $a$ $b$ ; $a$;SELECT 2") == ["SELECT $$;$$, $a$ $b$ ; $a$", "SELECT 2"])
    #expect(read(" ; -- nothing\n ").isEmpty)
  }

  @Test func whatIsNotClosedEndsWithTheText() {
    for text in ["SELECT 'a;", "SELECT \"a;", "SELECT $q$ a;", "SELECT 1 /* a;", "SELECT $"] {
      #expect(read(text).count == 1, "\(text)")
    }
  }
}

import CSQLite
import Foundation
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

/// What no connection does, in the sandbox or out of it.
@Suite struct GuardedHandleTests {
  @Test func noFunctionTurnsValuesIntoCode() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    for (sql, values) in [
      ("SELECT fts3_tokenizer('simple')", []), ("SELECT fts3_tokenizer(?)", [Value.string("simple")]),
      ("SELECT fts3_tokenizer('evil', ?)", [.data(Array(repeating: 0x41, count: 8))]),
      ("SELECT load_extension('x')", []), ("SELECT load_extension('x', 'y')", []),
    ] {
      do {
        _ = try connection.all(sql, values)
        Issue.record("\(sql) went through")
      } catch {
        guard case .sql(let message, _, _) = error.fact else { throw error }
        #expect(message.hasSuffix("() is refused: it turns values into code"), "\(message)")
      }
    }
    // Nor does a schema call them.
    try connection.execute("CREATE TABLE t(a); CREATE VIEW v AS SELECT fts3_tokenizer('simple') AS a")
    #expect(throws: StoreError.self) { try connection.all("SELECT * FROM v") }
    #expect(throws: StoreError.self) {
      try connection.execute("CREATE VIRTUAL TABLE f USING fts3(a, tokenize=evil)")
    }
  }

  @Test func theSchemaIsNotWrittenAsATable() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    try connection.execute("CREATE TABLE t(a); PRAGMA writable_schema = ON")
    #expect(throws: StoreError.self) { try connection.execute("UPDATE sqlite_schema SET sql = 'x'") }
    try connection.execute("CREATE VIRTUAL TABLE f USING fts5(a)")
    #expect(throws: StoreError.self) { try connection.execute("DELETE FROM f_data") }
    #expect(try connection.first("PRAGMA journal_mode = OFF") == .string("memory"))
  }

  @Test func aSchemaDoesNotCallFunctionsOfOurs() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    SQLFunctions().install(on: connection)
    #expect(try connection.first("SELECT text_fold('A', 'c')") == .string("a"))
    try connection.execute("CREATE VIEW v AS SELECT text_fold('A', 'c')")
    #expect(throws: StoreError.self) { try connection.all("SELECT * FROM v") }
  }

  @Test(arguments: [false, true]) func textIndexesOfUsersKeepTheirTriggersAndViews(isConfined: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/notes.sqlite"
    let maker = try Connection(path)
    try maker.execute(
      """
      CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE note_text USING fts5(body, content='note', content_rowid='id');
      CREATE VIRTUAL TABLE old_text USING fts4(body);
      CREATE TRIGGER note_added AFTER INSERT ON note BEGIN
        INSERT INTO note_text(rowid, body) VALUES (new.id, new.body);
        INSERT INTO old_text(docid, body) VALUES (new.id, new.body);
      END;
      CREATE VIEW found AS SELECT rowid, bm25(note_text) AS rank, highlight(note_text, 0, '[', ']') AS text
        FROM note_text WHERE note_text MATCH 'sea';
      CREATE VIEW found_old AS SELECT snippet(old_text) AS text FROM old_text WHERE old_text MATCH 'sea';
      """)
    maker.close()
    var options = StoreOptions(path: path)
    options.isConfined = isConfined
    let store = try SQLiteStore(options)
    _ = try store.sql("INSERT INTO note(body) VALUES ('by the sea')")
    #expect(try store.connection.all("SELECT text FROM found") == [[.string("by the [sea]")]])
    let cursor = try store.sql("SELECT text FROM found UNION ALL SELECT text FROM found_old")
    #expect(try cursor.step())
    cursor.close()
    #expect(try store.verify().isEmpty)
    let copy = folder.path + "/copy.sqlite"
    try store.backup(to: copy)
    store.close()
    let again = try Connection(copy)
    #expect(try again.first("SELECT count(*) FROM found_old") == .int(1))
    again.close()
  }
}

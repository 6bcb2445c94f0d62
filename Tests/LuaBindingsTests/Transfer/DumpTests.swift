import Foundation
import LuaBindings
import TestSupport
import Testing

/// Texts of SQL that make a whole store.
@Suite struct DumpTests {
  private let folder: TemporaryFolder
  private let script: Script

  init() throws {
    folder = try TemporaryFolder()
    script = try Script()
  }

  private func open(_ sql: String, as name: String = "store.sql") throws -> String? {
    try sql.write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    return script.error("use(open('\(folder.file(name))'))")
  }

  @Test func aDumpMakesAStoreInMemory() throws {
    let sql = """
      PRAGMA foreign_keys=OFF;
      BEGIN TRANSACTION;
      -- Books; and authors.
      CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
      INSERT INTO author VALUES(1,'Jane; "Austen"
      ''x''');
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author_id INTEGER REFERENCES author(id));
      INSERT INTO book VALUES(1,'Emma',1);
      CREATE TRIGGER t AFTER DELETE ON book BEGIN DELETE FROM author; SELECT 1; END;
      DELETE FROM sqlite_sequence;
      INSERT INTO sqlite_sequence VALUES('author',7);
      COMMIT;
      """
    #expect(try open(sql) == nil)
    #expect(try script.value("Book:first().author.name, Author:count()") == "Jane; \"Austen\"\n'x' 1")
    try script.run("Author { name = 'new' } save()")
    #expect(try script.value("tostring(Author:first('name == \"new\"').objectID)") == "Author/8")
    #expect(try String(contentsOfFile: folder.file("store.sql"), encoding: .utf8) == sql)
  }

  @Test func theModelOfAStoreIsInItsDump() throws {
    let store = folder.file("own.sqlite")
    try script.run(
      """
      local own = open("\(store)", { create = true, model = Model {
        Author = Entity { name = String { unique = true }, books = ToMany "Book" { inverse = "author" } },
        Book = Entity { title = String, at = Date, author = ToOne "Author" { inverse = "books" } } } })
      use(own)
      Book { title = "Emma", at = Date "2024-01-02", author = Author { name = "Jane" } }
      save()
      own:close()
      """)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import sqlite3; open('\(folder.file("own.sql"))', 'w').write('\\n'.join(sqlite3.connect('\(store)').iterdump()))",
    ]
    try process.run()
    process.waitUntilExit()
    try script.run("use(open('\(folder.file("own.sql"))'))")
    #expect(try script.value("Author:first().books[1].title, Book:first().at.year") == "Emma 2024")
    #expect(script.error("Author { name = 'Jane' } save()")?.contains("Jane") == true)
  }

  @Test(arguments: [
    ("ATTACH 'x.sqlite' AS x;", "refuses ATTACH and VACUUM"), ("VACUUM INTO 'x.sqlite';", "refuses ATTACH and VACUUM"),
    ("SELECT load_extension('x');", "refuses the SQL function load_extension()"),
    ("PRAGMA journal_mode = DELETE;", "refuses to set PRAGMA journal_mode"),
    ("PRAGMA writable_schema = ON;", "refuses to set PRAGMA writable_schema"),
    ("INSERT INTO a VALUES(1), 2;", "near \"2\": syntax error"), ("INSERT INTO b VALUES(1);", "no such table: b"),
    ("BEGIN;", "the dump ends within a transaction: it is cut off"),
  ])
  func aStatementThatFailsIsNamedByItsLine(_ statement: String, _ message: String) throws {
    let found = try open("CREATE TABLE a (b);\n\n\(statement)")
    #expect(found?.contains("store.sql':3: ") == true && found?.contains(message) == true, "\(found ?? "")")
    #expect(!FileManager.default.fileExists(atPath: "x.sqlite"))
  }

  @Test func dumpsOfOtherDatabasesAreRefused() throws {
    #expect(
      try open("--\n-- PostgreSQL database dump\n--\nSET x = 1;")?.contains("dump of PostgreSQL: have psql") == true)
    #expect(try open("-- MySQL dump 10.13\nCREATE TABLE `a` (b int);")?.contains("dump of MySQL") == true)
    #expect(try open("-- nothing")?.hasSuffix("the dump makes no tables") == true)
    #expect(try open("CREATE TABLE a (b);", as: "a.sql") == nil)
    #expect(script.error("import('A', '\(folder.file("a.sql"))')")?.hasSuffix("a store of its own: open it") == true)
  }
}

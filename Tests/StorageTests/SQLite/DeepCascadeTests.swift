import Modeling
import StoreErrors
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

/// Cascades of foreign keys that are deeper than SQLite follows.
@Suite struct DeepCascadeTests {
  /// A connection with tables, in a transaction.
  private func connection(_ tables: String) throws -> Connection {
    let connection = try Connection(":memory:")
    try connection.execute("PRAGMA foreign_keys = ON; \(tables); BEGIN")
    return connection
  }

  /// A tree of rows that are a chain: each leads to the one before it.
  private func chain(_ levels: Int, rule: String = "CASCADE") throws -> Connection {
    try connection(
      """
      CREATE TABLE node (id INTEGER PRIMARY KEY, up INTEGER REFERENCES node ON DELETE \(rule));
      CREATE INDEX ups ON node (up);
      WITH RECURSIVE level(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM level WHERE n < \(levels))
        INSERT INTO node SELECT n, nullif(n - 1, 0) FROM level
      """)
  }

  private func count(_ connection: Connection, _ table: String = "node") throws -> Value? {
    try connection.first("SELECT count(*) FROM \(table)")
  }

  private func message(_ body: () throws -> Void) -> String? {
    switch fact(of: body) {
    case .sql(let message, _, _)?, .constraint(let message)?: message
    default: nil
    }
  }

  private func fact(of body: () throws -> Void) -> StoreError.Fact? {
    do { try body() } catch { return (error as? StoreError)?.fact }
    return nil
  }

  @Test(arguments: [10, 1_000, 1_002, 5_000])
  func aCascadeReachesAsDeepAsTheData(levels: Int) throws {
    let connection = try chain(levels)
    try connection.run("INSERT INTO node VALUES (-1, NULL)")
    #expect(try connection.run("DELETE FROM node WHERE id = 1") == 1)
    #expect(connection.lastChanges == 1)
    #expect(try connection.all("SELECT id FROM node") == [[.int(-1)]])
    #expect(try connection.run("UPDATE node SET up = up WHERE id = 7") == 0)
    #expect(connection.lastChanges == 0)
    try connection.execute("COMMIT")
    #expect(try connection.first("SELECT count(*) FROM sqlite_temp_schema") == .int(0))
    #expect(try connection.first("PRAGMA foreign_keys") == .int(1))
  }

  @Test func aRingIsDeletedAsAWhole() throws {
    let connection = try chain(3_000)
    try connection.run("UPDATE node SET up = 3000 WHERE id = 1")
    try connection.run("DELETE FROM node WHERE id = 1500")
    #expect(try count(connection) == .int(0))
  }

  @Test func theOtherActionsFollowAtEachLevel() throws {
    let connection = try chain(3_000)
    try connection.execute(
      """
      CREATE TABLE leaf (name TEXT, node INTEGER REFERENCES node(id) ON DELETE SET NULL,
        other INTEGER DEFAULT (-1) REFERENCES node(id) ON DELETE SET DEFAULT);
      INSERT INTO node VALUES (-1, NULL);
      INSERT INTO leaf VALUES ('a', 2500, -1), ('b', -1, 2999), ('c', 1, 2)
      """)
    try connection.run("DELETE FROM node WHERE id = 1")
    #expect(
      try connection.all("SELECT * FROM leaf ORDER BY name") == [
        [.string("a"), .null, .int(-1)], [.string("b"), .int(-1), .int(-1)], [.string("c"), .null, .int(-1)],
      ])
  }

  /// The tables lead to each other, and a key has two columns, of which one has another name there.
  @Test func aCascadeGoesToAndFroBetweenTables() throws {
    let connection = try connection(
      """
      CREATE TABLE "a b" (x TEXT, y INTEGER, up INTEGER REFERENCES odd ON DELETE CASCADE, PRIMARY KEY (x, y));
      CREATE TABLE odd (id INTEGER PRIMARY KEY, "x y" TEXT, z INTEGER,
        FOREIGN KEY ("x y", z) REFERENCES "A B" (x, y) ON DELETE CASCADE);
      CREATE INDEX ups ON "a b" (up);
      CREATE INDEX owners ON odd ("x y", z);
      PRAGMA defer_foreign_keys = ON;
      """)
    for level in 1...1_500 {
      try connection.run(
        "INSERT INTO \"a b\" VALUES ('k', ?, nullif(? - 1, 0))", [.int(Int64(level)), .int(Int64(level))])
      try connection.run("INSERT INTO odd VALUES (?, 'k', ?)", [.int(Int64(level)), .int(Int64(level))])
    }
    try connection.run("DELETE FROM \"a b\" WHERE y = 2")
    #expect(try count(connection, "\"a b\"") == .int(1) && count(connection, "odd") == .int(1))
  }

  @Test(arguments: ["RESTRICT", "NO ACTION"])
  func aKeyThatForbidsItTakesEverythingBack(rule: String) throws {
    let connection = try chain(3_000)
    try connection.execute(
      """
      CREATE TABLE leaf (node INTEGER REFERENCES node(id) ON DELETE \(rule));
      INSERT INTO leaf VALUES (2999)
      """)
    #expect(message { try connection.run("DELETE FROM node WHERE id = 1") } == "FOREIGN KEY constraint failed")
    #expect(try count(connection) == .int(3_000))
    // What the transaction did before stays, and goes on.
    #expect(try count(connection, "leaf") == .int(1))
    try connection.run("DELETE FROM leaf")
    try connection.run("DELETE FROM node WHERE id = 1")
    #expect(try count(connection) == .int(0))
  }

  @Test func keysThatLedNowhereBeforeForbidNothing() throws {
    let connection = try chain(3_000)
    try connection.execute("COMMIT; PRAGMA foreign_keys = OFF; INSERT INTO node VALUES (9000, 8000)")
    try connection.execute("PRAGMA foreign_keys = ON; BEGIN")
    try connection.run("DELETE FROM node WHERE id = 1")
    #expect(try connection.all("SELECT id FROM node") == [[.int(9000)]])
  }

  /// SQLite leaves what it has deleted before it refuses.
  @Test func aStatementThatIsRefusedHasDoneNothing() throws {
    let connection = try chain(3_000)
    try connection.execute(
      """
      PRAGMA recursive_triggers = ON;
      CREATE TABLE count (n INTEGER);
      CREATE TRIGGER counting AFTER INSERT ON count WHEN NEW.n < 2000 BEGIN INSERT INTO count VALUES (NEW.n + 1); END;
      CREATE TRIGGER deleting AFTER DELETE ON node WHEN OLD.id = 2 BEGIN INSERT INTO count VALUES (1); END
      """)
    #expect(message { try connection.run("DELETE FROM node WHERE id = 1") } == "too many levels of trigger recursion")
    #expect(try count(connection) == .int(3_000) && count(connection, "count") == .int(0))
    #expect(try connection.first("PRAGMA foreign_keys") == .int(1))
  }

  @Test func theFirstStatementOfATransactionWaitsForALock() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.sqlite")
    let (one, other) = (try Connection(path, .init(busyTimeout: 0.2)), try Connection(path))
    defer {
      one.close()
      other.close()
    }
    try other.execute(
      """
      PRAGMA journal_mode = WAL; CREATE TABLE node (id INTEGER PRIMARY KEY, up REFERENCES node ON DELETE CASCADE);
      BEGIN IMMEDIATE
      """)
    try one.execute("PRAGMA foreign_keys = ON; BEGIN")
    let begun = monotonicSeconds()
    guard case .busy? = fact(of: { try one.run("DELETE FROM node WHERE id = 1") }) else {
      Issue.record("it is not refused for the lock")
      return
    }
    #expect(monotonicSeconds() - begun > 0.15)
    try other.execute("INSERT INTO node VALUES (1, NULL); COMMIT")
    #expect(try one.run("DELETE FROM node WHERE id = 1") == 1)
  }

  @Test func aStatementThatReadsMeanwhileGoesOn() throws {
    let connection = try chain(3_000)
    let reading = try connection.prepare("SELECT id FROM node WHERE id < 3")
    #expect(try reading.step())
    try connection.run("DELETE FROM node WHERE id = 2")
    #expect(try count(connection) == .int(1))
    while try reading.step() {}
    // The table that could not be dropped meanwhile serves again.
    try connection.execute(
      """
      COMMIT;
      WITH RECURSIVE level(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM level WHERE n < 3000)
        INSERT INTO node SELECT n, n - 1 FROM level;
      BEGIN
      """)
    try connection.run("DELETE FROM node WHERE id = 1")
    #expect(try count(connection) == .int(0))
  }
}

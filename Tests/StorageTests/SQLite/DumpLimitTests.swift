import SQLite
import Stores
import Testing

@Suite struct DumpLimitTests {
  @Test func aDumpThatMakesTooMuchIsRefused() throws {
    let connection = try Connection(":memory:")
    let sql = """
      CREATE TABLE a (b);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO a SELECT zeroblob(100000) FROM n;
      """
    #expect(throws: StoreError(.dump(line: 2, .full), path: ":memory:")) {
      try connection.run(dump: sql, limit: 1 << 20)
    }
  }

  @Test func afterADumpTheDatabaseMayGrow() throws {
    let connection = try Connection(":memory:")
    try connection.run(dump: "CREATE TABLE a (b);", limit: 1 << 20)
    try connection.run("INSERT INTO a VALUES (zeroblob(4000000))")
    try connection.run("ATTACH ':memory:' AS other")
  }
}

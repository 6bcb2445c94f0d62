import Testing

@testable import SQLite

/// A statement that is not in use is used again for its text.
@Suite struct StatementCacheTests {
  @Test func oneOfTwoStatementsOfATextIsKept() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    let first = try connection.checkOut("SELECT 1")
    let second = try connection.checkOut("SELECT 1")
    connection.checkIn(first)
    connection.checkIn(second)
    #expect(try connection.checkOut("SELECT 1") === second)
    // The first one is not kept beside it.
    let third = try connection.checkOut("SELECT 1")
    #expect(third !== first && third !== second)
    connection.checkIn(second)
    connection.checkIn(third)
    #expect(try connection.checkOut("SELECT 1") === third)
  }

  @Test func aStatementThatIsOutWhileAllAreForgottenIsKeptWhenItComesBack() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    weak var early: Statement?
    let statement = try connection.checkOut("SELECT 0")
    do {
      let other = try connection.checkOut("SELECT 1")
      early = other
      connection.checkIn(statement)
      connection.checkIn(other)
    }
    #expect(try connection.checkOut("SELECT 0") === statement)
    for number in 2...StatementCache.limit + 2 {
      connection.checkIn(try connection.checkOut("SELECT \(number)"))
    }
    #expect(early == nil, "the cache keeps more texts than its limit")
    connection.checkIn(statement)
    #expect(try connection.checkOut("SELECT 0") === statement)
  }

  @Test func aClosedConnectionRetainsNoStatement() throws {
    let connection = try Connection(":memory:")
    weak var kept: Statement?
    do {
      let statement = try connection.checkOut("SELECT 1")
      kept = statement
      connection.checkIn(statement)
    }
    #expect(kept != nil)
    connection.close()
    #expect(kept == nil)
  }

  @Test func valuesOfTheLastUseAreGone() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    let statement = try connection.checkOut("SELECT ?")
    try statement.bind("a", at: 1)
    #expect(try statement.step())
    connection.checkIn(statement)
    let again = try connection.checkOut("SELECT ?")
    #expect(again === statement)
    #expect(try again.step())
    #expect(again.value(0) == .null)
  }
}

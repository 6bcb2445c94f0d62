import Modeling
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

/// The statements of a text, one after the other.
@Suite struct SQLScriptTests {
  private func statements(_ text: String) throws -> [String] {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    var script = SQLScript(text)
    var found: [String] = []
    while !script.isAtEnd {
      let statement = try Statement(connection, &script, isForeign: true)
      if !statement.isEmpty { found.append(statement.sql) }
    }
    return found
  }

  @Test func blanksAndCommentsBetweenStatementsAreNone() throws {
    let text = " ;; SELECT 1; -- one\n/* two /* **/ SELECT ';--' AS \"/*\" ; SELECT 3 /* three"
    #expect(try statements(text).map { $0.trimmed } == ["SELECT 1;", "SELECT ';--' AS \"/*\" ;", "SELECT 3 /* three"])
    for nothing in ["", " ", ";", "--", "-- x", "/* x", "/*/", "/**/", "\t\n;;--\n;"] {
      #expect(try statements(nothing).isEmpty, "\(nothing)")
    }
  }

  @Test func manyStatementsAreReadOneByOne() throws {
    #expect(try statements(String(repeating: "SELECT 1;", count: 3000)).count == 3000)
  }

  @Test func aNullCharacterIsRefusedWhereItStands() throws {
    let store = try SQLiteStore(StoreOptions(path: ":memory:"))
    for (text, place) in [("\0", 0), ("SELECT 1;\0 SELECT 2", 9), ("SELECT 'a\0b'", 9)] {
      let error = #expect(throws: StoreError.self) { try store.sql(text) }
      guard case .sql(_, _, let offset)? = error?.fact else { Issue.record("\(String(describing: error))"); continue }
      #expect(offset == place)
    }
  }

  @Test func theTextsOfManyConstantsAreCompiledAsOthers() throws {
    let connection = try Connection(":memory:")
    defer { connection.close() }
    let list = Array(repeating: "?", count: 9000).joined(separator: ", ")
    let statement = try connection.prepare("SELECT 7000 IN (\(list)) AND 9001 NOT IN (\(list))")
    for index in 1...statement.parameterCount { try statement.bind(Int64((index - 1) % 9000 + 1), at: index) }
    #expect(try statement.step() && statement.integer(0) == 1)
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

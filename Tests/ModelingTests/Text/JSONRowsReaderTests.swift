import Foundation
import TestSupport
import Testing

@testable import Modeling

@Suite(.seeded) struct JSONRowsReaderTests {
  private func rows(_ text: String) throws -> [[String: JSON]] {
    let reader = JSONRowsReader(bytes: Array(text.utf8))
    var rows: [[String: JSON]] = []
    while let row = try reader.next() { rows.append(row) }
    return rows
  }

  private func error(_ text: String) -> JSONRowsError? { #expect(throws: JSONRowsError.self) { try rows(text) } }

  private func failure(_ fact: JSONRowsError.Fact, _ line: Int, _ column: Int) -> JSONRowsError {
    var place = TextPlace()
    (place.line, place.column) = (line, column)
    return JSONRowsError(fact: fact, place: place)
  }

  /// What grew with the square of the keys took minutes.
  @Test func aHundredThousandKeysTakeNoLongerThanTheyAreMany() throws {
    let count = 100_000
    let members = (0..<count).map { "\"key\($0 % (count / 2))\":\($0)" }.joined(separator: ",")
    let reader = JSONRowsReader(bytes: Array("[{\(members)}]".utf8))
    let start = monotonicSeconds()
    #expect(try reader.next()?.count == count / 2)
    #expect(reader.keys.count == count / 2 && reader.keys[1] == "key1")
    let same = Naming.unique(Array(repeating: "key", count: count))
    #expect(same.last == "key\(count)")
    #expect(monotonicSeconds() - start < 30)
  }

  @Test(arguments: [
    #"[{"a":1},{"a":2}]"#, "\u{FEFF} [ {\"a\":1}\n,\r\n{\"a\" : 2 } ]\n", "{\"a\":1}\n{\"a\":2}",
    "\n{\"a\":1}\r\n\r\n {\"a\":2}\r\n",
  ])
  func arraysAndLinesAreRowsAlike(text: String) throws {
    #expect(try rows(text) == [["a": .int(1)], ["a": .int(2)]])
  }

  @Test func bracketsInTextsAreText() throws {
    #expect(
      try rows(#"[{"a":"]}\"{"},{"b":[{"c":[1,{}]}]}]"#)
        == [["a": .string("]}\"{")], ["b": .array([.object(["c": .array([.int(1), .object([:])])])])]])
  }

  @Test func nothingHasNoRows() throws {
    #expect(try rows("") == [])
    #expect(try rows(" \n") == [])
    #expect(try rows("[ ]") == [])
  }

  @Test func mistakesHaveTheirExactPlace() {
    #expect(error("[{\"a\":1},\n {\"é\":x}]") == failure(.json(.unexpected(found: "x", expected: "a value")), 2, 7))
    #expect(error("{\"a\":1}\n\n{\"a\":}\n{}") == failure(.json(.unexpected(found: "}", expected: "a value")), 3, 6))
    #expect(error("{\"a\":1\n{}") == failure(.json(.unexpectedEnd(expected: "',' or '}'")), 1, 7))
    #expect(error("[{}") == failure(.unexpectedEnd(expected: "']'"), 1, 4))
    #expect(error("[") == failure(.unexpectedEnd(expected: "']'"), 1, 2))
    #expect(error("[{} {}]") == failure(.unexpected(found: "{", expected: "',' or ']'"), 1, 5))
    #expect(error("[{},]") == failure(.unexpected(found: "]", expected: "an object"), 1, 5))
    #expect(error("[{},") == failure(.unexpectedEnd(expected: "a row"), 1, 5))
    #expect(error("[1]") == failure(.unexpected(found: "1", expected: "an object"), 1, 2))
    #expect(error("a,b") == failure(.unexpected(found: "a", expected: "an object"), 1, 1))
    #expect(error("[{}] x") == failure(.unexpected(found: "x", expected: "the end"), 1, 6))
    #expect(error("[{\"a\":[1}]").map { $0.fact } == .json(.unexpected(found: "}", expected: "',' or ']'")))
  }

  @Test func whatIsWrittenIsReadThroughAnyChunk() throws {
    var random = SplitMix(seed: 12)
    for round in 0..<60 {
      let table: [JSON] = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        .object([JSONTests.anyString(using: &random): JSONTests.anyJSON(depth: 3, using: &random)])
      }
      let isArray = Bool.random(using: &random)
      let text = isArray ? JSON.array(table).text : table.map(\.text).joined(separator: "\n")
      let file = try TemporaryFile(Array(text.utf8))
      let reader = try JSONRowsReader(path: file.path, chunk: round % 30 + 1)
      var read: [JSON] = []
      while let row = try reader.next() { read.append(.object(row)) }
      #expect(read == table, "\(text)")
    }
  }
}

import Modeling
import Testing

@testable import RelationalStorage
@testable import SQLite
@testable import SQLiteStorage
@testable import Stores

@Suite struct SQLFragmentTests {
  @Test func valuesAreNeverPartOfTheText() {
    let fragment: SQLFragment =
      "\(name: "place") = \(value: .string("O'Higgins")) AND \(name: "order") > \(value: .int(1))"
    #expect(fragment.text == #"place = ? AND "order" > ?"#)
    #expect(fragment.arguments == [.string("O'Higgins"), .int(1)])
    #expect(fragment.displayText == #"place = 'O''Higgins' AND "order" > 1"#)
  }

  @Test func strangeNamesAreQuoted() {
    #expect(quotedName("a b") == #""a b""#)
    #expect(quotedName(#"a"b"#) == #""a""b""#)
    #expect(quotedName("1a") == #""1a""#)
    #expect(quotedName("select") == #""select""#)
    #expect(quotedName("Ä") == #""Ä""#)
    #expect(quotedName("") == #""""#)
    #expect(quotedName("_pk") == "_pk")
  }

  @Test func adjacentTextsAreOneSegment() {
    let fragment = ["a" as SQLFragment, "b", SQLFragment(value: .null), "c"].joined(separator: ", ")
    #expect(fragment.segments == [.text("a, b, "), .argument(.null), .text(", c")])
  }

  @Test func longChainsAreNotDeep() {
    let many = SQLCondition.any((0..<5000).map { SQLCondition("x = \(value: .int(Int64($0)))") })
    #expect(many.sql.arguments.count == 5000)
    var depth = 0
    var deepest = 0
    for character in many.sql.text {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      deepest = max(deepest, depth)
    }
    #expect(deepest <= 2)
  }
}

import Modeling
import SQLite
import Testing

import struct Foundation.Decimal
import struct Foundation.UUID

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct SQLFragmentDisplayTests {
  private static let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!

  @Test(arguments: [
    (Value.null, "NULL"), (.bool(true), "1"), (.bool(false), "0"), (.int(-7), "-7"), (.double(0.5), "0.5"),
    (.double(.nan), "NULL"), (.double(.infinity), "9e999"), (.double(-.infinity), "-9e999"),
    (.date(Timestamp(1.25)), "1.25"), (.decimal(Decimal(string: "1.10")!), "'1.1'"),
    (.string("O'Higgins"), "'O''Higgins'"),
    (.url("http://example.org/'"), "'http://example.org/'''"), (.uuid(uuid), "'\(uuid.uuidString)'"),
    (.data([]), "x''"), (.data([0, 10, 255]), "x'000aff'"), (.json(.object(["a": .int(1)])), #"'{"a":1}'"#),
  ])
  func aValueIsWrittenAsALiteralOfSQL(_ value: Value, _ literal: String) throws {
    let fragment: SQLFragment = "a = \(value: value)"
    #expect(fragment.displayText == "a = \(literal)")
    #expect(fragment.inlined.arguments.isEmpty)
    // SQLite reads the literal as the value that it is given in its place.
    let connection = try Connection(":memory:")
    defer { connection.close() }
    let read = try connection.all("SELECT \(literal), typeof(\(literal))")
    let bound = try connection.all("SELECT ?1, typeof(?1)", [ValueCoding.stored(value)])
    #expect(read == bound)
  }
}

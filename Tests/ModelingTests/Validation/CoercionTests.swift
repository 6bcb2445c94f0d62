import Foundation
import Testing

@testable import Modeling

@Suite struct CoercionTests {
  private func coerce(_ value: Value, to type: AttributeType) throws -> Value {
    try Attribute("x", type).coerce(value)
  }

  private func fact(_ value: Value, to type: AttributeType) -> ValueError.Fact? {
    #expect(throws: ValueError.self) { try Attribute("x", type).coerce(value) }?.fact
  }

  @Test(arguments: AttributeType.allCases)
  func nothingStaysNothing(type: AttributeType) throws {
    #expect(try coerce(.null, to: type) == .null)
  }

  @Test func everyTypeKeepsItsOwnKind() throws {
    let own: [(AttributeType, Value)] = [
      (.integer16, .int(-32768)), (.integer32, .int(2_147_483_647)), (.integer64, .int(.min)), (.decimal, .decimal(1)),
      (.double, .double(.infinity)), (.float, .double(0.1)), (.string, .string("")), (.boolean, .bool(false)),
      (.date, .date(Timestamp(1e12))), (.uuid, .uuid(UUID())), (.url, .url("a")), (.data, .data([0xFF])),
      (.transformable, .json(.array([]))), (.composite, .json(.object([:]))), (.any, .double(1.5)),
    ]
    for (type, value) in own { #expect(try coerce(value, to: type) == value) }
  }

  @Test func numbersBecomeTheTypesOwnKind() throws {
    #expect(try coerce(.double(5), to: .integer16) == .int(5))
    #expect(try coerce(.double(-9_223_372_036_854_775_808), to: .integer64) == .int(.min))
    #expect(try coerce(.decimal(7), to: .integer64) == .int(7))
    #expect(try coerce(.int(5), to: .double) == .double(5))
    #expect(try coerce(.int(5), to: .decimal) == .decimal(5))
    #expect(try coerce(.double(3.133), to: .decimal).displayText == "3.133")
    #expect(try coerce(.decimal(Decimal(exactly: "0.1") ?? 0), to: .double) == .double(0.1))
  }

  @Test func numbersThatDoNotFitAreRefused() {
    #expect(fact(.int(32768), to: .integer16) == .outOfRange(expected: .integer16, value: "32768"))
    #expect(fact(.int(-2_147_483_649), to: .integer32) == .outOfRange(expected: .integer32, value: "-2147483649"))
    #expect(fact(.double(9.3e18), to: .integer64) == .outOfRange(expected: .integer64, value: "9.3e+18"))
    #expect(fact(.double(.infinity), to: .integer64) == .outOfRange(expected: .integer64, value: "inf"))
    #expect(fact(.double(5.5), to: .integer64) == .notWhole(expected: .integer64, value: "5.5"))
    #expect(
      fact(.decimal(Decimal(exactly: "5.5") ?? 0), to: .integer64)
        == .notWhole(expected: .integer64, value: "Decimal \"5.5\""))
    #expect(fact(.double(1e300), to: .float) == .outOfRange(expected: .float, value: "1e+300"))
    #expect(fact(.double(1e300), to: .decimal) == .outOfRange(expected: .decimal, value: "1e+300"))
  }

  @Test(arguments: [AttributeType.integer16, .integer64, .double, .float, .decimal, .any])
  func whatIsNotANumberIsRefused(type: AttributeType) {
    #expect(fact(.double(.nan), to: type) == .notANumber(expected: type, value: "nan"))
  }

  @Test(arguments: [Double.nan, .infinity])
  func aDateMustBeAnInstant(seconds: Double) {
    #expect(fact(.date(Timestamp(seconds)), to: .date) == .notANumber(expected: .date, value: "Date(\(seconds))"))
  }

  @Test func textIsNotConverted() {
    #expect(
      fact(.string("5"), to: .integer64) == .wrongType(expected: .integer64, found: "String", value: "\"5\""))
    #expect(fact(.string("true"), to: .boolean) == .wrongType(expected: .boolean, found: "String", value: "\"true\""))
    #expect(
      fact(.string("2024-01-22"), to: .date) == .wrongType(expected: .date, found: "String", value: "\"2024-01-22\""))
    #expect(fact(.int(1), to: .boolean) == .wrongType(expected: .boolean, found: "Integer", value: "1"))
    #expect(fact(.bool(true), to: .integer64) == .wrongType(expected: .integer64, found: "Bool", value: "true"))
    #expect(fact(.int(1), to: .string) == .wrongType(expected: .string, found: "Integer", value: "1"))
    #expect(fact(.int(0), to: .date) == .wrongType(expected: .date, found: "Integer", value: "0"))
  }

  @Test func uuidsURLsAndDataAreTextsInLua() throws {
    let text = "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"
    #expect(try coerce(.string(text), to: .uuid).displayText == text.uppercased())
    #expect(try coerce(.string("https://a.b/é"), to: .url) == .url("https://a.b/é"))
    #expect(try coerce(.string("é"), to: .data) == .data([0xC3, 0xA9]))
    #expect(try coerce(.data([0xC3, 0xA9]), to: .string) == .string("é"))
    #expect(fact(.string("x"), to: .uuid) == .invalidText(expected: .uuid, value: "\"x\""))
    #expect(fact(.string("a b"), to: .url) == .invalidText(expected: .url, value: "\"a b\""))
    #expect(fact(.string(""), to: .url) == .invalidText(expected: .url, value: "\"\""))
    #expect(fact(.data([0xFF]), to: .string) == .invalidUTF8(value: #"Data "\xff""#))
  }

  @Test func transformableTakesWhatJSONCanSay() throws {
    #expect(try coerce(.int(5), to: .transformable) == .json(.int(5)))
    #expect(try coerce(.list([.int(1), .null]), to: .transformable) == .json(.array([.int(1), .null])))
    #expect(try coerce(.date(Timestamp(0)), to: .transformable) == .json(.string("1970-01-01T00:00:00Z")))
    #expect(try coerce(.data([1, 2, 3]), to: .transformable) == .json(.string("AQID")))
    #expect(try coerce(.json(.null), to: .transformable) == .null)
    #expect(fact(.json(.array([.double(.nan)])), to: .transformable) == .notJSON(value: "[null]"))
  }

  @Test func compositeChecksItsElements() throws {
    var address = Attribute("address", .composite)
    address.elements = [Attribute("city", .string), Attribute("since", .date), Attribute("floor", .integer16)]
    let written = JSON.object(["city": .string("Ulm"), "since": .string("2024-01-22"), "floor": .double(3)])
    let kept = JSON.object(["city": .string("Ulm"), "since": .double(1_705_881_600), "floor": .int(3)])
    #expect(try address.coerce(.json(written)) == .json(kept))
    #expect(try address.coerce(.json(.object(["city": .null]))) == .json(.object([:])))
    #expect(try address.coerce(.json(kept)) == .json(kept))
    #expect(
      address.element(at: ["since"])?.elementValue(.double(1_705_881_600)) == .date(Timestamp(1_705_881_600)))
    #expect(address.element(at: ["since", "year"]) == nil)

    let misspelt = #expect(throws: ValueError.self) { try address.coerce(.json(.object(["citty": .string("Ulm")]))) }
    #expect(misspelt == ValueError(property: "address", .unknownElement("citty", nearest: "city")))
    let wrong = #expect(throws: ValueError.self) { try address.coerce(.json(.object(["floor": .string("3")]))) }
    #expect(wrong?.property == "address.floor")
    #expect(wrong?.fact == .wrongType(expected: .integer16, found: "String", value: "\"3\""))
    #expect(throws: ValueError.self) { try address.coerce(.string("Ulm")) }
  }

  @Test func aColumnWithoutTypeHoldsWhatARowHolds() throws {
    #expect(try coerce(.bool(true), to: .any) == .int(1))
    #expect(try coerce(.date(Timestamp(0)), to: .any) == .string("1970-01-01T00:00:00Z"))
    #expect(fact(.list([]), to: .any) == .wrongType(expected: .any, found: "list", value: "{}"))
  }

  @Test func longValuesAreCutInMessages() {
    let long = String(repeating: "x", count: 100_000)
    for value in [Value.string(long), .url(long), .data(Array(long.utf8)), .json(.string(long))] {
      #expect(value.shortText.count < 130)
    }
  }

  @Test func anErrorLearnsItsEntityLater() throws {
    let entity = try #require(Model([EntityDescription("Quake")]).entity(named: "Quake"))
    let error = #expect(throws: ValueError.self) { try Attribute("x", .date).coerce(.int(1)) }
    #expect(error?.of(entity).entity == "Quake")
  }
}

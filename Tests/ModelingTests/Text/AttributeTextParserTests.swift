import Foundation
import Testing

@testable import Modeling

@Suite struct AttributeTextParserTests {
  private func parse(_ text: String, _ type: AttributeType, quoted: Bool = false) throws -> Value {
    let parser = AttributeTextParser(Attribute("x", type))
    return try Array(text.utf8).withUnsafeBytes { try parser.parse($0, wasQuoted: quoted).value }
  }

  private func fact(_ text: String, _ type: AttributeType) -> ValueError.Fact? {
    #expect(throws: ValueError.self) { try parse(text, type) }?.fact
  }

  @Test(arguments: AttributeType.allCases)
  func nothingIsNil(type: AttributeType) throws {
    #expect(try parse("", type) == .null)
  }

  @Test func quotedNothingIsEmptyTextOnlyWhereTextIsMeant() throws {
    #expect(try parse("", .string, quoted: true) == .string(""))
    #expect(try parse("", .data, quoted: true) == .data([]))
    #expect(try parse("", .integer64, quoted: true) == .null)
    #expect(try parse("", .date, quoted: true) == .null)
  }

  @Test func everyTypeReadsItsText() throws {
    let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    let cases: [(AttributeType, String, Value)] = [
      (.integer16, "-5", .int(-5)), (.integer64, " 5 ", .int(5)), (.integer64, "5.0", .int(5)),
      (.integer32, "1e3", .int(1000)),
      (.double, "5.25", .double(5.25)), (.float, " 1e3", .double(1000)), (.double, "inf", .double(.infinity)),
      (.decimal, "1.10", .decimal(try #require(Decimal(exactly: "1.1")))), (.string, " a ", .string(" a ")),
      (.date, "2024-01-22T16:26:12Z", .date(Timestamp(1_705_940_772))),
      (.date, " 2024-01-22 ", .date(Timestamp(1_705_881_600))),
      (.date, "1705940772.5", .date(Timestamp(1_705_940_772.5))),
      (.uuid, uuid.lowercased(), .uuid(try #require(UUID(lenient: uuid)))),
      (.url, "https://a.b", .url("https://a.b")), (.data, "AQID", .data([1, 2, 3])),
      (.transformable, #"{"a":[1]}"#, .json(.object(["a": .array([.int(1)])]))), (.transformable, "null", .null),
      (.any, "5", .int(5)), (.any, "05", .string("05")), (.any, "1.5", .double(1.5)), (.any, "x", .string("x")),
    ]
    for (type, text, value) in cases { #expect(try parse(text, type) == value, "\(text)") }
    #expect(try parse("5", .any, quoted: true) == .string("5"))
  }

  @Test(arguments: [
    ("true", true), ("TRUE", true), ("1", true), ("yes", true), ("T", true), ("false", false), ("0", false),
    ("No", false),
    (" f ", false),
  ])
  func booleansHaveManyNames(text: String, flag: Bool) throws {
    #expect(try parse(text, .boolean) == .bool(flag))
  }

  @Test func datesAndNumbersAreReadAsPeopleWriteThem() throws {
    let eve = Value.date(Timestamp(1_735_034_400))
    for text in ["24.12.2024 10:00", "2024/12/24 10:00:00", " 24.12.2024 10:00Z "] {
      #expect(try parse(text, .date) == eve)
    }
    #expect(fact("12/24/2024", .date) != nil)
    #expect(fact("31.02.2024", .date) != nil)
    #expect(fact("12,5", .double) != nil)
    let parser = AttributeTextParser(Attribute("x", .double))
    parser.notation.hasDecimalComma = true
    #expect(try Array("-12,5".utf8).withUnsafeBytes { try parser.parse($0, wasQuoted: false).value } == .double(-12.5))
  }

  @Test func whatDoesNotReadSaysWhatWasExpectedAndFound() {
    #expect(fact("abc", .integer64) == .invalidText(expected: .integer64, value: "\"abc\""))
    #expect(fact("5.5", .integer64) == .notWhole(expected: .integer64, value: "Decimal \"5.5\""))
    #expect(fact("40000", .integer16) == .outOfRange(expected: .integer16, value: "40000"))
    #expect(
      fact("9223372036854775808", .integer64)
        == .outOfRange(expected: .integer64, value: "Decimal \"9223372036854775808\""))
    #expect(fact("nan", .double) == .invalidText(expected: .double, value: "\"nan\""))
    #expect(fact("1e300", .float) == .outOfRange(expected: .float, value: "1e+300"))
    #expect(fact("maybe", .boolean) == .invalidText(expected: .boolean, value: "\"maybe\""))
    #expect(fact("2024-02-30", .date) == .invalidText(expected: .date, value: "\"2024-02-30\""))
    #expect(fact("x", .uuid) == .invalidText(expected: .uuid, value: "\"x\""))
    #expect(fact("a b", .url) == .invalidText(expected: .url, value: "\"a b\""))
    #expect(fact("?", .data) == .invalidText(expected: .data, value: "\"?\""))
    #expect(fact("{", .transformable) == .invalidText(expected: .transformable, value: "\"{\""))
    #expect(fact("1,5", .decimal) == .invalidText(expected: .decimal, value: "\"1,5\""))
  }

  @Test func textMustBeUTF8() {
    let parser = AttributeTextParser(Attribute("x", .string))
    let error = #expect(throws: ValueError.self) {
      try [UInt8]([0x61, 0xFF]).withUnsafeBytes { _ = try parser.parse($0, wasQuoted: false) }
    }
    #expect(error?.fact == .invalidUTF8(value: #"Data "a\xff""#))
  }

  @Test func otherTextsMayStandForNil() throws {
    let parser = AttributeTextParser(Attribute("x", .double))
    parser.nullTexts = ["NA"]
    let (plain, quoted) = try Array("NA".utf8).withUnsafeBytes { bytes in
      (try parser.parse(bytes, wasQuoted: false).value, try? parser.parse(bytes, wasQuoted: true).value)
    }
    #expect(plain == .null)
    #expect(quoted == nil)
  }

  @Test func jsonFieldsReadAsTheAttributesType() throws {
    #expect(try Attribute("x", .date).value(from: .string("2024-01-22")) == .date(Timestamp(1_705_881_600)))
    #expect(try Attribute("x", .date).value(from: .int(5)) == .date(Timestamp(5)))
    #expect(try Attribute("x", .decimal).value(from: .string("1.10")).displayText == "1.1")
    #expect(try Attribute("x", .decimal).value(from: .double(3.133)).displayText == "3.133")
    #expect(try Attribute("x", .data).value(from: .string("AQID")) == .data([1, 2, 3]))
    #expect(try Attribute("x", .integer64).value(from: .double(5)) == .int(5))
    #expect(try Attribute("x", .integer64).value(from: .null) == .null)
    #expect(throws: ValueError.self) { try Attribute("x", .integer64).value(from: .string("5")) }
    #expect(throws: ValueError.self) { try Attribute("x", .string).value(from: .array([])) }
  }
}

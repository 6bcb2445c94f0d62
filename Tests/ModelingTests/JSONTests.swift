import Foundation
import TestSupport
import Testing

@testable import Modeling

@Suite(.seeded) struct JSONTests {
  @Test func everyKindIsRead() throws {
    let json = try JSON.parse(#" {"a" : [1, -2.5, true, false, null, "x\n\u00e9\ud83d\ude00"], "b": {}, "c":[]} "#)
    #expect(
      json
        == .object([
          "a": .array([.int(1), .double(-2.5), .bool(true), .bool(false), .null, .string("x\né😀")]),
          "b": .object([:]), "c": .array([]),
        ]))
  }

  @Test func integersOfSixtyFourBitsStayExact() throws {
    #expect(try JSON.parse("9223372036854775807") == .int(.max))
    #expect(try JSON.parse("-9223372036854775808") == .int(.min))
    #expect(try JSON.parse("9223372036854775808") == .double(9_223_372_036_854_775_808))
    #expect(try JSON.parse("1.0") == .double(1))
    #expect(try JSON.parse("1e2") == .double(100))
    #expect(try JSON.parse("-0") == .double(-0.0))
  }

  @Test func theLastOfEqualKeysCounts() throws {
    #expect(try JSON.parse(#"{"a":1,"a":2}"#) == .object(["a": .int(2)]))
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    #expect(try JSON.parse("\u{FEFF}1") == .int(1))
  }

  @Test(arguments: [
    ("", JSONError.Fact.unexpectedEnd(expected: "a value"), 1, 1),
    ("[1,\n 2", .unexpectedEnd(expected: "',' or ']'"), 2, 3),
    ("[1 2]", .unexpected(found: "2", expected: "',' or ']'"), 1, 4),
    ("[1,]", .unexpected(found: "]", expected: "a value"), 1, 4),
    ("{a:1}", .unexpected(found: "a", expected: "a key in quotes"), 1, 2),
    ("{\"a\" 1}", .unexpected(found: "1", expected: "':'"), 1, 6),
    ("{\"a\":1,}", .unexpected(found: "}", expected: "a key in quotes"), 1, 8),
    ("{\"a\":1 \"b\"", .unexpected(found: "\"", expected: "',' or '}'"), 1, 8),
    ("1 2", .trailingText("2"), 1, 3),
    ("nul", .unexpected(found: "nul", expected: "a value"), 1, 1),
    ("NaN", .unexpected(found: "NaN", expected: "a value"), 1, 1),
    ("01", .invalidNumber("01"), 1, 1),
    ("-", .invalidNumber("-"), 1, 1),
    ("1.", .invalidNumber("1."), 1, 1),
    ("1e+", .invalidNumber("1e+"), 1, 1),
    ("1e1000", .numberOutOfRange("1e1000"), 1, 1),
    ("[\"é\", \"abc", .unterminatedString, 1, 7),
    ("\"a\u{1}\"", .controlCharacter(1), 1, 3),
    (#""a\x""#, .invalidEscape(#"\x"#), 1, 3),
    (#""\u12g4""#, .invalidEscape(#"\u12g4"#), 1, 2),
    (#""\u12"#, .invalidEscape(#"\u12"#), 1, 2),
    (#""\ud800""#, .loneSurrogate(#"\ud800"#), 1, 2),
    (#""\ude00""#, .loneSurrogate(#"\ude00"#), 1, 2),
    (#""\ud800\u0041""#, .loneSurrogate(#"\ud800"#), 1, 2),
  ])
  func mistakesHaveAPlace(text: String, fact: JSONError.Fact, line: Int, column: Int) {
    let error = #expect(throws: JSONError.self) { try JSON.parse(text) }
    #expect(error?.fact == fact)
    #expect(error?.place.line == line)
    #expect(error?.place.column == column)
  }

  @Test(arguments: [
    [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80],
  ])
  func whatIsNoUTF8IsRejected(bytes: [UInt8]) {
    let error = #expect(throws: JSONError.self) { try JSON.parse([0x22, 0x61] + bytes + [0x22]) }
    #expect(error?.fact == .invalidUTF8)
    #expect(error?.offset == 2)
  }

  @Test func nestingHasALimit() throws {
    let limit = Nesting.json
    _ = try JSON.parse(String(repeating: "[", count: limit) + String(repeating: "]", count: limit))
    let error = #expect(throws: JSONError.self) { try JSON.parse(String(repeating: "[", count: 1_000_000)) }
    #expect(error?.fact == .tooDeep(limit: limit))
  }

  @Test func keysArePrintedSortedAndNumbersShort() {
    let json = JSON.object([
      "b": .double(0.1), "a": .double(1), "c": .array([.double(.nan), .double(.infinity), .int(.min), .double(1e100)]),
      "\"\\\n\u{1}é": .string("\u{7F}/"),
    ])
    #expect(
      json.text
        == #"{"\"\\\n\u0001é":"\#u{7F}/","a":1.0,"b":0.1,"c":[null,null,-9223372036854775808,1e+100]}"#)
  }

  @Test func whatIsPrintedReadsBackTheSame() throws {
    var random = SplitMix(seed: 2)
    for _ in 0..<2_000 {
      let json = Self.anyJSON(depth: 4, using: &random)
      let text = json.text
      #expect(try JSON.parse(text) == json, "\(text)")
    }
  }

  @Test func foundationReadsWhatIsPrinted() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<300 {
      let json = JSON.array([Self.anyJSON(depth: 3, using: &random)])
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.text.utf8)) }
    }
  }

  /// Every prefix, and every text with one byte changed, is read or refused, and never traps.
  @Test func damagedTextNeverTraps() throws {
    var random = SplitMix(seed: 4)
    for _ in 0..<200 {
      var bytes = Array(Self.anyJSON(depth: 4, using: &random).text.utf8)
      for end in bytes.indices { _ = try? JSON.parse(Array(bytes[..<end])) }
      for index in bytes.indices {
        let byte = bytes[index]
        bytes[index] = random.next().isMultiple(of: 2) ? UInt8.random(in: 0...255, using: &random) : byte ^ 1
        _ = try? JSON.parse(bytes)
        bytes[index] = byte
      }
    }
  }

  @Test func wellFormedUTF8IsWhatTheStandardLibraryAccepts() {
    var random = SplitMix(seed: 5)
    for _ in 0..<20_000 {
      let interesting: [UInt8] = [
        0x41, 0x80, 0xBF, 0xC2, 0xDF, 0xE0, 0xA0, 0x9F, 0xED, 0xEF, 0xF0, 0x90, 0x8F, 0xF4, 0xF5,
      ]
      let bytes = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
        interesting.randomElement(using: &random)
      }
      let valid = bytes.withUnsafeBytes { isValidUTF8($0) }
      if valid != (String(validating: bytes, as: UTF8.self) != nil) { Issue.record("\(bytes)") }
    }
  }

  static func anyJSON(depth: Int, using random: inout SplitMix) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .int(Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0...63, using: &random))
    case 3: .double(anyDouble(using: &random))
    case 4, 5: .string(anyString(using: &random))
    case 6: .array((0..<Int.random(in: 0...4, using: &random)).map { _ in anyJSON(depth: depth - 1, using: &random) })
    default:
      .object(
        Dictionary(
          (0..<Int.random(in: 0...4, using: &random)).map { _ in
            (anyString(using: &random), anyJSON(depth: depth - 1, using: &random))
          }, uniquingKeysWith: { $1 }))
    }
  }

  static func anyDouble(using random: inout SplitMix) -> Double {
    let value = Double(bitPattern: random.next())
    return value.isFinite ? value : Double(Int.random(in: -1000...1000, using: &random)) / 8
  }

  static func anyString(using random: inout SplitMix) -> String {
    let letters: [Character] = [
      "a", "Z", "\"", "\\", "\n", "\r\n", "\t", "\0", "é", "e\u{301}", "😀", ",", "/", "\u{2028}", " ",
    ]
    return String((0..<Int.random(in: 0...8, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
  }
}

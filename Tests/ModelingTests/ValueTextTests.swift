import Foundation
import Testing

@testable import Modeling

@Suite struct ValueTextTests {
  static let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"

  @Test(arguments: [
    uuid, uuid.lowercased(), "{\(uuid)}", "urn:uuid:\(uuid)", "URN:UUID:\(uuid)",
    uuid.replacingOccurrences(of: "-", with: ""),
  ])
  func uuidsAreReadInAnyUsualForm(text: String) {
    #expect(UUID(lenient: text)?.canonicalText == Self.uuid)
  }

  @Test(arguments: [
    "", "x", String(uuid.dropLast()), uuid + "0", "{\(uuid)", "G" + uuid.dropFirst(),
    "E621E1F8C-36C-495A-93FC-0C247A3E6E5F", String(repeating: "-", count: 36),
  ])
  func whatIsNoUUIDIsRejected(text: String) {
    #expect(UUID(lenient: text) == nil)
  }

  @Test func valuesShowForPeopleAndForLua() throws {
    let uuid = try #require(UUID(lenient: Self.uuid))
    let cases: [(Value, display: String, debug: String)] = [
      (.null, "nil", "nil"), (.bool(true), "true", "true"), (.int(-5), "-5", "-5"), (.double(5), "5.0", "5.0"),
      (.double(0.1), "0.1", "0.1"), (.double(.infinity), "inf", "inf"),
      (.decimal(Decimal(string: "1.10") ?? 0), "1.1", "Decimal \"1.1\""),
      (.string("a \"b\"\n\u{1}"), "a \"b\"\n\u{1}", #""a \"b\"\n\x01""#),
      (.date(Timestamp(0)), "1970-01-01T00:00:00Z", "Date \"1970-01-01T00:00:00Z\""),
      (.date(Timestamp(1e300)), "Date(1e+300)", "Date(1e+300)"),
      (.uuid(uuid), Self.uuid, "UUID \"\(Self.uuid)\""), (.url("https://a.b"), "https://a.b", "URL \"https://a.b\""),
      (.data([0x61, 0xFF, 0x22]), "<3 bytes>", #"Data "a\xff\"""#), (.data([0x61]), "<1 byte>", "Data \"a\""),
      (.json(.object(["a": .int(1)])), #"{"a":1}"#, #"{"a":1}"#),
      (.list([.int(1), .string("x")]), #"{1, "x"}"#, #"{1, "x"}"#),
    ]
    for (value, display, debug) in cases {
      #expect(value.displayText == display)
      #expect(value.debugText == debug)
    }
  }

  @Test func aValueIsAsWideAsItSays() {
    #expect(MemoryLayout<Value>.stride <= 24)
  }
}

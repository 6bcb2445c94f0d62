import TestSupport
import Testing

@testable import Modeling

@Suite(.seeded) struct NumberParserTests {
  private func int(_ text: String) -> Int64? { Array(text.utf8).withUnsafeBytes { parseInt64($0) } }

  private func double(_ text: String) -> Double? { Array(text.utf8).withUnsafeBytes { parseDouble($0) } }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("+7", 7), ("007", 7), ("9223372036854775807", Int64.max), ("-9223372036854775808", .min),
    ("000000000000000000000000000001", 1),
  ])
  func integersAreRead(text: String, number: Int64) { #expect(int(text) == number) }

  @Test(arguments: [
    "", "-", "+", "1.0", "1e2", " 1", "1 ", "0x1", "--1", "9223372036854775808", "-9223372036854775809", "１",
  ])
  func whatIsNoIntegerIsRejected(text: String) { #expect(int(text) == nil) }

  @Test(arguments: [
    ("0", 0), ("-0", -0.0), ("1.5", 1.5), (".5", 0.5), ("5.", 5), ("6.02e23", 6.02e23), ("1E-3", 0.001), ("+1e+2", 100),
    ("123456789012345678901234567890", Double(sign: .plus, exponent: 96, significand: 1.5582437493753356)),
    ("9007199254740993", 9007199254740992),
    ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0), ("1.7976931348623157e308", .greatestFiniteMagnitude),
    ("0e999999999999", 0),
    ("inf", .infinity), ("-Infinity", -.infinity), ("0.000000000000000000000000000001", 1e-30),
  ])
  func doublesAreRead(text: String, number: Double) {
    #expect(double(text)?.bitPattern == number.bitPattern)
  }

  @Test(arguments: [
    "", "-", ".", "e5", "1e", "1e+", "1e999", "-1e999", "nan", "0x1p3", "1,5", "1.2.3", " 1", "1e5.5", "in", "infinit",
  ])
  func whatIsNoDoubleIsRejected(text: String) { #expect(double(text) == nil) }

  @Test func theShortestDigitsOfAnyDoubleReadBack() {
    var random = SplitMix(seed: 10)
    for _ in 0..<20_000 {
      let number = JSONTests.anyDouble(using: &random)
      if double("\(number)") != number { Issue.record("\(number)") }
    }
  }

  @Test func shortDecimalsAgreeWithTheStandardLibrary() {
    var random = SplitMix(seed: 11)
    for _ in 0..<20_000 {
      let digits = String(random.next() >> UInt64.random(in: 0...63, using: &random))
      let text =
        switch Int.random(in: 0...2, using: &random) {
        case 0: "0.\(digits)"
        case 1: "\(digits).\(digits.prefix(4))"
        default: "\(digits)e\(Int.random(in: -30...30, using: &random))"
        }
      if double(text) != Double(text) { Issue.record("\(text)") }
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import Modeling

@Suite(.seeded) struct DecimalTextTests {
  @Test(arguments: [
    ("1.10", "1.1"), ("-12", "-12"), ("+5", "5"), (".5", "0.5"), ("5.", "5"), ("007", "7"), ("-0", "0"), ("0.000", "0"),
    ("6.02e23", "602000000000000000000000"), ("1e-7", "0.0000001"), ("100", "100"),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("-0.12345678901234567890123456789012345678", "-0.12345678901234567890123456789012345678"),
    ("100000000000000000000000000000", "100000000000000000000000000000"),
    ("1.0000000000000000000000000000000000000000000000", "1"),
    ("99999999999999999999.5", "99999999999999999999.5"),
  ])
  func textIsReadExactlyAndPrintedPlainly(text: String, canonical: String) {
    #expect(Decimal(exactly: text)?.canonicalText == canonical)
  }

  @Test(arguments: [
    "", "-", ".", "1,5", "1.2.3", "0x10", "NaN", "inf", " 1", "1 ", "1e", "e5", "--1", "1e200", "1e-200", "１",
    "123456789012345678901234567890123456789", "0.123456789012345678901234567890123456789",
  ])
  func whatIsNoDecimalOrWouldBeRoundedIsRejected(text: String) {
    #expect(Decimal(exactly: text) == nil)
  }

  @Test func doublesBecomeTheirShortestDigits() {
    #expect(Decimal(shortest: 3.133)?.canonicalText == "3.133")
    #expect(Decimal(shortest: 1e20)?.canonicalText == "100000000000000000000")
    #expect(Decimal(shortest: .nan) == nil)
    #expect(Decimal(shortest: 1e300) == nil)
  }

  @Test func canonicalTextReadsBackTheSame() {
    var random = SplitMix(seed: 6)
    for _ in 0..<3_000 {
      let decimal = Self.anyDecimal(using: &random)
      if Decimal(exactly: decimal.canonicalText) != decimal { Issue.record("\(decimal)") }
    }
  }

  @Test func textSortsAsTheNumbersDo() {
    var random = SplitMix(seed: 7)
    for _ in 0..<10_000 {
      let (left, right) = (Self.anyDecimal(using: &random), Self.anyDecimal(using: &random))
      let expected = left < right ? -1 : left == right ? 0 : 1
      if compareDecimalText(left.canonicalText, right.canonicalText) != expected { Issue.record("\(left) \(right)") }
    }
  }

  @Test func equalNumbersAreEqualHoweverTheyAreWritten() {
    for (left, right) in [("1.10", "1.1"), ("-0", "0"), ("+1", "1.000"), (".5", "0.5"), ("007", "7."), ("-0.0", "+0")] {
      #expect(compareDecimalText(left, right) == 0)
      #expect(compareDecimalText(right, left) == 0)
    }
  }

  @Test func everyTextHasItsPlaceInOneOrder() {
    let ordered = [
      "-100", "-99.5", "-1.01", "-1", "-0.5", "0", "0.4999", ".5", "1", "1.5", "2", "10", "99999999999999999999", "",
      ".",
      "1e5", "NaN", "abc", "abcd",
    ]
    for (i, left) in ordered.enumerated() {
      for (j, right) in ordered.enumerated() {
        #expect(compareDecimalText(left, right).signum() == (i - j).signum(), "\(left) \(right)")
      }
    }
  }

  static func anyDecimal(using random: inout SplitMix) -> Decimal {
    let count = Int.random(in: 1...38, using: &random)
    let digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
    let point = Int.random(in: 0...count, using: &random)
    let sign = Bool.random(using: &random) ? "-" : ""
    return Decimal(exactly: "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))") ?? .nan
  }
}

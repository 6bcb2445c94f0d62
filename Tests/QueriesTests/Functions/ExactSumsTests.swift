import Queries
import TestSupport
import Testing

import struct Foundation.Decimal

/// Sums that are rounded once, held against a plain reference: the list of what is left over in each addition.
@Suite struct ExactSumsTests {
  private func sum(_ numbers: [Double]) -> Double {
    var sums = ExactSums(count: 1)
    for number in numbers { sums.add(number, to: 0) }
    return sums.double(at: 0)
  }

  @Test func sumsAreRoundedOnce() {
    let least = Double.leastNonzeroMagnitude
    #expect(sum(Array(repeating: 0.1, count: 10)) == 1)
    #expect(sum([1e300, 1, -1e300]) == 1)
    #expect(sum([0x1p53, 1, 1]) == 0x1p53 + 2)
    // Half way between two doubles it is the even one, and a little more decides.
    #expect(sum([0x1p53, 1]) == 0x1p53)
    #expect(sum([0x1p53 + 2, 1]) == 0x1p53 + 4)
    #expect(sum([0x1p53, 1, least]) == 0x1p53 + 2)
    #expect(sum([least, least]) == 2 * least)
    #expect(sum([.leastNormalMagnitude, -least]) == Double.leastNormalMagnitude.nextDown)
  }

  @Test func sumsLeaveTheRangeOfDoublesAndComeBack() {
    let greatest = Double.greatestFiniteMagnitude
    #expect(sum([greatest, greatest]) == .infinity)
    #expect(sum([-greatest, -greatest]) == -.infinity)
    #expect(sum([greatest, greatest, -greatest]) == greatest)
    #expect(sum([greatest, greatest.ulp / 2]) == .infinity)
    #expect(sum([greatest, (greatest.ulp / 2).nextDown]) == greatest)
  }

  @Test func zerosHaveNoSign() {
    #expect(sum([-0.0]).bitPattern == 0)
    #expect(sum([-1, 1]).bitPattern == 0)
    #expect(sum([]).bitPattern == 0)
  }

  @Test func whatIsInfiniteOrNoNumberCanBeTakenAway() {
    var sums = ExactSums(count: 2)
    sums.add(2.5, to: 1)
    sums.add(.infinity, to: 1)
    #expect(sums.double(at: 1) == .infinity)
    sums.add(-.infinity, to: 1)
    #expect(sums.double(at: 1).isNaN)
    sums.subtract(.infinity, from: 1)
    #expect(sums.double(at: 1) == -.infinity)
    sums.add(.nan, to: 1)
    #expect(sums.double(at: 1).isNaN)
    sums.subtract(.nan, from: 1)
    sums.subtract(-.infinity, from: 1)
    #expect(sums.double(at: 1) == 2.5)
    #expect(sums.double(at: 0) == 0)
  }

  @Test func aNumberAddedSoManyTimesIsTheSumOfAsMany() {
    let numbers: [Double] = [0.1, -1e300, .leastNonzeroMagnitude, 0x1p62, 3, -0.7, .infinity]
    for number in numbers {
      for times in [0, 1, 2, 1000, 12_345] {
        var sums = ExactSums(count: 2)
        sums.add(number, times: times, to: 0)
        for _ in 0..<times { sums.add(number, to: 1) }
        if times > 0 || number.isFinite { #expect(sums.double(at: 0) == sums.double(at: 1), "\(number) \(times)") }
      }
    }
    var sums = ExactSums(count: 2)
    sums.add(integer: .min, times: 3, to: 0)
    for _ in 0..<3 { sums.add(integer: .min, to: 1) }
    #expect(sums.double(at: 0) == sums.double(at: 1))
  }

  @Test func partsAddUpToTheSumOfTheirNumbers() {
    let numbers = [0.1, -5.3, 1e15 + 0.25, -0.0009, 0x1p-70]
    var sums = ExactSums(count: 1)
    for number in numbers {
      var rest = number
      for part in 0..<3 {
        let whole = rest.rounded()
        sums.add((Int64(whole), -62 * part), to: 0)
        rest = (rest - whole) * 0x1p62
      }
    }
    #expect(sums.double(at: 0) == sum(numbers))
  }

  @Test func integersAreExactBeyondTheRangeOfDoubles() {
    var sums = ExactSums(count: 1)
    sums.add(integer: .max, to: 0)
    #expect(sums.integer(at: 0) == .max)
    sums.add(integer: 1, to: 0)
    #expect(sums.integer(at: 0) == nil)
    #expect(sums.double(at: 0) == 0x1p63)
    sums.subtract(integer: 2, from: 0)
    #expect(sums.integer(at: 0) == Int64.max - 1)
    sums.clear(0)
    sums.add(integer: .min, to: 0)
    #expect(sums.integer(at: 0) == .min)
    sums.add(0.5, to: 0)
    #expect(sums.integer(at: 0) == nil)
  }

  @Test(.seeded, arguments: 0..<60)
  func sumsOfRandomNumbersAreThoseOfThePlainReference(_ round: UInt64) {
    var random = SplitMix(seed: round)
    let spread = Int.random(in: 1...600, using: &random)
    let count = Int.random(in: 1...5, using: &random)
    var sums = ExactSums()
    sums.grow(to: count)
    var terms = Array(repeating: [Double](), count: count)
    for _ in 0..<400 {
      let index = Int.random(in: 0..<count, using: &random)
      if !terms[index].isEmpty, Int.random(in: 0..<3, using: &random) == 0 {
        let place = Int.random(in: terms[index].indices, using: &random)
        sums.subtract(terms[index].remove(at: place), from: index)
      } else {
        let sign = Bool.random(using: &random) ? 1.0 : -1.0
        let fraction = Double.random(in: 1..<2, using: &random)
        let number =
          sign
          * Double(
            sign: .plus, exponent: Int.random(in: -spread...spread, using: &random),
            significand: Bool.random(using: &random) ? fraction : 1)
        terms[index].append(number)
        sums.add(number, to: index)
      }
      #expect(sums.double(at: index) == plainSum(terms[index]))
    }
  }

  @Test(.seeded, arguments: 0..<20)
  func whatIsTakenAwayAgainLeavesNothing(_ round: UInt64) {
    var random = SplitMix(seed: round)
    var sums = ExactSums(count: 1)
    sums.add(0.1, to: 0)
    var terms = (0..<1_000).map { _ in Double(bitPattern: UInt64.random(in: 0 ... .max, using: &random)) }
    for term in terms { sums.add(term, to: 0) }
    terms.shuffle(using: &random)
    for term in terms { sums.subtract(term, from: 0) }
    #expect(sums.double(at: 0) == 0.1)
  }

  @Test(.seeded, arguments: 0..<40)
  func sumsOfDecimalsDoNotDependOnTheOrder(_ round: UInt64) {
    var random = SplitMix(seed: round)
    func decimal() -> Decimal {
      let digits = (0..<Int.random(in: 1...38, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }
      let sign = Bool.random(using: &random) ? "-" : ""
      return Decimal(string: sign + digits.joined() + "e\(Int.random(in: -40...20, using: &random))") ?? 0
    }
    var terms = (0..<50).map { _ in decimal() }
    let others = (0..<50).map { _ in decimal() }
    var (one, other) = (ExactDecimalSum(), ExactDecimalSum())
    for term in terms { one.add(term) }
    terms.shuffle(using: &random)
    for term in others { other.add(term) }
    for term in terms { other.add(term) }
    for term in others { other.subtract(term) }
    #expect(one.total == other.total)
  }

  @Test func sumsOfDecimalsAreExact() throws {
    func sum(_ texts: String...) -> String {
      var sum = ExactDecimalSum()
      for text in texts { sum.add(Decimal(string: text) ?? .nan) }
      return "\(sum.total)"
    }
    #expect(sum() == "0")
    #expect(sum("0.1", "0.2") == "0.3")
    #expect(sum("1e30", "1e-30", "-1e30") == "0.000000000000000000000000000001")
    #expect(sum("999999999999999999", "1") == "1000000000000000000")
    #expect(sum("1000000000000000000", "-0.000000000000000001") == "999999999999999999.999999999999999999")
    #expect(sum("99999999999999999999999999999999999999", "0.5") == "100000000000000000000000000000000000000")
    #expect(sum("-99999999999999999999999999999999999999", "0.4") == "-99999999999999999999999999999999999999")
  }
}

/// The sum, rounded once, of numbers whose partial sums are finite.
private func plainSum(_ numbers: [Double]) -> Double {
  // Numbers that do not overlap, the least first, whose sum is exact.
  var parts: [Double] = []
  for number in numbers {
    var (rest, kept) = (number, [Double]())
    for part in parts {
      let (greater, less) = abs(rest) < abs(part) ? (part, rest) : (rest, part)
      let sum = greater + less
      let leftOver = less - (sum - greater)
      if leftOver != 0 { kept.append(leftOver) }
      rest = sum
    }
    parts = kept + [rest]
  }
  guard var sum = parts.popLast() else { return 0 }
  var leftOver = 0.0
  while let part = parts.popLast() {
    let whole = sum
    sum = whole + part
    leftOver = part - (sum - whole)
    if leftOver != 0 { break }
  }
  // A half that was rounded to even goes the other way where more is left over on its side.
  if let next = parts.last, (leftOver < 0) == (next < 0), leftOver != 0 {
    let twice = leftOver * 2
    let other = sum + twice
    if other - sum == twice { sum = other }
  }
  return sum
}

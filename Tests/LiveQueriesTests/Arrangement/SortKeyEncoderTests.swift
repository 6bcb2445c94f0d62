import Modeling
import Queries
import TestSupport
import Testing

import struct Foundation.Decimal
import struct Foundation.UUID

@testable import LiveQueries

/// The bytes of sort keys compare as `Value.order` and SQLite compare the values.
@Suite(.seeded) struct SortKeyEncoderTests {
  typealias Comparator = SortDescriptor.StringComparator

  private static let numbers: [Value] = {
    var values: [Value] = [.null, .bool(false), .bool(true), .date(Timestamp(0.5)), .date(Timestamp(-1e9))]
    let doubles: [Double] = [
      .nan, -0.0, 0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
      0x1p63, -0x1p63, -0x1.0000000000001p63, 0x1.0000000000001p63,
    ]
    values += doubles.map { .double($0) }
    let integers: [Int64] = [0, 1, -1, .min, .max, .max - 1, .min + 1]
    values += integers.map { .int($0) }
    for shift in [52, 53, 54, 55, 60, 62] {
      let power = Int64(1) << shift
      for distance: Int64 in -3...3 {
        values += [.int(power + distance), .int(-power + distance), .double(Double(power + distance))]
      }
    }
    return values
  }()

  private static let texts: [String] = [
    "", "a", "A", "ab", "a\0", "a\0b", "a\u{1}", "\0", "\u{1}", "\u{1}\u{1}", "á", "a\u{301}", "Z", "ß", "ss", "ÿ", "😀",
    "Ōsaka", "osaka",
    "Quake 9", "Quake 10", "quake 010", "Quake 1", "9", "09", "10", "010", "0", "00", "", "1a", "1", "a1b2", "a01b2",
    "a1b10",
    "a/", "a:", "a0", "a00", "long text that goes on", "long text that goes on and on", "ſ", "K",
  ]

  @Test(arguments: [true, false]) func numbersCompareExactly(isAscending: Bool) {
    expectOrder(Self.numbers, isAscending, .binary)
  }

  @Test(arguments: Comparator.allCases, [true, false])
  func textsCompareAsTheComparatorSays(comparator: Comparator, isAscending: Bool) {
    expectOrder(Self.texts.map { .string($0) }, isAscending, comparator)
  }

  @Test(arguments: Comparator.allCases)
  func randomTextsCompareAsTheComparatorSays(comparator: Comparator) {
    var random = SplitMix(seed: 7)
    let letters: [Character] = ["a", "A", "b", "0", "1", "9", "é", "\0", "\u{1}", "/", ":", "ß", " ", "\u{301}"]
    let texts = (0..<90).map { _ in
      Value.string(
        String((0..<Int.random(in: 0...7, using: &random)).compactMap { _ in letters.randomElement(using: &random) }))
    }
    expectOrder(texts, true, comparator)
    expectOrder(texts, false, comparator)
  }

  @Test(arguments: [true, false]) func valuesOfDifferentClassesCompareByClass(isAscending: Bool) {
    let values: [Value] = [
      .null, .int(3), .double(.infinity), .double(-.infinity), .string(""), .string("z"), .url("http://a"), .data([]),
      .data([0]), .data([0, 0]), .data([0, 1]), .data([1]), .data([255, 255]), .uuid(UUID()), .list([]), .bool(true),
    ]
    expectOrder(values, isAscending, .binary)
  }

  @Test(arguments: [true, false]) func decimalsCompareWithWhatStandsBesideThem(isAscending: Bool) {
    let digits = [
      "0", "1", "-1", "12.5", "12.50001", "-12.5", "0.05", "0.5", "-0.05", "99999999999999999999999999999999999999",
      "1e-100",
      "-1e-100", "1e100", "9007199254740993", "9007199254740992.5", "100", "10", "0.1", "0.10000000000000000001",
    ]
    var values: [Value] = digits.compactMap { Decimal(exactly: $0).map { .decimal($0) } }
    #expect(values.count == digits.count)
    values += [
      .int(1), .int(100), .int(.max), .int(.min), .int(9_007_199_254_740_993), .double(0.1), .double(-12.5), .null,
      .bool(true),
    ]
    let encoder = SortKeyEncoder([.init(isAscending: isAscending, kind: .decimal)])
    expectOrder(values, SortDescriptor("x").with(isAscending, .binary), encoder)
    let doubles: [Value] = [
      .double(1e300), .double(1e-300), .double(-1e300), .double(.infinity), .double(-.infinity), .double(2),
      .double(.nan),
    ]
    expectOrder(doubles, SortDescriptor("x").with(isAscending, .binary), encoder)
  }

  @Test(arguments: [true, false]) func objectsAndDatesStandAmongTheNumbers(isAscending: Bool) throws {
    let entity = try #require(try LiveWorld.model().entities.first)
    func decimal(_ text: String) throws -> Value { .decimal(try #require(Decimal(exactly: text))) }
    let values: [Value] = [
      .double(-.infinity), .int(.min), .object(ObjectID(entity: entity, key: -7)), try decimal("-1.5"), .int(0),
      .bool(true),
      .object(ObjectID(entity: entity, key: 2)), .date(Timestamp(3.5)), .int(4), try decimal("1e20"), .double(1e300),
      .double(.infinity),
    ]
    for kind in [SortKeyEncoder.Kind.plain, .decimal] {
      let encoder = SortKeyEncoder([.init(isAscending: isAscending, kind: kind)])
      let keys = values.map { encoder.encode([$0]) }
      for (one, other) in zip(keys, keys.dropFirst()) { #expect(isAscending ? one < other : other < one) }
    }
    for value in [Value.string("1"), .double(.nan), .decimal(.nan), .data([1]), .list([.int(1)])] {
      #expect(BinaryNumber(value, roundedUp: isAscending) == nil)
      #expect(DecimalDigits(value) == nil)
    }
  }

  @Test func numbersAndDatesTakeThePrefixAlone() {
    for isAscending in [true, false] {
      let encoder = SortKeyEncoder([.init(isAscending: isAscending)])
      for value in [Value.int(1 << 53), .double(-1.5), .double(0.1), .date(Timestamp(1e9)), .double(.nan)] {
        #expect(encoder.encode([value]).tail.isEmpty)
      }
      #expect(!encoder.encode([.int(1 << 53 + 1)]).tail.isEmpty)
    }
    #expect(SortKeyEncoder([.init(isAscending: true)]).encode([.null]).tail.isEmpty)
  }

  @Test func aLaterComponentDecidesAmongEquals() {
    var random = SplitMix(seed: 3)
    let descriptors = [
      SortDescriptor("a").with(false, .standard), SortDescriptor("b").with(true, .binary),
      SortDescriptor("c").with(false, .localized),
    ]
    let encoder = SortKeyEncoder(descriptors.map { .init(isAscending: $0.isAscending, kind: .init($0.comparator)) })
    let rows: [[Value]] = (0..<100).map { _ in
      [
        .string(["a", "a\0", "", "ab", "a1", "a01"].randomElement(using: &random) ?? ""),
        [.null, .int(1), .double(1), .int(.max), .int(.max - 1), .double(2)].randomElement(using: &random) ?? .null,
        .string(["x", "X", "", "xy"].randomElement(using: &random) ?? ""),
      ]
    }
    let keys = rows.map { encoder.encode($0) }
    for (left, one) in zip(rows, keys) {
      for (right, other) in zip(rows, keys) {
        var order = 0
        for place in descriptors.indices where order == 0 {
          order = descriptors[place].compare(left[place], right[place])
        }
        let found = one < other ? -1 : other < one ? 1 : 0
        if found != order.signum() { Issue.record("\(left) and \(right): \(found), expected \(order.signum())") }
      }
    }
  }

  @Test func textsBeyondAMegabyteAreCut() {
    let encoder = SortKeyEncoder([.init(isAscending: true)])
    let long = encoder.encode([.string(String(repeating: "x", count: 3 << 20))])
    #expect(long.tail.count == SortKey.longestTail)
    #expect(encoder.encode([.string("w")]) < long)
  }

  private func expectOrder(_ values: [Value], _ isAscending: Bool, _ comparator: Comparator) {
    let encoder = SortKeyEncoder([.init(isAscending: isAscending, kind: .init(comparator))])
    expectOrder(values, SortDescriptor("x").with(isAscending, comparator), encoder)
  }

  private func expectOrder(_ values: [Value], _ descriptor: SortDescriptor, _ encoder: SortKeyEncoder) {
    let keys = values.map { encoder.encode([$0]) }
    for (left, one) in zip(values, keys) {
      for (right, other) in zip(values, keys) {
        let found = one < other ? -1 : other < one ? 1 : 0
        let order = descriptor.compare(left, right).signum()
        if found != order { Issue.record("\(left) and \(right): \(found), expected \(order)") }
      }
    }
  }
}

extension SortDescriptor {
  fileprivate func with(_ isAscending: Bool, _ comparator: StringComparator) -> SortDescriptor {
    var result = self
    result.isAscending = isAscending
    result.comparator = comparator
    return result
  }
}

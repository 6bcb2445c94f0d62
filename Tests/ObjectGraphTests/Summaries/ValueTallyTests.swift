import Modeling
import Testing

import struct Foundation.Decimal

@testable import ObjectGraph

/// The measures of decimals beyond the values that a tally keeps.
@Suite struct ValueTallyTests {
  /// The halves from 0.5 to 999.5, each as often as `times`, counted by a tally that keeps 64 of them.
  private static func summary(limit: Int, times: Int = 1) -> PropertySummary {
    var tally = ValueTally("price", "Decimal", .values, limit: limit)
    for _ in 0..<times {
      for number in 0..<1_000 { tally.add(.decimal(Decimal(number) + Decimal(string: "0.5")!)) }
    }
    return tally.finished()
  }

  @Test func theMeanOfManyDecimalsIsThatOfAllAndTheHistogramStandsForAll() {
    for times in [1, 3] {
      let summary = Self.summary(limit: 128, times: times)
      #expect(summary.isEstimated)
      #expect(summary.count == 1_000 * times)
      #expect(summary.measures.mean == .double(500))
      let spread = summary.measures.histogram.reduce(0) { $0 + $1.count }
      #expect(abs(spread - 1_000 * times) < 350 * times, "\(spread)")
      #expect(summary.measures.histogram.first?.least == .double(0.5))
      #expect(summary.measures.histogram.last?.greatest == .double(999.5))
    }
  }

  @Test func fewDecimalsAreMeasuredExactly() {
    let summary = Self.summary(limit: 4_096)
    #expect(!summary.isEstimated)
    #expect(summary.measures.mean == .double(500))
    #expect(summary.measures.quartiles[1] == .decimal(Decimal(string: "499.5")!))
    #expect(summary.measures.histogram.map(\.count) == [Int](repeating: 125, count: 8))
  }

  private static func summary(_ values: [Value], _ nature: ValueTally.Nature = .values) -> PropertySummary {
    var tally = ValueTally("x", "X", nature)
    for value in values { tally.add(value) }
    return tally.finished()
  }

  @Test func textsAreMeasuredByTheirLengths() {
    let summary = Self.summary([.string("Lata"), .null, .string("Kaikōura"), .string("Lata")])
    #expect((summary.count, summary.nulls, summary.distinct) == (3, 1, 2))
    #expect((summary.least, summary.greatest) == (.string("Kaikōura"), .string("Lata")))
    #expect(summary.measure == .length)
    #expect((summary.measures.least, summary.measures.greatest) == (.int(4), .int(8)))
    #expect(summary.top.map(\.value) == [.string("Lata"), .string("Kaikōura")])
    #expect(summary.top.map(\.count) == [2, 1])
  }

  @Test func addressesAreMeasuredByTheirLengthsAsLongAsAllAreAddresses() {
    let summary = Self.summary([.url("http://a"), .url("http://abc")])
    #expect(summary.measure == .length)
    #expect((summary.measures.least, summary.measures.greatest) == (.int(8), .int(10)))
    let mixed = Self.summary([.url("http://a"), .string("b")])
    #expect(mixed.measure == .none)
    #expect((mixed.count, mixed.distinct) == (2, 2))
  }

  @Test func numbersOfBothKindsAreMeasuredByThemselves() {
    let summary = Self.summary([.int(3), .double(2.5), .int(3), .double(.nan)])
    #expect((summary.count, summary.nulls, summary.distinct) == (3, 1, 2))
    #expect((summary.least, summary.greatest) == (.double(2.5), .int(3)))
    #expect(summary.measure == .value)
  }

  @Test func valuesOfSeveralKindsHaveEndsButNoMeasure() {
    let summary = Self.summary([.int(3), .date(Timestamp(5))])
    #expect(summary.measure == .none)
    #expect((summary.count, summary.distinct) == (2, 2))
    #expect(summary.measures.quartiles == [])
  }

  @Test func truthsHaveNoEnds() {
    let summary = Self.summary([.bool(true), .bool(false), .bool(true)])
    #expect((summary.least, summary.greatest) == (.null, .null))
    #expect(summary.top.map(\.value) == [.bool(true), .bool(false)])
    #expect(summary.measure == .none)
  }

  @Test func dataIsMeasuredByItsSizeAndNotCompared() {
    let summary = Self.summary([.data([1, 2, 3]), .data([1, 2, 3]), .null], .sizes)
    #expect((summary.count, summary.nulls, summary.distinct) == (2, 1, nil))
    #expect(summary.measure == .size)
    #expect(summary.measures.greatest == .int(3))
  }

  @Test func anOwnerWithoutMembersCountsAsNoneButIsMeasured() {
    var tally = ValueTally("x", "X", .members)
    for count in [0, 2, 4] { tally.add(members: count) }
    let summary = tally.finished()
    #expect((summary.count, summary.nulls) == (2, 1))
    #expect(summary.measure == .members)
    #expect((summary.measures.least, summary.measures.greatest) == (.int(0), .int(4)))
    #expect(summary.measures.mean == .double(2))
  }

  @Test func objectsAndOtherValuesAreTalliedByWhatTheyAre() throws {
    let entity = try #require(try Library.model().entities.first)
    let objects = Self.summary([
      .object(ObjectID(entity: entity, key: 1)), .object(ObjectID(entity: entity, key: 2)), .null,
    ])
    #expect(objects.count == 2 && objects.nulls == 1 && objects.distinct == 2)
    let lists = Self.summary([.list([.int(1)]), .list([.int(1)]), .list([.int(2)])])
    #expect(lists.count == 3 && lists.distinct == 2)
    #expect(TalliedValue(.date(Timestamp(0))).stableHash == TalliedValue(.date(Timestamp(-0.0))).stableHash)
    #expect(!TalliedValue(.int(1)).isSame(as: TalliedValue(.int(2))))
  }
}

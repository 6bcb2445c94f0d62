import Modeling
import Queries
import TestSupport
import Testing

/// How texts and values are put in order.
@Suite(.seeded) struct StringComparatorTests {
  private func sorted(_ texts: [String], _ comparator: SortDescriptor.StringComparator) -> [String] {
    texts.sorted { comparator.compare($0, $1) < 0 }
  }

  @Test func binaryComparesBytes() {
    #expect(sorted(["é", "a", "B", "", "z", "e\u{301}", "ab"], .binary) == ["", "B", "a", "ab", "e\u{301}", "z", "é"])
  }

  @Test func caseInsensitiveTakesCaseForTheSame() {
    #expect(SortDescriptor.StringComparator.caseInsensitive.compare("ÄB", "äb") == 0)
    #expect(SortDescriptor.StringComparator.caseInsensitive.compare("a", "B") < 0)
    #expect(SortDescriptor.StringComparator.caseInsensitive.compare("a", "ä") != 0)
  }

  @Test func localizedComparesLettersBeforeMarksAndCase() {
    #expect(
      sorted(["Zeta", "ångström", "apple", "Ångström", "zebra"], .localized)
        == ["Ångström", "ångström", "apple", "zebra", "Zeta"].sorted {
          SortDescriptor.StringComparator.localized.compare($0, $1) < 0
        })
    #expect(SortDescriptor.StringComparator.localized.compare("ä", "b") < 0)
    #expect(SortDescriptor.StringComparator.localized.compare("a", "A") != 0)
  }

  @Test func standardComparesNumbersByTheirValue() {
    #expect(
      sorted(["Quake 10", "quake 9", "Quake 9b", "Quake 1", "quake 007", "Quake"], .standard)
        == ["Quake", "Quake 1", "quake 007", "quake 9", "Quake 9b", "Quake 10"])
    let long = String(repeating: "9", count: 40)
    #expect(SortDescriptor.StringComparator.standard.compare("a\(long)", "a1\(long)") < 0)
    #expect(SortDescriptor.StringComparator.standard.compare("a01", "a1") != 0)
  }

  @Test(arguments: SortDescriptor.StringComparator.allCases)
  func isAnOrder(_ comparator: SortDescriptor.StringComparator) {
    var trees = RandomTrees(seed: 9)
    let texts = (0..<24).map { _ in trees.text() + trees.pick(["", "1", "01", "10", "A", "ä", "Z9"]) }
    for one in texts {
      for other in texts {
        #expect(comparator.compare(one, other).signum() == -comparator.compare(other, one).signum())
        for third in texts where comparator.compare(one, other) <= 0 && comparator.compare(other, third) <= 0 {
          #expect(comparator.compare(one, third) <= 0)
        }
      }
    }
  }

  @Test func whatIsDecidedEarlyIsWhatFoldingDecides() {
    var trees = RandomTrees(seed: 10)
    let pieces = ["a", "A", "b", "1", "01", "9", "é", "e\u{301}", "e", "\u{301}", "ß", "K", " "]
    for _ in 0..<Effort.rounds(3000) {
      let texts = (0..<2).map { _ in
        (0..<Int.random(in: 0..<5, using: &trees.random)).map { _ in trees.pick(pieces) }.joined()
      }
      for (comparator, options) in [
        (SortDescriptor.StringComparator.caseInsensitive, ComparisonOptions.caseInsensitive),
        (.localized, [.caseInsensitive, .diacriticInsensitive]),
      ] {
        let folds = texts.map { Array(folded($0, options).utf8) }
        guard folds[0] != folds[1] else { continue }
        let isBefore = folds[0].lexicographicallyPrecedes(folds[1])
        #expect((comparator.compare(texts[0], texts[1]) < 0) == isBefore, "\(texts)")
      }
    }
  }

  @Test func bytesAndStringsCompareAlike() {
    for comparator in SortDescriptor.StringComparator.allCases {
      for (left, right) in [("a", "B"), ("é10", "E9"), ("", "x")] {
        let order = Array(left.utf8).withUnsafeBytes { left in
          Array(right.utf8).withUnsafeBytes { comparator.compare(left, $0) }
        }
        #expect(order.signum() == comparator.compare(left, right).signum())
      }
    }
  }

  @Test func nilComesFirstAscendingAndLastDescending() {
    let values: [Value] = [.int(3), .null, .double(2.5), .string("a"), .data([1]), .bool(true)]
    let ascending = SortDescriptor("x")
    let descending = SortDescriptor("-x")
    let order: [Value] = [.null, .bool(true), .double(2.5), .int(3), .string("a"), .data([1])]
    #expect(values.sorted { ascending.compare($0, $1) < 0 } == order)
    #expect(values.sorted { descending.compare($0, $1) < 0 } == order.reversed())
  }

  @Test func objectsAreSortedByTheirKeys() throws {
    let quakes = (1...4).map { SampleObject(Sample.quake, $0) }
    for (quake, place) in zip(quakes, ["b", "a", "b", "a"]) { quake.values["place"] = .string(place) }
    for quake in quakes { quake.values["magnitude"] = .double(Double(quake.objectID.key)) }
    let order = try SortOrder([SortDescriptor("place"), SortDescriptor("-magnitude")], entity: Sample.quake)
    let sorted = try quakes.sorted { try order.compare($0, $1) < 0 }
    #expect(sorted.map(\.objectID.key) == [4, 2, 3, 1])
    #expect(try [SortDescriptor("-station.name")].order(quakes[0], quakes[1]) == 0)
  }
}

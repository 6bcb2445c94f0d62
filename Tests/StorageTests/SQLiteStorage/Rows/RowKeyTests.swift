import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Keys of several columns as one value.
@Suite struct RowKeyTests {
  private static let values: [Value] = [
    .int(.min), .int(-3), .double(-2.5), .int(0), .double(0.5), .int(1), .int(1 << 53), .int(1 << 53 + 1),
    .double(1e300),
    .string(""), .string("a"), .string("a\0"), .string("a\0b"), .string("ab"), .string("é"), .data([]), .data([0]),
    .data([0, 1]), .data([255]),
  ]

  @Test func keysAreOrderedAsTheirColumns() throws {
    for (index, one) in Self.values.enumerated() {
      for (other, another) in Self.values.enumerated() {
        let left = try #require(RowKey.encode([one, .int(2)]))
        let right = try #require(RowKey.encode([another, .int(1)]))
        #expect(left.lexicographicallyPrecedes(right) == (index < other), "\(one) \(another)")
      }
    }
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    for one in Self.values {
      for other in Self.values {
        let bytes = try #require(RowKey.encode([one, other]))
        #expect(RowKey.decode(bytes) == [one, other])
      }
    }
    #expect(RowKey.encode([.int(1), .null]) == nil)
  }

  @Test(.seeded) func otherBytesAreNoKey() {
    var random = SplitMix(seed: 7)
    for _ in 0..<2_000 {
      let bytes = (0..<random.below(30)).map { _ in UInt8(truncatingIfNeeded: random.next() % 5) }
      if let values = RowKey.decode(bytes) { #expect(RowKey.encode(values)?.count == bytes.count) }
    }
    for bytes: [UInt8] in [[1], [3, 97], [3, 0, 1], [9], [2, 0, 0]] { #expect(RowKey.decode(bytes) == nil) }
  }
}

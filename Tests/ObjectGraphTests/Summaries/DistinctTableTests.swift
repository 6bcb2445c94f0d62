import TestSupport
import Testing

@testable import ObjectGraph

/// The counts of different keys beyond the limit of a table.
@Suite(.seeded) struct DistinctTableTests {
  @Test func keysWithinTheLimitAreCountedExactly() {
    var random = SplitMix(seed: 41)
    var table = DistinctTable<Int64>(limit: 500)
    var plain: [Int64: Int] = [:]
    for _ in 0..<5_000 {
      let key = Int64(random.below(500)) - 250
      table.add(key)
      plain[key, default: 0] += 1
    }
    var told: [Int64: Int] = [:]
    table.forEach { told[$0] = $1 }
    #expect(told == plain)
    #expect(!table.isEstimated)
  }

  @Test func beyondTheLimitTheNumberIsEstimatedAndWhatIsKeptIsExact() {
    var table = DistinctTable<Int64>(limit: 4_096)
    for round in 1...3 {
      for key in 0..<100_000 { table.add(Int64(key * round % 100_000)) }
    }
    #expect(table.isEstimated)
    // No more is left out than has to be.
    #expect(table.used <= 4_096 && table.used > 2_048)
    #expect(abs(table.distinct - 100_000) < 10_000)
  }

  @Test func whatIsKeptDoesNotDependOnTheOrder() {
    let keys = (0..<20_000).map { Int64($0 % 7_000) }
    var (forwards, backwards) = (DistinctTable<Int64>(limit: 1_000), DistinctTable<Int64>(limit: 1_000))
    for key in keys { forwards.add(key) }
    for key in keys.reversed() { backwards.add(key) }
    var (left, right): ([Int64: Int], [Int64: Int]) = ([:], [:])
    forwards.forEach { left[$0] = $1 }
    backwards.forEach { right[$0] = $1 }
    #expect(left == right)
    // Each key below 6,000 comes three times, the others twice.
    #expect(left.allSatisfy { $1 == ($0 < 6_000 ? 3 : 2) })
  }

  @Test func blocksOfKeysCountAsTheKeysDo() {
    let keys = (0..<4_000).map { Alike(number: $0 % 90) }
    var (single, blocks) = (DistinctTable<Alike>(limit: 1_000), DistinctTable<Alike>(limit: 1_000))
    for key in keys { single.add(key) }
    let hashes = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 64)
    defer { hashes.deallocate() }
    for start in stride(from: 0, to: keys.count, by: 64) {
      Array(keys[start..<min(start + 64, keys.count)]).withUnsafeBufferPointer {
        blocks.add(contentsOf: $0, hashes: hashes)
      }
    }
    var (left, right): ([Int: Int], [Int: Int]) = ([:], [:])
    single.forEach { left[$0.number, default: 0] += $1 }
    blocks.forEach { right[$0.number, default: 0] += $1 }
    #expect(left == right)
    #expect(left == Dictionary(keys.map { ($0.number, 1) }) { $0 + $1 })
    #expect(single.used == 90 && blocks.used == 90)
  }

  /// Different keys, each ten of which have one hash.
  private struct Alike: DistinctKey {
    var number: Int
    static var placeholder: Alike { Alike(number: -1) }
    static var hashTells: Bool { false }
    var stableHash: UInt64 { StableHash.hash(UInt64(number / 10)) }
    func isSame(as other: Alike) -> Bool { number == other.number }
  }
}

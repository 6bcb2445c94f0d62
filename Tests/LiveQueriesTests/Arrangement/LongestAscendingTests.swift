import TestSupport
import Testing

@testable import LiveQueries

@Suite(.seeded) struct LongestAscendingTests {
  @Test func ofSelectionsAsLongTheOneWithTheFewestToAvoidIsTaken() {
    var random = SplitMix(seed: 11)
    for _ in 0..<300 {
      let numbers = (0..<random.below(9)).map { $0 * 3 }.shuffled(using: &random)
      let isAvoided = numbers.map { _ in random.chance(oneIn: 2) }
      let found = longestAscending(numbers, avoiding: isAvoided)
      var best = (length: 0, plain: 0)
      for bits in 0..<(1 << numbers.count) {
        let places = numbers.indices.filter { bits >> $0 & 1 == 1 }
        guard zip(places, places.dropFirst()).allSatisfy({ numbers[$0] < numbers[$1] }) else { continue }
        let plain = places.count { !isAvoided[$0] }
        if (places.count, plain) > (best.length, best.plain) { best = (places.count, plain) }
      }
      #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 && numbers[$0] < numbers[$1] })
      #expect(found.count == best.length)
      #expect(found.count { !isAvoided[$0] } == best.plain)
    }
  }

  @Test func withNothingToAvoidItIsAsLongAsThePlainOne() {
    var random = SplitMix(seed: 12)
    let numbers = (0..<5_000).shuffled(using: &random)
    let avoided = [Bool](repeating: false, count: numbers.count)
    #expect(longestAscending(numbers, avoiding: avoided).count == longestAscending(numbers).count)
  }
}

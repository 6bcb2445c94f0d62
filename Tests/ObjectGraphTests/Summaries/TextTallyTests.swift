import TestSupport
import Testing

@testable import ObjectGraph

@Suite(.seeded) struct TextTallyTests {
  /// Texts of all lengths, some of them alike up to their ends, some with bytes that continue a scalar.
  private func texts(_ count: Int, of different: Int, seed: UInt64) -> [String] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in
      let number = random.below(different)
      return String(repeating: "ä", count: number % 37) + "\(number)" + String(repeating: "x", count: number % 11)
    }
  }

  private func counts(_ tally: TextTally) -> [String: Int] {
    var counts: [String: Int] = [:]
    tally.forEach { counts[$0] = $1 }
    return counts
  }

  @Test(arguments: 1...4) func textsWithinTheLimitAreCountedExactly(seed: UInt64) {
    var tally = TextTally(limit: 5_000)
    let all = texts(20_000, of: 4_000, seed: seed) + ["", "", "\u{0}", "\u{0}\u{0}"]
    for text in all { tally.add(text) }
    tally.complete()
    var plain: [String: Int] = [:]
    for text in all { plain[text, default: 0] += 1 }
    #expect(counts(tally) == plain)
    #expect(tally.distinct == plain.count && tally.count == all.count && !tally.isEstimated)
    #expect(
      tally.bounds?.least == "" && tally.bounds?.greatest == all.max { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    let longest = all.map(\.unicodeScalars.count).max() ?? 0
    #expect(tally.lengths.greatest == .int(Int64(longest)) && tally.lengths.least == .int(0))
  }

  @Test func beyondTheLimitWhatIsKeptIsExactWhateverTheOrder() {
    let all = texts(60_000, of: 20_000, seed: 7)
    var (forwards, backwards) = (TextTally(limit: 1_000), TextTally(limit: 1_000))
    for text in all { forwards.add(text) }
    for text in all.reversed() { backwards.add(text) }
    forwards.complete()
    backwards.complete()
    #expect(forwards.isEstimated && forwards.used <= 1_000)
    #expect(counts(forwards) == counts(backwards))
    var plain: [String: Int] = [:]
    for text in all { plain[text, default: 0] += 1 }
    #expect(counts(forwards).allSatisfy { plain[$0] == $1 })
    #expect(abs(forwards.distinct - plain.count) < plain.count / 5)
  }

  @Test func longTextsAreCountedAsTheyCome() {
    var tally = TextTally(limit: 100)
    let long = String(repeating: "a", count: 200_000)
    for _ in 0..<3 { for text in [long, long + "b", "short"] { tally.add(text) } }
    tally.complete()
    #expect(counts(tally) == [long: 3, long + "b": 3, "short": 3])
    #expect(tally.bounds?.greatest == "short")
  }
}

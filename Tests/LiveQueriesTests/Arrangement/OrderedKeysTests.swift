import TestSupport
import Testing

@testable import LiveQueries

@Suite(.seeded) struct OrderedKeysTests {
  /// Where the keys of rows lie.
  enum Keys: CaseIterable { case dense, sparse, temporary, everywhere, border }

  @Test(arguments: [-9_000, 1, 1 << 40, .max - 40_000] as [Int64])
  func manyKeysThatAreNearOneAnotherStandInTheirOrder(first: Int64) throws {
    var random = SplitMix(seed: 4)
    let sorted = (0..<5000).map { first + $0 * 7 + Int64.random(in: 0..<7, using: &random) }
    for repeated in [[], [sorted[9]]] {
      let rows = ArrangedRows()
      for key in sorted.shuffled(using: &random) + repeated { rows.append(key: key, lonePrefix: 5) }
      let keys = OrderedKeys(rows)
      try keys.checkInvariants()
      var found: [Int64] = []
      keys.forEach(in: 0..<keys.count) { found.append($0) }
      #expect(found == sorted)
    }
  }

  @Test func manyRowsWithOneSortKeyStandInTheOrderOfTheirKeys() throws {
    var random = SplitMix(seed: 3)
    let temporary = (1...3000).map { Int64.min / 2 - $0 }
    let sorted = [-70_000, -1] + (0..<5000).map { $0 * 7 } + [1 << 40] + temporary
    for prefix: UInt64 in [0, .max] {
      let rows = ArrangedRows()
      for key in sorted.shuffled(using: &random) { rows.append(key: key, lonePrefix: prefix) }
      rows.append(key: 14, lonePrefix: prefix)
      let keys = OrderedKeys(rows)
      try keys.checkInvariants()
      var found: [Int64] = []
      keys.forEach(in: 0..<keys.count) { found.append($0) }
      #expect(found == sorted)
    }
  }

  @Test(arguments: Keys.allCases, [false, true])
  func rowsStandWhereAnArraySortedAnewHasThem(kind: Keys, hasTails: Bool) throws {
    var random = SplitMix(seed: hasTails ? 2 : 1)
    var expected: [ArrangedRow] = []
    var used: Set<Int64> = []
    func makeRow() -> ArrangedRow {
      var key = Int64.random(in: .min ... .max, using: &random)
      switch kind {
      case .dense: key = Int64.random(in: 0...20_000, using: &random)
      case .sparse: key = key.magnitude > UInt64(Int64.max) ? 0 : Int64(key.magnitude)
      case .temporary: key = Int64.min / 2 - Int64.random(in: 0...20_000, using: &random)
      // On both sides of what four bytes hold, so that blocks of either width are split and merged.
      case .border: key = Int64(UInt32.max) + Int64.random(in: -1000...20, using: &random)
      case .everywhere: key = Bool.random(using: &random) ? key : Int64.random(in: -9...20_000, using: &random)
      }
      let number = UInt64.random(in: 0...400, using: &random)
      let tail =
        hasTails ? (0..<Int.random(in: 0...5, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random) } : []
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
      return ArrangedRow(key: key, sortKey: SortKey(bytes + tail))
    }
    let rows = ArrangedRows()
    for _ in 0..<3000 {
      let row = makeRow()
      guard used.insert(row.key).inserted else { continue }
      rows.append(row)
      expected.append(row)
    }
    var keys = OrderedKeys(rows)
    try keys.checkInvariants()
    for round in 0..<4 {
      for _ in 0..<1200 {
        if round % 2 == 0 {
          let row = makeRow()
          if used.insert(row.key).inserted {
            expected.append(row)
            keys.insert(row.key, row.sortKey)
          }
        } else if let place = expected.indices.randomElement(using: &random) {
          used.remove(expected[place].key)
          keys.remove(expected[place].key)
          expected.swapAt(place, expected.count - 1)
          expected.removeLast()
        }
      }
      try keys.checkInvariants()
      let sorted = expected.sorted { Arrangement.Place($0) < Arrangement.Place($1) }
      var found: [Int64] = []
      keys.forEach(in: 0..<keys.count) { found.append($0) }
      #expect(found == sorted.map(\.key))
      for (rank, row) in sorted.enumerated() where rank % 37 == 0 {
        #expect(keys.rank(of: row.key) == rank)
        #expect(keys.key(at: rank) == row.key)
        #expect(keys.sortKey(of: row.key) == row.sortKey)
        #expect(keys.lowerBound(row.sortKey) == sorted.firstIndex { $0.sortKey == row.sortKey })
      }
    }
    for row in expected { keys.remove(row.key) }
    try keys.checkInvariants()
    #expect(keys.count == 0 && keys.rank(of: 5) == nil)
  }

  @Test func rowsThatComeAtTheEndFillTheirBlocks() throws {
    var keys = OrderedKeys(ArrangedRows())
    for number in 0..<20_000 { keys.insert(Int64(number), SortKey(prefix: UInt64(number))) }
    try keys.checkInvariants()
    #expect(keys.bytesUsed < 20_000 * 19)
  }

  @Test func emptiedBlocksAreGivenBack() throws {
    let rows = ArrangedRows()
    for number in 0..<20_000 { rows.append(ArrangedRow(key: Int64(number), sortKey: SortKey(prefix: UInt64(number)))) }
    var keys = OrderedKeys(rows)
    for number in 0..<20_000 where number % 100 != 0 { keys.remove(Int64(number)) }
    try keys.checkInvariants()
    #expect(keys.slots.count < 6)
  }

  @Test func rowsSortedByANumberTakeLessThan18BytesEach() {
    let rows = ArrangedRows()
    for number in 0..<100_000 {
      rows.append(ArrangedRow(key: Int64(2 * number), sortKey: SortKey(prefix: UInt64(number * 7919 % 100_003))))
    }
    let keys = OrderedKeys(rows)
    #expect(keys.bytesUsed < 18 * 100_000)
    // Keys that four bytes do not hold.
    let far = ArrangedRows()
    for number in 0..<100_000 {
      far.append(ArrangedRow(key: Int64(number) + (1 << 32), sortKey: SortKey(prefix: UInt64(number))))
    }
    #expect(OrderedKeys(far).bytesUsed > 16 * 100_000)
  }

  @Test func temporaryKeysStandLastInTheOrderTheyWereMade() {
    let limit = Int64.min / 2
    let keys: [Int64] = [.max, 3, -8, limit - 4, limit, .min, 0, limit + 1, limit - 1]
    #expect(
      keys.sorted { tieOrder($0) < tieOrder($1) } == [limit + 1, -8, 0, 3, .max, limit, limit - 1, limit - 4, .min])
  }
}

import TestSupport
import Testing

@testable import LiveQueries

/// All batches over few rows: the report is right and as short as can be.
@Suite(.seeded) struct MoveMinimalityTests {
  /// What a batch does to one row.
  enum Action: Hashable {
    case nothing, leave, update
    case place(Int)
  }

  private static let windows: [Arrangement.Window] = [
    .init(), .init(offset: 0, limit: 2), .init(offset: 1, limit: 2), .init(offset: 2, limit: nil),
  ]

  @Test(arguments: windows) func allBatchesOverFourRowsAreToldWithTheFewestMoves(window: Arrangement.Window) throws {
    let actions: [Action] = [.nothing, .leave, .update, .place(0), .place(3), .place(8)]
    for number in 0..<6 * 6 * 6 * 6 * 3 {
      var rest = number
      var batch: [RowPlacement] = []
      for key in 1...4 {
        add(actions[rest % 6], key, to: &batch)
        rest /= 6
      }
      if rest > 0 { batch.append(.placed(row(9, rest == 1 ? 1 : 6))) }
      try expectFewestMoves(rows: (1...4).map { row($0, $0 * 2) }, batch, window)
    }
  }

  @Test func allOrdersOfFiveRowsAreToldWithTheFewestMoves() throws {
    for number in 0..<3125 {
      var rest = number
      var batch: [RowPlacement] = []
      for key in 1...5 {
        batch.append(.placed(row(key, rest % 5)))
        rest /= 5
      }
      try expectFewestMoves(
        rows: (1...5).map { row($0, $0 * 2) }, batch, Arrangement.Window(offset: 0, limit: number % 7))
    }
  }

  @Test func theLongestAscendingSelectionIsFound() {
    var random = SplitMix(seed: 5)
    for _ in 0..<200 {
      let numbers = (0..<Int.random(in: 0...9, using: &random)).map { $0 }.shuffled(using: &random)
      let found = longestAscending(numbers).map { numbers[$0] }
      #expect(found == found.sorted())
      let most = Self.longestSelection(among: numbers.count) { places in places.map { numbers[$0] } }
      #expect(found.count == most)
    }
  }

  private func row(_ key: Int, _ number: Int) -> ArrangedRow {
    ArrangedRow(key: Int64(key), sortKey: SortKey(prefix: UInt64(number)))
  }

  private func add(_ action: Action, _ key: Int, to batch: inout [RowPlacement]) {
    switch action {
    case .nothing: break
    case .leave: batch.append(.leaving(Int64(key)))
    case .update: batch.append(.placed(row(key, key * 2)))
    case .place(let number): batch.append(.placed(row(key, number)))
    }
  }

  private func expectFewestMoves(rows: [ArrangedRow], _ batch: [RowPlacement], _ window: Arrangement.Window) throws {
    var plain = PlainArrangement(rows: rows, window: window)
    let all = ArrangedRows()
    for row in rows { all.append(row) }
    let arrangement = Arrangement(all, window: window)
    let before = plain.shown
    plain.apply(batch)
    let difference = arrangement.apply(batch)
    try arrangement.checkInvariants()
    var followed = before
    try followed.apply(difference)
    if followed != plain.shown { Issue.record("\(batch): \(followed), expected \(plain.shown)") }
    // Rows that are shown before and after, some of which may move: those whose sort key changed.
    let (old, new) = (before.sections[0].keys, plain.shown.sections[0].keys)
    let sortKeys = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.sortKey) })
    let movable = Set(batch.compactMap { $0.row.flatMap { sortKeys[$0.key] == $0.sortKey ? nil : $0.key } })
    let both = old.filter { new.contains($0) }
    let staying = both.filter { !movable.contains($0) }
    let able = both.filter { movable.contains($0) }
    let most = Self.longestSelection(among: able.count) { places in
      let kept = Set(staying + places.map { able[$0] })
      return old.filter { kept.contains($0) } == new.filter { kept.contains($0) } ? places : nil
    }
    if difference.moved.count != able.count - most {
      Issue.record("\(batch): \(difference.moved.count) moves, \(able.count - most) would do")
    }
    let told = Set((difference.updated + difference.moved).map(\.key))
    let changed = Set(batch.compactMap { $0.row?.key }).intersection(both)
    if told != changed { Issue.record("\(batch): told \(told) changed, expected \(changed)") }
  }
}

extension MoveMinimalityTests {
  /// The size of the largest selection of places that the body accepts: it answers numbers that ascend.
  private static func longestSelection(among count: Int, _ body: ([Int]) -> [Int]?) -> Int {
    var most = 0
    for bits in 0..<(1 << count) {
      let places = (0..<count).filter { bits >> $0 & 1 == 1 }
      guard places.count > most, let numbers = body(places), numbers == numbers.sorted() else { continue }
      most = places.count
    }
    return most
  }
}

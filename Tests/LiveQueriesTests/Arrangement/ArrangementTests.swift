import Modeling
import Testing

@testable import LiveQueries

/// The lists that people know from Apple's frameworks, and what holds here beside them.
@Suite struct ArrangementTests {
  private func row(_ key: Int64, at number: Int, in section: String? = nil) -> ArrangedRow {
    let encoder = SortKeyEncoder([.init(isAscending: true)])
    let identity = section.map { SectionIdentity(key: encoder.encode([.string($0)]), id: .string($0)) }
    let leading = SortKeyEncoder([.init(isAscending: true), .init(isAscending: true)])
    return ArrangedRow(
      key: key,
      sortKey: section.map { leading.encode([.string($0), .int(Int64(number))]) }
        ?? encoder.encode([.int(Int64(number))]),
      section: identity)
  }

  private func arrangement(
    _ rows: [ArrangedRow], window: Arrangement.Window = .init(), isComplete: Bool = true
  ) -> Arrangement {
    let all = ArrangedRows()
    for row in rows { all.append(row) }
    return Arrangement(all, isSectioned: rows.contains { $0.section != nil }, window: window, isComplete: isComplete)
  }

  private func keys(_ arrangement: Arrangement) -> [Int64] { arrangement.keys(in: 0..<arrangement.count) }

  @Test func sixChangesAreToldAsSix() {
    let list = arrangement((1...5).map { row($0, at: Int($0) * 10) })
    let difference = list.apply([
      .leaving(1), .placed(row(2, at: 20)), .placed(row(3, at: 30)), .placed(row(5, at: 5)), .placed(row(6, at: 60)),
      .placed(row(7, at: 70)),
    ])
    #expect(keys(list) == [5, 2, 3, 4, 6, 7])
    #expect(difference.inserted.map(\.index) == [4, 5])
    #expect(difference.deleted.map(\.oldIndex) == [0])
    #expect(difference.moved == [.init(oldKey: 5, key: 5, oldIndex: 4, index: 0)])
    #expect(difference.updated.map(\.key) == [2, 3])
  }

  @Test func sectionsAppearAndVanishAndNeverMove() {
    let list = arrangement([row(1, at: 1, in: "A"), row(2, at: 1, in: "B"), row(3, at: 1, in: "C")])
    let difference = list.apply([.placed(row(1, at: 1, in: "Z")), .placed(row(2, at: 1, in: "Z"))])
    #expect(difference.insertedSections == [.init(index: 1, id: .string("Z"))])
    #expect(difference.deletedSections == [.init(index: 0, id: .string("A")), .init(index: 1, id: .string("B"))])
    #expect(difference.moved.map(\.key) == [1, 2] && difference.updated.isEmpty)
    #expect(difference.moved.map(\.section) == [1, 1] && difference.moved.map(\.index) == [0, 1])
  }

  @Test func aRowThatGoesToAnotherSectionAtTheSameIndexMoves() {
    let list = arrangement([row(1, at: 1, in: "A"), row(2, at: 2, in: "A"), row(3, at: 1, in: "B")])
    let difference = list.apply([.placed(row(2, at: 0, in: "B"))])
    #expect(keys(list) == [1, 2, 3])
    #expect(difference.moved == [.init(oldKey: 2, key: 2, oldIndex: 1, index: 0, oldSection: 0, section: 1)])
    #expect(difference.updated.isEmpty && difference.insertedSections.isEmpty && difference.deletedSections.isEmpty)
  }

  @Test func aSectionWhoseOnlyRowChangesStays() {
    let list = arrangement([row(1, at: 1, in: "A"), row(2, at: 2, in: "B"), row(3, at: 1, in: "C")])
    let difference = list.apply([.placed(row(2, at: 9, in: "B"))])
    #expect(difference.updated.map(\.key) == [2])
    #expect(difference.insertedSections.isEmpty && difference.deletedSections.isEmpty && difference.moved.isEmpty)
  }

  @Test func aRowLeavesAndEntersWithThePredicate() {
    let list = arrangement([row(1, at: 1), row(2, at: 2)])
    #expect(list.apply([.leaving(1)]).deleted == [.init(oldKey: 1, key: 1, oldIndex: 0)])
    #expect(list.apply([.placed(row(1, at: 1))]).inserted == [.init(oldKey: 1, key: 1, index: 0)])
  }

  @Test func aSwapOfNeighboursIsOneMoveAndOneUpdate() {
    let list = arrangement([row(1, at: 1), row(2, at: 2), row(3, at: 3)])
    let difference = list.apply([.placed(row(1, at: 2)), .placed(row(2, at: 1))])
    #expect(difference.moved.count == 1 && difference.updated.count == 1)
    #expect(difference.inserted.isEmpty && difference.deleted.isEmpty)
  }

  @Test func aChangedSortKeyThatCrossesNobodyIsAnUpdate() {
    let list = arrangement([row(1, at: 10), row(2, at: 20), row(3, at: 30)])
    #expect(list.apply([.placed(row(2, at: 25), isUpdated: false)]).updated.map(\.key) == [2])
  }

  @Test func nothingChangedNothingTold() {
    let list = arrangement([row(1, at: 10), row(2, at: 20)])
    #expect(list.apply([.placed(row(2, at: 20), isUpdated: false), .leaving(9)]).isEmpty)
    #expect(list.apply([]).isEmpty)
  }

  @Test func aSavedRowKeepsItsPlaceUnderItsNewKey() {
    let temporary = Int64.min / 2 - 1
    let list = arrangement([row(1, at: 1), row(temporary, at: 2), row(3, at: 3)])
    #expect(list.apply([.placed(row(4, at: 2), oldKey: temporary, isUpdated: false)]).isEmpty)
    #expect(keys(list) == [1, 4, 3])
    let difference = list.apply([.placed(row(9, at: 0), oldKey: 4)])
    #expect(difference.moved == [.init(oldKey: 4, key: 9, oldIndex: 1, index: 0)])
  }

  @Test func whatIsPushedOutOfTheWindowIsDeleted() {
    let list = arrangement((1...5).map { row($0, at: Int($0) * 10) }, window: .init(offset: 1, limit: 2))
    #expect(keys(list) == [2, 3])
    let difference = list.apply([.placed(row(6, at: 5))])
    #expect(difference.inserted == [.init(oldKey: 1, key: 1, index: 0)])
    #expect(difference.deleted == [.init(oldKey: 3, key: 3, oldIndex: 1)])
    let drawn = list.apply([.leaving(1)])
    #expect(drawn.deleted == [.init(oldKey: 1, key: 1, oldIndex: 0)])
    #expect(drawn.inserted == [.init(oldKey: 3, key: 3, index: 1)])
  }

  @Test func theLastOfSeveralPlacementsOfARowCounts() throws {
    let list = arrangement([row(1, at: 1), row(2, at: 2)])
    _ = list.apply([.placed(row(1, at: 9)), .leaving(1), .placed(row(1, at: 5))])
    try list.checkInvariants()
    #expect(keys(list) == [2, 1])
    // The row held as 1 is 2 now, so that the one held as 2 leaves, and another 1 comes.
    _ = list.apply([.placed(row(1, at: 5)), .placed(row(2, at: 7), oldKey: 1)])
    try list.checkInvariants()
    #expect(keys(list) == [1, 2])
    _ = list.apply([.placed(row(3, at: 1)), .placed(row(3, at: 9))])
    #expect(keys(list) == [1, 2, 3])
    _ = list.apply([.placed(row(2, at: 8), oldKey: 3)])
    try list.checkInvariants()
    #expect(keys(list) == [1, 2])
  }

  @Test func aFailedRefillLeavesEverythingAsItWas() throws {
    struct Failed: Error {}
    let list = arrangement([row(1, at: 1), row(2, at: 2)], window: .init(offset: 0, limit: 2), isComplete: false)
    #expect(throws: Failed.self) { try list.apply([.leaving(1)]) { _ in throw Failed() } }
    #expect(keys(list) == [1, 2])
    try list.checkInvariants()
    let difference = list.apply([.leaving(1)]) { held in .init(rows: held == 1 ? [row(7, at: 7)] : [], isComplete: true)
    }
    #expect(difference.inserted.map(\.key) == [7] && list.isComplete && keys(list) == [2, 7])
  }

  @Test func aRowThatTheRefillBringsBackHasMoved() {
    let list = arrangement([row(1, at: 1), row(2, at: 2)], window: .init(offset: 0, limit: 2), isComplete: false)
    let difference = list.apply([.placed(row(1, at: 9))]) { _ in .init(rows: [row(1, at: 9)], isComplete: false) }
    #expect(difference.moved == [.init(oldKey: 1, key: 1, oldIndex: 0, index: 1)])
    #expect(difference.inserted.isEmpty && difference.deleted.isEmpty)
  }

  @Test func anArrangementShowsAnotherWindow() {
    let list = arrangement((1...6).map { row($0, at: Int($0)) }, window: .init(offset: 0, limit: 2))
    let difference = list.show(.init(offset: 1, limit: 3)) { _ in .init(rows: [], isComplete: true) }
    #expect(difference.deleted.map(\.key) == [1] && difference.inserted.map(\.key) == [3, 4])
    #expect(difference.inserted.map(\.index) == [1, 2])
  }
}

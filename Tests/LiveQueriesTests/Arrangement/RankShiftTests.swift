import Testing

@testable import LiveQueries

@Suite struct RankShiftTests {
  @Test func whatStaysKeepsItsOrder() {
    let shift = RankShift(removed: [1], inserted: [0, 1])
    #expect((0..<3).map { shift.staying(beforeOld: $0) } == [0, 1, 1])
    #expect([0, 1].map { shift.old(ofStaying: $0) } == [0, 2])
    #expect([0, 1].map { shift.new(ofStaying: $0) } == [2, 3])
    #expect((0..<4).map { shift.staying(beforeNew: $0) } == [0, 0, 0, 1])
  }
}

import Testing

@testable import Modeling

@Suite struct PostorderTests {
  @Test func eachComesAfterWhatItLeadsTo() {
    let leads = ["a": ["b", "c"], "b": ["d"], "c": ["d", "e"]]
    #expect(["a", "e", "f"].inPostorder { leads[$0] ?? [] } == ["d", "b", "e", "c", "a", "f"])
  }

  @Test func aCircleIsCutWhereItIsEntered() {
    #expect([1, 2, 3].inPostorder { [$0 % 3 + 1] } == [3, 2, 1])
  }

  @Test func aChainMayBeOfAnyLength() {
    let count = 200_000
    #expect([0].inPostorder { $0 < count ? [$0 + 1] : [] } == Array((0...count).reversed()))
  }
}

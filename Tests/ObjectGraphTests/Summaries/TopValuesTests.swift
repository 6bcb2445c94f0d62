import Modeling
import Testing

@testable import ObjectGraph

@Suite struct TopValuesTests {
  @Test func asManyAsAreShownAreKeptTheMostFrequentFirst() {
    var top = TopValues()
    for (value, count) in [(3, 1), (1, 4), (5, 2), (2, 2), (4, 1)] {
      #expect(top.wants(count))
      top.add(.int(Int64(value)), count)
    }
    #expect(top.values.map(\.value) == [.int(1), .int(2), .int(5), .int(3), .int(4)])
    #expect(top.values.map(\.count) == [4, 2, 2, 1, 1])
  }

  @Test func aValueThatIsMoreFrequentOrComesFirstTakesThePlaceOfTheLast() {
    var top = TopValues()
    for value in 1...5 { top.add(.int(Int64(value * 10)), 2) }
    #expect(!top.wants(1))
    top.add(.int(1), 1)
    top.add(.int(60), 2)
    #expect(top.values.map(\.value) == [10, 20, 30, 40, 50].map(Value.int))
    top.add(.int(5), 2)
    top.add(.int(99), 3)
    #expect(top.values.map(\.value) == [99, 5, 10, 20, 30].map(Value.int))
  }
}

import Modeling
import TestSupport
import Testing

@Suite struct FirstResultTests {
  @Test func theFirstResultThatIsNotNilIsReturnedAndEachElementIsAskedOnce() {
    var asked: [Int] = []
    let found = [1, 2, 3, 4].firstResult { number -> String? in
      asked.append(number)
      return number < 3 ? nil : "\(number)"
    }
    #expect(found == "3")
    #expect(asked == [1, 2, 3])
    #expect([1, 2].firstResult { _ in String?.none } == nil)
  }
}

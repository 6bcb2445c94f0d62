import TestSupport
import Testing

@testable import LiveQueries

@Suite(.seeded) struct KeyIndexTests {
  @Test func numbersOfBlocksMayBeLarge() {
    var index = KeyIndex()
    index.prepare { [1, 2, 3].forEach($0) }
    for key in Int64(0)..<10 { index.set(key, to: Int(key)) }
    index.set(3, to: 70_000)
    #expect(index[3] == 70_000 && index[2] == 2 && index[11] == -1 && index.count == 10)
    index.deallocate()
  }

  @Test func keysThatBecomeDenseLeaveTheDictionary() {
    var index = KeyIndex()
    for key in Int64(0)..<100_000 { index.set(key, to: Int(key) / 400) }
    index.set(.max, to: 7)
    index.set(-1, to: 8)
    #expect(index.bytesUsed < 400_000)
    #expect((Int64(0)..<100_000).allSatisfy { index[$0] == Int($0) / 400 })
    #expect(index[.max] == 7 && index[-1] == 8 && index[.min] == -1 && index.count == 100_002)
    index.remove(.max)
    index.remove(500)
    #expect(index[.max] == -1 && index[500] == -1 && index.count == 100_000)
    index.deallocate()
  }

  @Test func keysFarApartTakeNoPages() {
    var index = KeyIndex()
    for number in Int64(1)...10_000 { index.set(number &* 0x1234_5678_9ABC, to: 3) }
    #expect(index.bytesUsed < 10_000 * 48)
    #expect(index[0x1234_5678_9ABC] == 3)
    index.deallocate()
  }

  @Test func newRowsNeverWaitInTheDictionary() {
    var index = KeyIndex()
    index.prepare { body in (Int64(1)...20_000).forEach(body) }
    for key in Int64(1)...20_000 { index.set(key, to: 1) }
    let bytes = index.bytesUsed
    for key in Int64(20_001)...60_000 {
      index.set(key, to: 2)
      // A page of keys has two bytes each; in the dictionary it would be sixteen and more.
      if key % 4096 == 0 { #expect(index.bytesUsed - bytes < (key - 20_000 + 4096) * 2 + 1024) }
    }
    #expect((Int64(20_001)...60_000).allSatisfy { index[$0] == 2 } && index.count == 60_000)
    index.deallocate()
  }

  @Test func keysOfAnyPatternAreFoundAsInADictionary() {
    var random = SplitMix(seed: 11)
    for bits in [UInt64(10), 14, 18, 24, 60] {
      var (index, plain) = (KeyIndex(), [Int64: Int]())
      for _ in 0..<20_000 {
        let key = Int64(random.next() & ((1 << bits) - 1)) - 3
        if random.next() % 3 == 0, plain[key] != nil {
          index.remove(key)
          plain[key] = nil
        } else {
          let block = Int(random.next() % 90)
          index.set(key, to: block)
          plain[key] = block
        }
      }
      #expect(plain.allSatisfy { index[$0.key] == $0.value } && index.count == plain.count)
      index.deallocate()
    }
  }

  @Test func aKeyThatIsThereIsNotInsertedAgain() {
    var index = KeyIndex()
    index.prepare { (Int64(1)...5_000).forEach($0) }
    for key in [Int64(3), 4_500, -5, .max] {
      let answers = [index.insert(key, in: 1), index.insert(key, in: 2)]
      #expect(answers == [true, false])
      #expect(index[key] == 1)
    }
    // Numbers of blocks that take four bytes change those of all keys.
    let answers = [index.insert(9, in: 70_000), index.insert(9, in: 80_000)]
    #expect(answers == [true, false])
    #expect(index[3] == 1 && index[4_500] == 1 && index[9] == 70_000 && index.count == 5)
    index.deallocate()
  }

  @Test func pagesStayWhereSparseKeysFillTheDictionary() {
    var index = KeyIndex()
    index.prepare { (Int64(1)...10_000).forEach($0) }
    for key in Int64(5_000)...10_000 { index.set(key, to: 1) }
    for number in Int64(1)...9_000 { index.set(number << 40, to: 2) }
    #expect(index.count == 14_001)
    #expect((Int64(5_000)...10_000).allSatisfy { index[$0] == 1 })
    #expect((Int64(1)...9_000).allSatisfy { index[$0 << 40] == 2 })
    index.set(7_000, to: 70_000)
    #expect(index[7_000] == 70_000 && index[7_001] == 1 && index[1] == -1)
    index.deallocate()
  }
}

import Stores
import Testing

@testable import LiveQueries

@Suite struct StoredKeyGroupsTests {
  private var known = StoredKeyGroups()

  private mutating func note(_ text: String, _ group: Int32) {
    Array(text.utf8).withUnsafeBytes { known.note(.text($0), group) }
  }

  private mutating func group(_ text: String) -> Int32? {
    Array(text.utf8).withUnsafeBytes { known.group(of: .text($0)) }
  }

  @Test mutating func aValueIsKnownByItsStorageClassAndItsBytes() {
    known.note(.null, 0)
    known.note(.integer(1), 1)
    known.note(.real(1), 2)
    note("1", 3)
    note("", 4)
    note("a text of more than eight bytes", 5)
    #expect(known.group(of: .null) == 0)
    #expect(known.group(of: .integer(1)) == 1)
    #expect(known.group(of: .real(1)) == 2)
    #expect([group("1"), group(""), group("a text of more than eight bytes")] == [3, 4, 5])
    #expect([group("2"), group("a text of more than eight bytez"), group("a text")] == [nil, nil, nil])
    #expect(known.group(of: .integer(0)) == nil)
    #expect(known.group(of: .real(-0.0)) == nil)
  }

  @Test mutating func longTextsAndValuesWithoutAStoredFormAreNeverKnown() {
    let (short, long) = (String(repeating: "é", count: 128), String(repeating: "é", count: 128) + "e")
    note(short, 1)
    note(long, 2)
    known.note(.other, 3)
    #expect([group(short), group(long), known.group(of: .other)] == [1, nil, nil])
  }

  @Test mutating func manyValuesAreKnownWhileTheyComeAgain() {
    for number in 0..<Int64(60_000) { known.note(.integer(number), Int32(number)) }
    for _ in 0..<2 {
      let found = (0..<Int64(60_000)).count { known.group(of: .integer($0)).map(Int64.init) == $0 }
      // A few stand too far from the slot of their hash.
      #expect(found > 59_000)
    }
    for number in 60_000..<Int64(200_000) { known.note(.integer(number), Int32(number)) }
    #expect(known.group(of: .integer(5)) == 5)
  }

  @Test mutating func valuesThatNeverComeAgainAreNotLookedUp() {
    for number in 0..<Int64(70_000) {
      #expect(known.group(of: .integer(number)) == nil)
      known.note(.integer(number), 1)
    }
    #expect(known.group(of: .integer(5)) == nil)
  }
}

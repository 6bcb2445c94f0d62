import Modeling
import Testing

@Suite struct FixedWidthIntegerCheckedTests {
  private static let numbers: [Int8] = [.min, .min + 1, -100, -1, 0, 1, 2, 100, .max - 1, .max]

  @Test func whatIsBeyondTheTypeEndsAtItsEnd() {
    for left in Self.numbers {
      for right in Self.numbers {
        let (one, other) = (Int(left), Int(right))
        #expect(left +| right == Int8(clamping: one + other))
        #expect(left -| right == Int8(clamping: one - other))
        #expect(left *| right == Int8(clamping: one * other))
      }
    }
    #expect(UInt8(3) -| 5 == 0)
    #expect(UInt8(200) +| 100 == 255)
    #expect(UInt8(200) *| 2 == 255)
  }

  @Test func aFloatBeyondTheTypeEndsAtItsEndAndWhatIsNoNumberIsZero() {
    #expect(Int(saturating: 1e308) == .max && Int(saturating: -.infinity) == .min && Int(saturating: .nan) == 0)
    #expect(Int(saturating: 0x1p63) == .max && Int(saturating: -0x1p63) == .min && Int(saturating: -2.9) == -2)
    #expect(Int32(saturating: 3e9) == .max && UInt8(saturating: -0.5) == 0 && UInt8(saturating: 255.9) == 255)
  }

  @Test func anElementIsFoundByItsNumberAndNoOther() {
    let list = ["a", "b", "c"][1...]
    #expect(list.element(numbered: 1) == "b")
    #expect(list.element(numbered: 2) == "c")
    for number in [Int64.min, -1, 0, 3, .max] { #expect(list.element(numbered: number) == nil) }
  }

  @Test func aRangeTheWrongWayRoundIsNone() {
    #expect(ClosedRange(from: 1, through: 2) == 1...2)
    #expect(ClosedRange(from: Int.max, through: .max) == Int.max...Int.max)
    #expect(ClosedRange(from: 1, through: 0) == nil)
  }
}

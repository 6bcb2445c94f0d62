import Modeling
import Testing

@Suite struct QuantityTests {
  @Test func numbersHaveTheDigitsThatMatter() {
    #expect(Quantity.grouped(886_323) == "886,323")
    #expect(Quantity.grouped(-1_000) == "-1,000")
    #expect(Quantity.grouped(12) == "12")
    #expect([24, 999, 1_500, 90_000, 86_000_000].map(Quantity.bytes) == ["24 B", "999 B", "1.5 kB", "90 kB", "86 MB"])
    #expect([24, 999, 16_488, 86_000_000].map(Quantity.fineBytes) == ["24 B", "999 B", "16.5 kB", "86.0 MB"])
    #expect(
      [0.000_001, 0.000_4, 0.005, 0.028, 2.84, 65, 7_300].map(Quantity.duration) == [
        "under 0.01 ms", "0.40 ms", "5.0 ms", "28 ms", "2.8 s", "1:05", "2:01:40",
      ])
    #expect([12, 1_234, 558_000, 1_250_000].map(Quantity.short) == ["12", "1.2k", "558k", "1.3M"])
  }

  @Test func oneThingIsSingular() {
    #expect([0, 1, 4_000].map { Quantity.count($0, "row") } == ["0 rows", "1 row", "4,000 rows"])
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e19, -1e300])
  func whatNoIntegerHoldsIsWrittenAsItIs(_ number: Double) {
    #expect(Quantity.decimal(number, places: 2) == "\(number)")
  }

  @Test func largeNumbersKeepTheirDigits() {
    #expect(Quantity.decimal(1e15, places: 0) == "1000000000000000")
    #expect(Quantity.decimal(-0.5, places: 1) == "-0.5")
  }
}

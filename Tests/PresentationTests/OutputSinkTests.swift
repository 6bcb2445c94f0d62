import TestSupport
import Testing

@testable import Presentation

@Suite(.seeded) struct OutputSinkTests {
  @Test func whatIsWrittenArrivesInOrder() throws {
    var generator = SplitMix(seed: 3)
    var expected: [UInt8] = []
    let sink = OutputSink(capacity: 16, to: nil)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      expected += bytes
      sink.write(bytes)
    }
    #expect(sink.contents == expected)
  }

  @Test func integersHaveAllTheirDigits() {
    for value in [0, 1, -1, 9, 10, Int64.max, .min, 1_234_567_890] {
      let sink = OutputSink.inMemory()
      sink.write(integer: value)
      #expect(sink.text == String(value))
    }
  }

  /// Numbers of few digits have a way of their own.
  @Test func realsHaveTheShortestDigitsThatReadBack() {
    var generator = SplitMix(seed: 5)
    let edges = [1e-3, 1e-4, 0.1, 1, 1e8, 1e9, 1e12, 1e14, 1e15, 1e16, 9_007_199_254_740_992, 999_999_999.999_999]
    var values = edges.flatMap { [$0, $0.nextUp, $0.nextDown, $0 * 3, $0 / 3] }
    values += [0, -0.0, .infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
    for _ in 0..<20_000 {
      let digits = Double(
        Int.random(in: 0..<1_000_000_000_000_000, using: &generator) >> Int.random(in: 0...49, using: &generator))
      values.append(digits / [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e9][Int.random(in: 0...8, using: &generator)])
      values.append(Double(bitPattern: .random(in: 0 ... .max, using: &generator)))
    }
    for value in values.flatMap({ [$0, -$0] }) {
      let sink = OutputSink.inMemory()
      sink.write(real: value)
      #expect(sink.text == value.description)
    }
  }

  @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
  func base64IsPadded(_ sample: (String, String)) {
    let sink = OutputSink.inMemory()
    Array(sample.0.utf8).withUnsafeBufferPointer { sink.write(base64: $0) }
    #expect(sink.text == sample.1)
  }

  @Test func theSinkKnowsWhetherALineIsOpen() {
    let sink = OutputSink.inMemory()
    #expect(sink.isAtLineStart)
    sink.write("a")
    #expect(!sink.isAtLineStart)
    sink.flush()
    #expect(!sink.isAtLineStart)
    sink.write("\n")
    #expect(sink.isAtLineStart)
  }
}

import TestSupport
import Testing

@testable import Terminal

/// Sixels read back as the picture that they were made of.
@Suite(.seeded) struct SixelWriterTests {
  /// Draws sixels as a terminal does, by the documented format; nil where they break it.
  private func drawn(_ text: String, _ columns: Int, _ rows: Int) -> [[Int]?]? {
    guard text.hasPrefix("\u{1B}P0;1;0q"), text.hasSuffix("\u{1B}\\") else { return nil }
    var palette: [Int: [Int]] = [:]
    var pixels = [[Int]?](repeating: nil, count: columns * rows)
    var (column, top, color, count) = (0, 0, 0, 1)
    var rest = text.dropFirst(8).dropLast(2)
    func numbers() -> [Int] {
      let digits = rest.prefix { $0.isNumber || $0 == ";" }
      rest = rest.dropFirst(digits.count)
      return digits.split(separator: ";").compactMap { Int($0) }
    }
    while let character = rest.popFirst() {
      switch character {
      case "\"": if numbers() != [1, 1, columns, rows] { return nil }
      case "#":
        let found = numbers()
        color = found[0]
        if found.count == 5 { palette[color] = Array(found[2...]) }
      case "!": count = numbers()[0]
      case "$": column = 0
      case "-": (column, top) = (0, top + 6)
      default:
        guard let code = character.asciiValue, (0x3F...0x7E).contains(code) else { return nil }
        for _ in 0..<count {
          for bit in 0..<6 where (code - 0x3F) >> UInt8(bit) & 1 == 1 {
            guard column < columns, top + bit < rows else { return nil }
            pixels[(top + bit) * columns + column] = palette[color]
          }
          column += 1
        }
        count = 1
      }
    }
    return pixels
  }

  private func percentages(_ pixel: UInt32) -> [Int] {
    [16, 8, 0].map { (shift: UInt32) in
      let part = pixel >> shift & 0xFC
      return Int((Double(part) * 100 / 252).rounded())
    }
  }

  @Test func picturesOfFewColoursComeBackWhole() throws {
    var numbers = SplitMix(seed: 3)
    for _ in 0..<60 {
      let (columns, rows) = (Int.random(in: 1...40, using: &numbers), Int.random(in: 1...20, using: &numbers))
      let colors = (0..<Int.random(in: 1...9, using: &numbers)).map { _ in
        UInt32.random(in: 0...0xFFFFFF, using: &numbers)
      }
      var pixels: [UInt32] = []
      while pixels.count < columns * rows {
        pixels += repeatElement(numbers.pick(colors), count: Int.random(in: 1...12, using: &numbers))
      }
      let picture = PixelPicture(columns: columns, rows: rows, pixels: Array(pixels.prefix(columns * rows)))
      let found = try #require(drawn(SixelWriter(picture).text, columns, rows))
      #expect(found == picture.pixels.map(percentages))
    }
  }

  @Test func pixelsOfManyColoursGetNearOnes() throws {
    let pixels = (0..<4_096).map { number -> UInt32 in
      let (red, green, blue) = (UInt32(number & 0xF), UInt32(number >> 4 & 0xF), UInt32(number >> 8))
      return red << 20 | green << 12 | blue << 4
    }
    let found = try #require(drawn(SixelWriter(PixelPicture(columns: 64, rows: 64, pixels: pixels)).text, 64, 64))
    #expect(found.allSatisfy { $0 != nil })
    #expect(Set(found.compactMap(\.self)).count <= 256)
  }

  @Test func theCursorStaysBesideTheLastLine() {
    let text = SixelWriter(PixelPicture(columns: 1, rows: 12, pixels: Array(repeating: 0, count: 12))).text
    #expect(text.count { $0 == "-" } == 1)
  }
}

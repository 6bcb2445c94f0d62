/// A picture as sixels: six rows of pixels a line, a pass for each colour.
///
/// The format is that of the VT340, as xterm, foot, WezTerm, Windows Terminal and others read it. It has at most 256 colours; a
/// picture with more keeps the most frequent ones.
package struct SixelWriter {
  private static let mostColors = 256

  /// The number of each colour.
  private var numbers: [UInt32: Int] = [:]
  private var palette: [UInt32] = []
  private let picture: PixelPicture

  package init(_ picture: PixelPicture) {
    self.picture = picture
    var counts: [UInt32: Int] = [:]
    for pixel in picture.pixels { counts[Self.rounded(pixel), default: 0] += 1 }
    palette = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostColors).map(\.key)
    for (number, color) in palette.enumerated() { numbers[color] = number }
    for color in counts.keys where numbers[color] == nil { numbers[color] = nearest(to: color) }
  }

  /// A colour with six bits for each part, which percentages can distinguish.
  private static func rounded(_ pixel: UInt32) -> UInt32 { pixel & 0xFC_FC_FC }

  private func nearest(to color: UInt32) -> Int {
    func distance(_ other: UInt32) -> Int {
      [0, 8, 16].reduce(0) { sum, shift in
        let difference = Int(color >> UInt32(shift) & 0xFF) - Int(other >> UInt32(shift) & 0xFF)
        return sum + difference * difference
      }
    }
    return palette.indices.min { distance(palette[$0]) < distance(palette[$1]) } ?? 0
  }

  /// The sequence that draws the picture at the cursor.
  package var text: String {
    var text: [UInt8] = []
    // Pixels are square, and those that no pass draws stay as they are.
    text += "\u{1B}P0;1;0q\"1;1;\(picture.columns);\(picture.rows)".utf8
    for (number, color) in palette.enumerated() {
      let parts = [16, 8, 0].map { shift in String((Int(color >> UInt32(shift) & 0xFF) * 100 + 126) / 252) }
      text += "#\(number);2;\(parts.joined(separator: ";"))".utf8
    }
    for top in stride(from: 0, to: picture.rows, by: 6) {
      // The cursor stays beside the last line.
      if top > 0 { text.append(UInt8(ascii: "-")) }
      writeLine(top, to: &text)
    }
    text += "\u{1B}\\".utf8
    return String(decoding: text, as: UTF8.self)
  }

  /// Six rows, of which each colour draws its bits.
  private func writeLine(_ top: Int, to text: inout [UInt8]) {
    var lines: [Int: [UInt8]] = [:]
    for row in top..<min(top + 6, picture.rows) {
      for column in 0..<picture.columns {
        let number = numbers[Self.rounded(picture.pixels[row * picture.columns + column])] ?? 0
        lines[number, default: [UInt8](repeating: 0, count: picture.columns)][column] |= 1 << UInt8(row - top)
      }
    }
    for (place, number) in lines.keys.sorted().enumerated() {
      if place > 0 { text.append(UInt8(ascii: "$")) }
      text += "#\(number)".utf8
      writeRuns(lines[number] ?? [], to: &text)
    }
  }

  private func writeRuns(_ sixels: [UInt8], to text: inout [UInt8]) {
    var start = 0
    // An empty end is left out.
    let end = (sixels.lastIndex { $0 != 0 } ?? -1) + 1
    while start < end {
      var next = start + 1
      while next < end, sixels[next] == sixels[start] { next += 1 }
      let character = sixels[start] + 0x3F
      if next - start > 3 {
        text += "!\(next - start)".utf8
        text.append(character)
      } else {
        text += repeatElement(character, count: next - start)
      }
      start = next
    }
  }
}

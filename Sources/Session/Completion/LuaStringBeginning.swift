package import LuaBindings
internal import Presentation

/// The beginning of a Lua string literal: its text, and the place in the line of each of its bytes.
///
///     LuaStringBeginning(token, in: bytes)      // of  "place == \"Chi  the text  place == "Chi
package struct LuaStringBeginning {
  /// The text without Lua's escapes.
  package let text: String
  /// The closing delimiter.
  let ending: String
  /// The offset in the line of each byte of the text, and of its end.
  private let places: [Int]

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 10, UInt8(ascii: "t"): 9, UInt8(ascii: "r"): 13, UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "'"): UInt8(ascii: "'"),
  ]

  /// Reads an open string at the end of `bytes`; nil for rare escapes, such as `\x41`.
  init?(_ token: LuaToken, in bytes: [UInt8]) { self.init(token, bytes[...]) }

  private init?(_ token: LuaToken, _ bytes: ArraySlice<UInt8>) {
    var place = token.range.lowerBound
    let isLong = bytes[place] == UInt8(ascii: "[")
    let opening = isLong ? 2 + bytes[(place + 1)...].prefix { $0 == UInt8(ascii: "=") }.count : 1
    ending = String(decoding: bytes[place..<min(place + opening, bytes.endIndex)], as: UTF8.self)
      .replacing("[", with: "]")
    place += opening
    guard place <= bytes.endIndex else { return nil }
    var content: [UInt8] = []
    var places: [Int] = []
    while place < bytes.endIndex {
      places.append(place)
      if bytes[place] == UInt8(ascii: "\\"), !isLong {
        guard place + 1 < bytes.endIndex, let meant = Self.escapes[bytes[place + 1]] else { return nil }
        content.append(meant)
        place += 2
      } else {
        content.append(bytes[place])
        place += 1
      }
    }
    guard let text = String(validating: content, as: UTF8.self) else { return nil }
    self.text = text
    self.places = places + [place]
  }

  /// Reads a string whether it is open or not; nil for rare escapes.
  package init?(content token: LuaToken, in bytes: [UInt8]) {
    let start = token.range.lowerBound
    let isLong = bytes[start] == UInt8(ascii: "[")
    let closing = isLong ? 2 + bytes[(start + 1)...].prefix { $0 == UInt8(ascii: "=") }.count : 1
    let end =
      if case .string(isOpen: false) = token.kind { token.range.upperBound - closing } else { token.range.upperBound }
    self.init(token, bytes[..<end])
  }

  /// The offset in the line of a byte of the text, or of its end.
  package func place(ofByte offset: Int) -> Int { places[min(max(offset, 0), places.count - 1)] }

  /// The quote for texts within it, so that none of its own has to be escaped.
  var innerQuote: Character { ending == "\"" ? "'" : "\"" }

  /// Converts completions of the text into completions of the line, without those that the string cannot contain.
  func placed(_ completions: Completions) -> Completions {
    var placed = completions
    placed.start = place(ofByte: completions.start)
    placed.candidates = completions.candidates.compactMap { candidate in
      written(candidate.text).map { Completions.Candidate($0, candidate.remark) }
    }
    return placed
  }

  /// A text as it is written within the string.
  private func written(_ text: String) -> String? {
    if ending.count > 1 { return text.contains(ending) ? nil : text }
    return text.replacing("\\", with: "\\\\").replacing(ending, with: "\\" + ending)
  }
}

internal import SwiftParsing

/// The comments of a file that silence a line: `// perilune: ignore <reason>`.
struct SilencingComments {
  /// The comments by the lines that they silence: their own, or the next one if nothing else stands in theirs.
  private(set) var silences: [Int: SourceSites.Silence] = [:]

  private static let mark = Array("// perilune: ignore".utf8)

  init(_ file: SwiftSourceFile) {
    let bytes = file.bytes
    var line = 1
    var start = 0
    var token = 0
    for place in bytes.indices {
      if bytes[place] == 0x0A {
        line += 1
        start = place + 1
      }
      guard bytes[place] == Self.mark[0], bytes[place...].starts(with: Self.mark) else { continue }
      while token < file.tokens.count - 1, file.tokens[token].range.upperBound <= place { token += 1 }
      // Within a string it is text.
      if file.tokens[token].range.contains(place) { continue }
      let end = bytes[place...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      let rest = bytes[(place + Self.mark.count)..<end]
      // `ignored`
      if let next = rest.first, next != 0x20, next != 0x09, next != UInt8(ascii: ":") { continue }
      let reason = rest.drop { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
      let isAlone = bytes[start..<place].allSatisfy { $0 == 0x20 || $0 == 0x09 }
      silences[isAlone ? line + 1 : line] = SourceSites.Silence(
        reason: String(decoding: reason, as: UTF8.self), range: place..<end)
    }
  }
}

internal import SwiftParsing

/// The source of a string literal: its texts, and the interpolations between them.
struct SwiftTemplate {
  enum Piece {
    case text(String)
    /// The arguments of `\(...)`.
    case value([SwiftArgument])
  }

  private(set) var pieces: [Piece] = []

  /// Takes a literal apart that begins at byte `offset` of its source; nil for one that is not closed.
  init?(_ literal: String, at offset: Int) {
    let bytes = Array(literal.utf8)
    let sharps = bytes.prefix { $0 == UInt8(ascii: "#") }.count
    let quote = UInt8(ascii: "\"")
    let isMultiline = bytes.dropFirst(sharps).prefix(3).elementsEqual([quote, quote, quote])
    let frame = sharps + (isMultiline ? 3 : 1)
    guard bytes.count >= frame * 2, bytes[sharps] == quote else { return nil }
    let opening = String(repeating: "#", count: sharps) + (isMultiline ? "\"\"\"" : "\"")
    let closing = (isMultiline ? "\"\"\"" : "\"") + String(repeating: "#", count: sharps)
    let escape = Array(("\\" + String(repeating: "#", count: sharps) + "(").utf8)
    let content = bytes[frame..<bytes.count - frame]
    var start = content.startIndex
    var place = content.startIndex
    func add(upTo end: Int, _ pieces: inout [Piece]) {
      guard end > start else { return }
      let source = opening + String(decoding: content[start..<end], as: UTF8.self) + closing
      var lexer = SwiftLexer(source)
      guard case .string(let string)? = lexer.tokenize().first?.kind else { return }
      pieces.append(.text(string.content))
    }
    while place < content.endIndex {
      if content[place...].starts(with: escape) {
        add(upTo: place, &pieces)
        place += escape.count
        let first = place
        var depth = 1
        while place < content.endIndex {
          if content[place] == UInt8(ascii: "(") { depth += 1 }
          if content[place] == UInt8(ascii: ")") { depth -= 1 }
          if depth == 0 { break }
          place += 1
        }
        guard depth == 0 else { return nil }
        pieces.append(
          .value(Self.arguments(String(decoding: content[first..<place], as: UTF8.self), at: offset + first)))
        place += 1
        start = place
      } else if content[place] == UInt8(ascii: "\\"), sharps == 0 {
        place = min(place + 2, content.endIndex)
      } else {
        place += 1
      }
    }
    add(upTo: content.endIndex, &pieces)
  }

  /// Behind this place of a source interpolations are not read: each is read with blanks before it.
  private static let furthest = 100_000

  /// Reads an interpolation, with its places in the source.
  private static func arguments(_ source: String, at offset: Int) -> [SwiftArgument] {
    guard offset >= 2, offset < furthest else { return [] }
    // Places matter only for parts that are cut out of the source again.
    let isPath = source.utf8.allSatisfy {
      $0.isDecimalDigit || ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || ".?!_$".utf8.contains($0)
    }
    let blanks = isPath ? "" : String(repeating: " ", count: offset - 2)
    var parser = SwiftParser(blanks + "f(\(source))", readsViews: true)
    guard case .value(let value)? = parser.parse().first?.kind, case .call(_, _, let arguments) = value.kind else {
      return []
    }
    return arguments
  }
}

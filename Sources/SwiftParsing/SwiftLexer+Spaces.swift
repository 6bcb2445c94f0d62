extension SwiftLexer {
  /// Skips what means nothing, and notes whether a line begins.
  mutating func skipSpaceAndComments() {
    while let byte = peek() {
      switch byte {
      case 0x0A, 0x0D:
        beginsLine = true
        position += 1
      case 0x20, 0x09, 0x0B, 0x0C: position += 1
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipComment()
      case 0x80...:
        // Text pasted from a web page has no-break spaces.
        guard let (value, length) = scalar(), value.properties.isWhitespace || value == "\u{FEFF}" else { return }
        position += length
      default: return
      }
    }
  }

  private mutating func skipLine() {
    while let byte = peek(), byte != 0x0A, byte != 0x0D { position += 1 }
  }

  /// Skips a comment, and those within it.
  private mutating func skipComment() {
    let start = position
    var depth = 0
    repeat {
      if isAt("/*") {
        depth += 1
        position += 2
      } else if isAt("*/") {
        depth -= 1
        position += 2
      } else if position < bytes.count {
        if bytes[position] == 0x0A { beginsLine = true }
        position += 1
      } else {
        report(.unterminated("/*"), from: start)
        return
      }
    } while depth > 0
  }
}

/// Splits Swift source into tokens; comments are left out.
///
/// The lexer records errors and continues, so that one pass finds them all.
package struct SwiftLexer {
  package let text: String
  package let bytes: [UInt8]
  package var position = 0
  package var issues: SwiftIssues
  private var tokens: [SwiftToken] = []
  package var beginsLine = true

  package init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
    issues = SwiftIssues(text)
  }

  /// Reads the whole text; the last token is `.end`.
  package mutating func tokenize() -> [SwiftToken] {
    while true {
      skipSpaceAndComments()
      guard peek() != nil else { break }
      let start = position
      if let kind = readToken() { append(kind, from: start) }
    }
    append(.end, from: position)
    return tokens
  }

  private mutating func append(_ kind: SwiftToken.Kind, from start: Int) {
    let touches = tokens.last?.range.upperBound == start
    tokens.append(SwiftToken(kind: kind, range: start..<position, beginsLine: beginsLine, touchesPrevious: touches))
    beginsLine = false
  }

  // MARK: Bytes

  func peek(_ offset: Int = 0) -> UInt8? { position + offset < bytes.count ? bytes[position + offset] : nil }

  func isAt(_ piece: String) -> Bool {
    let end = position + piece.utf8.count
    return end <= bytes.count && bytes[position..<end].elementsEqual(piece.utf8)
  }

  package func slice(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  package mutating func report(_ fact: SwiftReadingError.Fact, from start: Int) {
    issues.report(fact, at: start..<position)
  }

  /// The scalar at the position and its length in bytes.
  package func scalar() -> (value: Unicode.Scalar, length: Int)? {
    guard let byte = peek() else { return nil }
    let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    guard let value = slice(position..<min(position + length, bytes.count)).unicodeScalars.first else { return nil }
    return (value, length)
  }

  // MARK: Tokens

  private mutating func readToken() -> SwiftToken.Kind? {
    guard let byte = peek() else { return nil }
    switch byte {
    case UInt8(ascii: "\""): return .string(readString(sharps: 0))
    case UInt8(ascii: "#"): return readSharp()
    case UInt8(ascii: "@"): return readAttribute()
    case UInt8(ascii: "`"): return readEscapedName()
    case UInt8(ascii: "\\") where peek(1) == UInt8(ascii: "_"):
      // A page in Markdown writes an underscore so; a key path begins with a type or a point.
      position += 1
      return .name(readName())
    case UInt8(ascii: "$"):
      let start = position
      position += 1
      _ = readName(canBeginWithDigit: true)
      return .name(slice(start..<position))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(readNumber())
    case UInt8(ascii: "/") where canBeginValue && readsPattern():
      return .regularExpression(readPattern(sharps: 0))
    default: break
    }
    let name = readName()
    if !name.isEmpty { return .name(name) }
    return readSign()
  }

  /// Whether a value can begin here, so that `/` is no division.
  private var canBeginValue: Bool {
    switch tokens.last?.kind {
    case .name(let name): ["return", "in", "else", "try"].contains(name) && !endsEscaped
    case .number, .string, .regularExpression, .pound, .attribute: false
    case .sign(let sign): ![")", "]", "}", "!", "?"].contains(sign)
    case .end, nil: true
    }
  }

  /// Whether the last token is a name in backticks.
  private var endsEscaped: Bool { tokens.last.map { bytes[$0.range.lowerBound] == UInt8(ascii: "`") } ?? false }

  /// Reads letters, digits and underscores; empty where no name starts.
  mutating func readName(canBeginWithDigit: Bool = false) -> String {
    let start = position
    while let byte = peek() {
      if byte < 0x80 {
        let isLetter = byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        guard isLetter || byte.isDecimalDigit && (position > start || canBeginWithDigit) else { break }
        position += 1
      } else {
        guard let (value, length) = scalar(), value.properties.isXIDContinue || value.properties.isEmoji else { break }
        position += length
      }
    }
    return slice(start..<position)
  }

  private mutating func readEscapedName() -> SwiftToken.Kind? {
    let start = position
    position += 1
    let name = readName()
    if peek() == UInt8(ascii: "`"), !name.isEmpty {
      position += 1
      return .name(name)
    }
    report(.unterminated("`"), from: start)
    return name.isEmpty ? nil : .name(name)
  }

  /// Reads `#Predicate`, a raw string or an extended regular expression.
  private mutating func readSharp() -> SwiftToken.Kind? {
    let start = position
    while peek() == UInt8(ascii: "#") { position += 1 }
    let sharps = position - start
    if peek() == UInt8(ascii: "\"") { return .string(readString(sharps: sharps)) }
    if peek() == UInt8(ascii: "/") { return .regularExpression(readPattern(sharps: sharps)) }
    let name = sharps == 1 ? readName() : ""
    if !name.isEmpty { return .pound(name) }
    report(.unexpected(found: slice(start..<position), expected: "a macro such as #Predicate"), from: start)
    return nil
  }

  /// Reads `@Query`; the sign before a literal of Objective-C is left out.
  private mutating func readAttribute() -> SwiftToken.Kind? {
    let start = position
    position += 1
    let name = readName()
    if !name.isEmpty { return .attribute(name) }
    if let next = peek(), next == UInt8(ascii: "\"") || next.isDecimalDigit { return readToken() }
    return .sign(slice(start..<position))
  }

  private mutating func readSign() -> SwiftToken.Kind? {
    let start = position
    for length in [3, 2, 1] where start + length <= bytes.count && bytes[start] < 0x80 {
      let candidate = slice(start..<start + length)
      if Self.signs.contains(candidate) {
        position += length
        return .sign(candidate)
      }
    }
    position += scalar()?.length ?? 1
    position = min(position, bytes.count)
    report(.unexpected(found: slice(start..<position), expected: "a name, value or operator"), from: start)
    return nil
  }

  /// The signs of Swift that mean something here or are better reported as a whole.
  private static let signs: Set<String> = [
    "...", "..<", "===", "!==", "&&", "||", "??", "==", "!=", "<=", ">=", "->", "+=", "-=", "*=", "/=", "%=", "&+",
    "&-", "&*", "(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "=", "+", "-", "*", "/", "%", "<", ">", "!", "?",
    "&", "|", "^", "~", "\\",
  ]
}

extension UInt8 {
  package var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

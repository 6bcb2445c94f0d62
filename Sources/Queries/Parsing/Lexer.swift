/// Splits a format string into tokens.
///
/// It records errors and continues, so that one pass finds them all. Offsets are UTF-8 bytes.
struct Lexer {
  let text: String
  let bytes: [UInt8]
  var position = 0
  var issues: [PredicateError.Issue] = []
  /// The number of placeholders that take an argument.
  private(set) var placeholderCount = 0
  private var tokens: [Token] = []

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  /// Reads the whole text; the last token is `.end`.
  mutating func tokenize() -> [Token] {
    while true {
      skipSpace()
      guard let byte = peek() else { break }
      let start = position
      if let kind = readToken(startingWith: byte) { tokens.append(Token(kind: kind, range: start..<position)) }
    }
    tokens.append(Token(kind: .end, range: bytes.count..<bytes.count))
    return tokens
  }

  // MARK: Bytes

  func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  func slice(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  func origin(from start: Int) -> Origin { Origin(text: text, range: start..<position) }

  mutating func report(_ fact: PredicateError.Fact, from start: Int) {
    guard issues.count < PredicateError.issueLimit else { return }
    issues.append(PredicateError.Issue(fact, at: origin(from: start)))
  }

  /// The scalar at the position and its length in bytes.
  func scalar() -> (value: Unicode.Scalar, length: Int)? {
    guard let byte = peek() else { return nil }
    let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    guard let value = slice(position..<min(position + length, bytes.count)).unicodeScalars.first else { return nil }
    return (value, length)
  }

  private mutating func skipSpace() {
    while let byte = peek() {
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        position += 1
      } else if byte >= 0x80, let (value, length) = scalar(), value.properties.isWhitespace {
        // Text pasted from a web page contains no-break spaces.
        position += length
      } else {
        return
      }
    }
  }

  // MARK: Tokens

  private mutating func readToken(startingWith byte: UInt8) -> Token.Kind? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(readString(closing: [byte]))
    case UInt8(ascii: "$"): return readVariable()
    case UInt8(ascii: "#"): return readEscapedKey()
    case UInt8(ascii: "@"): return readCollectionOperator()
    case UInt8(ascii: "%"): return readPlaceholder()
    default: break
    }
    if byte.isDigit || (byte == UInt8(ascii: ".") && peek(1)?.isDigit == true && !followsKey) {
      return .number(readNumber())
    }
    if isAtNameStart { return .word(readWord()) }
    if let sign = readSign() { return .sign(sign) }
    return readUnknown()
  }

  /// Whether a point may continue the last token, so that a following `.5` is not a number.
  private var followsKey: Bool {
    guard let last = tokens.last, last.range.upperBound == position else { return false }
    return switch last.kind {
    case .word, .escapedKey, .variable, .collectionOperator, .placeholder, .sign(")"), .sign("]"), .sign("}"): true
    default: false
    }
  }

  private var isAtNameStart: Bool {
    guard let byte = peek() else { return false }
    if byte < 0x80 { return byte.isNameStart }
    guard let value = scalar()?.value else { return false }
    return value.properties.isXIDStart || value.properties.isEmoji
  }

  /// Reads letters, digits and underscores; returns an empty text if no name starts here.
  mutating func readName() -> String {
    guard isAtNameStart else { return "" }
    let start = position
    while let byte = peek() {
      if byte < 0x80 {
        guard byte.isNameStart || byte.isDigit else { break }
        position += 1
      } else {
        guard let (value, length) = scalar(), value.properties.isXIDContinue || value.properties.isEmoji else { break }
        position += length
      }
    }
    return slice(start..<position)
  }

  private mutating func readWord() -> String {
    let start = position
    let name = readName()
    if name.uppercased() == "UTI" {
      for rest in ["-CONFORMS-TO", "-EQUALS"] where position + rest.utf8.count <= bytes.count {
        let end = position + rest.utf8.count
        if slice(position..<end).uppercased() == rest {
          position = end
          return slice(start..<end)
        }
      }
    }
    return readSelector(from: start) ?? name
  }

  /// Reads the rest of a selector such as `add:to:` if a parenthesis follows the colons.
  private mutating func readSelector(from start: Int) -> String? {
    let afterName = position
    var parts = 0
    // No selector has more parts. Without this limit, each name of `a:a:a:…` would be scanned again for every following
    // one.
    while parts < 8, peek() == UInt8(ascii: ":"), peek(1) != UInt8(ascii: "=") {
      parts += 1
      position += 1
      _ = readName()
    }
    let end = position
    skipSpace()
    let isCall = end > afterName && bytes[end - 1] == UInt8(ascii: ":") && peek() == UInt8(ascii: "(")
    position = isCall ? end : afterName
    return isCall ? slice(start..<end) : nil
  }

  private mutating func readVariable() -> Token.Kind? {
    let start = position
    position += 1
    let name = readName()
    if name.isEmpty { report(.unexpected(found: "$", expected: "a variable such as $name"), from: start) }
    return .variable(name)
  }

  /// Reads `#size`, or `#"any text"` for keys that are not words; the quoted form is our own.
  private mutating func readEscapedKey() -> Token.Kind? {
    let start = position
    position += 1
    if let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      return .escapedKey(readString(closing: [quote]))
    }
    let name = readName()
    if name.isEmpty { report(.unexpected(found: "#", expected: "a key such as #size"), from: start) }
    return .escapedKey(name)
  }

  private mutating func readCollectionOperator() -> Token.Kind? {
    let start = position
    position += 1
    let name = readName()
    if name.isEmpty { report(.unexpected(found: "@", expected: "an operator such as @count"), from: start) }
    return .collectionOperator("@" + name)
  }

  /// Reads a printf conversion: flags, width, precision, length and letter.
  private mutating func readPlaceholder() -> Token.Kind? {
    let start = position
    position += 1
    if peek() == UInt8(ascii: "%") {
      position += 1
      report(.unexpected(found: "%%", expected: "modulus:by:(a, b)"), from: start)
      return .sign("%%")
    }
    while let byte = peek(), byte.isDigit || ".+-#hlqLzjt".utf8.contains(byte) {
      position += 1
    }
    let letters = "@KdDiuUxXoOcCsSfFeEgGaAp"
    guard let byte = peek(), letters.utf8.contains(byte) else {
      if isAtNameStart { _ = readName() }
      report(.unknownPlaceholder(slice(start..<position)), from: start)
      placeholderCount += 1
      return .placeholder("?", ordinal: placeholderCount - 1)
    }
    position += 1
    placeholderCount += 1
    return .placeholder(slice(start + 1..<position), ordinal: placeholderCount - 1)
  }

  private mutating func readSign() -> String? {
    for length in [3, 2, 1] where position + length <= bytes.count {
      let candidate = slice(position..<position + length)
      if Self.signs.contains(candidate) {
        position += length
        return candidate
      }
    }
    return nil
  }

  /// The signs of the language, and signs of other languages that are better reported as a whole.
  private static let signs: Set<String> = [
    "==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", "&&", "||", "!", "(", ")", "{", "}", "[", "]", ",", ".",
    "+", "-", "*", "/", "**", "&", "|", "^", ":=",
    "===", "!==", "=~", "~=", "!~", "<=>", "~", "<<", ">>", "??", "->", ":", ";",
  ]

  /// Reports a run of unknown characters; typographic quotes are read as plain quotes.
  private mutating func readUnknown() -> Token.Kind? {
    let start = position
    guard let (value, length) = scalar() else {
      position += 1
      return nil
    }
    position += length
    switch value {
    case "“", "”", "„", "‘", "’", "‚", "«", "»":
      report(.unexpected(found: String(value), expected: "\" or '"), from: start)
      position = start
      return .string(readTypographicString(length))
    case "?":
      report(.unexpected(found: "?", expected: "%@ for an argument"), from: start)
      // A value is expected at this position; its meaning is unknown.
      return .variable("")
    default:
      report(.unexpected(found: String(value), expected: "a key, value or operator"), from: start)
    }
    return nil
  }

  private mutating func readTypographicString(_ length: Int) -> String {
    position += length
    let start = position
    while let (value, width) = scalar() {
      position += width
      if "”“’‘»«\"'".unicodeScalars.contains(value) { return slice(start..<position - width) }
    }
    return slice(start..<position)
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isNameStart: Bool {
    self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}

extension Lexer {
  /// Reads a string up to one of the closing quotes, replacing escapes.
  ///
  /// Known escapes are `\\ \" \' \/ \n \t \r \b \f \a \v`, octal `\101`, `\x41`, `\u0041` (surrogate pairs too) and
  /// `\U0001F600`. Any other is an error, so that `MATCHES "\d"` does not silently lose its backslash.
  mutating func readString(closing quotes: [UInt8]) -> String {
    let start = position
    position += 1
    var content: [UInt8] = []
    while let byte = peek() {
      if quotes.contains(byte) {
        position += 1
        return String(decoding: content, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        readEscape(into: &content)
      } else {
        content.append(byte)
        position += 1
      }
    }
    report(.unterminatedString, from: start)
    return String(decoding: content, as: UTF8.self)
  }

  private mutating func readEscape(into content: inout [UInt8]) {
    let start = position
    position += 1
    guard let letter = peek() else { return }
    let simple: [UInt8: UInt8] = [
      UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "\""): UInt8(ascii: "\""),
      UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "/"): UInt8(ascii: "/"),
      UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "b"): 0x08,
      UInt8(ascii: "f"): 0x0C, UInt8(ascii: "a"): 0x07, UInt8(ascii: "v"): 0x0B,
    ]
    if let byte = simple[letter] {
      position += 1
      content.append(byte)
      return
    }
    let code: UInt32?
    switch letter {
    case UInt8(ascii: "x"): code = readDigits(after: 1, base: 16, 1...2)
    case UInt8(ascii: "u"): code = readUTF16Escape()
    case UInt8(ascii: "U"): code = readDigits(after: 1, base: 16, 8...8)
    case UInt8(ascii: "0")...UInt8(ascii: "7"): code = readDigits(after: 0, base: 8, 1...3)
    default: code = nil
    }
    guard let code, let scalar = Unicode.Scalar(code) else {
      if position < start + 2 { position = start + 1 + (self.scalar()?.length ?? 0) }
      report(.invalidEscape(slice(start..<position)), from: start)
      content += bytes[start..<position]
      return
    }
    content += Array(String(Character(scalar)).utf8)
  }

  /// Reads `uD83D\uDE00` as a single scalar.
  private mutating func readUTF16Escape() -> UInt32? {
    guard let first = readDigits(after: 1, base: 16, 4...4) else { return nil }
    guard (0xD800..<0xDC00).contains(first) else { return first }
    guard peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u"),
      let second = readDigits(after: 2, base: 16, 4...4), (0xDC00..<0xE000).contains(second)
    else { return nil }
    return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
  }

  /// Reads digits after skipping `skipped` bytes; returns nil, and reads nothing, if there are too few.
  private mutating func readDigits(after skipped: Int, base: UInt32, _ count: ClosedRange<Int>) -> UInt32? {
    var value: UInt32 = 0
    var length = 0
    while length < count.upperBound, let byte = peek(skipped + length),
      let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < base
    {
      value = value * base + UInt32(digit)
      length += 1
    }
    guard length >= count.lowerBound else { return nil }
    position += skipped + length
    return value
  }

  /// Reads the letters, digits and points of a number; `numberValue` checks them.
  mutating func readNumber() -> String {
    let start = position
    let isPrefixed = peek() == UInt8(ascii: "0") && "xXoObB".utf8.contains(peek(1) ?? 0)
    while let byte = peek() {
      let isExponentSign =
        !isPrefixed && (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")) && position > start
        && bytes[position - 1] | 0x20 == UInt8(ascii: "e") && peek(1)?.isDigit == true
      let isPoint = byte == UInt8(ascii: ".") && (peek(1)?.isDigit == true || isLastPoint(from: start))
      guard byte.isDigit || byte.isNameStart || isExponentSign || isPoint else { break }
      position += 1
    }
    let digits = slice(start..<position)
    if numberValue(digits, isNegative: false) == nil { report(.invalidNumber(digits), from: start) }
    return digits
  }

  /// Whether the point at the position ends a number, as in `1.`, rather than starting a key.
  private func isLastPoint(from start: Int) -> Bool {
    guard bytes[start..<position].allSatisfy(\.isDigit) else { return false }
    guard let following = peek(1) else { return true }
    return following <= 0x20 || ")]},+-*/=<>!&|^".utf8.contains(following)
  }
}

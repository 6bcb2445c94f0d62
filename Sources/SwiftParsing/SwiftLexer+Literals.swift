extension SwiftLexer {
  /// Reads a string of any kind: `"a"`, `"""` over several lines, and with sharps around it.
  mutating func readString(sharps: Int) -> SwiftString {
    let start = position - sharps
    let isMultiline = isAt("\"\"\"") && !(sharps > 0 && closesInLine(sharps))
    let quote = isMultiline ? "\"\"\"" : "\""
    let closing = quote + String(repeating: "#", count: sharps)
    let escape = "\\" + String(repeating: "#", count: sharps)
    position += quote.utf8.count
    var string = SwiftString(content: "")
    var content: [UInt8] = []
    while !isAt(closing) {
      guard let byte = peek(), isMultiline || byte != 0x0A else {
        report(.unterminated(quote), from: start)
        string.content = String(decoding: content, as: UTF8.self)
        return string
      }
      if isAt(escape) {
        readEscape(escape, isMultiline, into: &content, &string)
      } else {
        content.append(byte)
        position += 1
      }
    }
    position += closing.utf8.count
    let decoded = String(decoding: content, as: UTF8.self)
    string.content = isMultiline ? Self.withoutIndentation(decoded) : decoded
    return string
  }

  /// Whether a string with sharps that begins with three quotes ends in its line, so that two of them are its content.
  private func closesInLine(_ sharps: Int) -> Bool {
    let closing = Array(("\"" + String(repeating: "#", count: sharps)).utf8)
    var place = position + 2
    while place < bytes.count, bytes[place] != 0x0A, bytes[place] != 0x0D {
      if bytes[place...].starts(with: closing) { return true }
      place += 1
    }
    return false
  }

  /// Takes the first and the last line break, and the indentation of the last line, off a string of several lines.
  private static func withoutIndentation(_ content: String) -> String {
    var lines = content.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 1 else { return content }
    let indentation = lines.removeLast()
    lines.removeFirst()
    guard indentation.allSatisfy(\.isWhitespace) else { return content }
    return lines.map { $0.hasPrefix(indentation) ? $0.dropFirst(indentation.count) : $0 }.joined(separator: "\n")
  }

  private mutating func readEscape(
    _ escape: String, _ isMultiline: Bool, into content: inout [UInt8], _ string: inout SwiftString
  ) {
    let start = position
    position += escape.utf8.count
    let simple: [UInt8: UInt8] = [
      UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "0"): 0,
      UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "\""): UInt8(ascii: "\""),
      UInt8(ascii: "'"): UInt8(ascii: "'"),
    ]
    guard let letter = peek() else { return }
    if let byte = simple[letter] {
      position += 1
      content.append(byte)
    } else if letter == UInt8(ascii: "(") {
      skipParentheses()
      string.interpolations.append(start..<position)
      content += Array(String(SwiftString.interpolated).utf8)
    } else if letter == UInt8(ascii: "u"), let scalar = readUnicodeEscape() {
      content += Array(String(Character(scalar)).utf8)
    } else if isMultiline, letter == 0x0A {
      position += 1
    } else {
      if letter != 0x0A {
        position = min(max(position, start + escape.utf8.count + (scalar()?.length ?? 1)), bytes.count)
      }
      report(.invalidEscape(slice(start..<position)), from: start)
    }
  }

  /// Reads `u{1F600}`.
  private mutating func readUnicodeEscape() -> Unicode.Scalar? {
    guard peek(1) == UInt8(ascii: "{") else { return nil }
    var end = position + 2
    while end < bytes.count, end < position + 11, bytes[end] != UInt8(ascii: "}") { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "}"),
      let scalar = UInt32(slice(position + 2..<end), radix: 16).flatMap(Unicode.Scalar.init)
    else { return nil }
    position = end + 1
    return scalar
  }

  /// Skips an interpolation, with the texts in it and theirs.
  private mutating func skipParentheses() {
    let (opening, closing, quote) = (UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\""))
    /// The parentheses and quotes that are open.
    var open: [UInt8] = []
    while let byte = peek(), byte != 0x0A {
      position += 1
      if open.last == quote {
        if byte == quote { open.removeLast() }
        if byte == UInt8(ascii: "\\"), let next = peek(), next != 0x0A {
          position += 1
          if next == opening { open.append(next) }
        }
      } else if byte == opening || byte == quote {
        open.append(byte)
      } else if byte == closing {
        open.removeLast()
        if open.isEmpty { return }
      }
    }
  }

  // MARK: Regular expressions

  /// Whether a slash begins a regular expression: another one follows in the line, and no space comes first.
  func readsPattern() -> Bool {
    guard let next = peek(1), next != 0x20, next != 0x09 else { return false }
    var place = position + 1
    while place < bytes.count, bytes[place] != 0x0A {
      if bytes[place] == UInt8(ascii: "\\") {
        place += 1
      } else if bytes[place] == UInt8(ascii: "/") {
        return true
      }
      place += 1
    }
    return false
  }

  /// Reads the pattern between slashes.
  mutating func readPattern(sharps: Int) -> String {
    let start = position - sharps
    let closing = "/" + String(repeating: "#", count: sharps)
    position += 1
    let first = position
    var pattern: [UInt8] = []
    while !isAt(closing) {
      guard let byte = peek(), byte != 0x0A || sharps > 0 else {
        report(.unterminated("/"), from: start)
        return slice(first..<position)
      }
      if byte == UInt8(ascii: "\\"), let next = peek(1) {
        // `\/` is a slash, and needs no backslash between other marks.
        if next != UInt8(ascii: "/") || sharps > 0 { pattern.append(byte) }
        pattern.append(next)
        position += 2
      } else {
        pattern.append(byte)
        position += 1
      }
    }
    position += closing.utf8.count
    return String(decoding: pattern, as: UTF8.self)
  }

  // MARK: Numbers

  /// Reads the letters, digits and points that a number can have; its sense is found out by `SwiftNumber`.
  mutating func readNumber() -> String {
    let start = position
    let isPrefixed = peek() == UInt8(ascii: "0") && "xob".utf8.contains(peek(1) ?? 0)
    while let byte = peek() {
      let isExponentSign =
        !isPrefixed && (byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")) && position > start
        && bytes[position - 1] | 0x20 == UInt8(ascii: "e") && peek(1)?.isDecimalDigit == true
      let isPoint = byte == UInt8(ascii: ".") && peek(1)?.isDecimalDigit == true && !isPrefixed
      let isLetter = byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      guard byte.isDecimalDigit || isLetter || isExponentSign || isPoint else { break }
      position += 1
    }
    return slice(start..<position)
  }
}

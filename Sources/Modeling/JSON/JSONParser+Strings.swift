extension JSONParser {
  /// Reads a string; the position is at its opening quote.
  mutating func parseString() throws(JSONError) -> String {
    let opening = position
    position += 1
    let start = position
    skipPlain()
    if peek == UInt8(ascii: "\"") {
      position += 1
      return try text(start..<position - 1)
    }
    var result = try text(start..<position)
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte == UInt8(ascii: "\\") else { throw error(.controlCharacter(byte), at: position) }
      result.unicodeScalars.append(try parseEscape())
      let start = position
      skipPlain()
      result += try text(start..<position)
    }
    guard position < bytes.count else { throw error(.unterminatedString, at: opening) }
    position += 1
    return result
  }

  private mutating func skipPlain() {
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return }
      position += 1
    }
  }

  private func text(_ range: Range<Int>) throws(JSONError) -> String {
    let slice = UnsafeRawBufferPointer(rebasing: bytes[range])
    guard let invalid = firstInvalidUTF8(slice) else { return String(decoding: slice, as: UTF8.self) }
    throw error(.invalidUTF8, at: range.lowerBound + invalid)
  }

  private mutating func parseEscape() throws(JSONError) -> Unicode.Scalar {
    let start = position
    guard position + 1 < bytes.count else { throw error(.unterminatedString, at: start) }
    let letter = bytes[position + 1]
    position += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try parseUnicodeEscape(from: start)
    default: throw error(.invalidEscape(String(decoding: bytes[start..<position], as: UTF8.self)), at: start)
    }
  }

  /// Reads `XXXX` of `\uXXXX`, and the second half of a surrogate pair.
  private mutating func parseUnicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let unit = try parseHex(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let lone = String(decoding: bytes[start..<position], as: UTF8.self)
    guard unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { throw error(.loneSurrogate(lone), at: start) }
    let second = position
    position += 2
    let low = try parseHex(from: second)
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
    else { throw error(.loneSurrogate(lone), at: start) }
    return scalar
  }

  private mutating func parseHex(from start: Int) throws(JSONError) -> UInt16 {
    let end = min(position + 4, bytes.count)
    let digits = String(decoding: bytes[position..<end], as: UTF8.self)
    guard end == position + 4, digits.utf8.allSatisfy({ hexDigit($0) != nil }), let unit = UInt16(digits, radix: 16)
    else {
      throw error(.invalidEscape(String(decoding: bytes[start..<end], as: UTF8.self)), at: start)
    }
    position = end
    return unit
  }
}

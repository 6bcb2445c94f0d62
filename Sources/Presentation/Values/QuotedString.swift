internal import Modeling

/// A string as one would write it in Lua, escaped only where it must be.
package enum QuotedString {
  /// The words that cannot be keys without quotes.
  package static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
    "not",
    "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// The literal for `bytes`, shortened with a remark on its size if it is longer than `limit` bytes.
  package static func literal(_ bytes: [UInt8], limit: Int = .max, _ charset: Charset) -> String {
    let isShortened = bytes.count > limit
    // Not in the middle of a character: its remaining bytes would show as escapes.
    var end = min(bytes.count, limit)
    while isShortened, end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    let quote: Character = bytes.contains(UInt8(ascii: "\"")) && !bytes.contains(UInt8(ascii: "'")) ? "'" : "\""
    var text = String(quote)
    escape(bytes[..<end], quote: quote, charset, into: &text)
    text.append(quote)
    if isShortened { text += "\(charset.ellipsis) (\(Quantity.bytes(bytes.count)))" }
    return text
  }

  /// Whether a string can be a key without quotes.
  static func isName(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    let isPlain = bytes.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isPlain && !keywords.contains(String(decoding: bytes, as: UTF8.self))
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func escape(_ bytes: ArraySlice<UInt8>, quote: Character, _ charset: Charset, into text: inout String)
  {
    var rest = bytes
    while !rest.isEmpty {
      guard let scalar = decodeScalar(&rest) else {
        // A byte that is no UTF-8.
        text += "\\x" + hex(rest.removeFirst())
        continue
      }
      switch scalar {
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case Unicode.Scalar(String(quote)): text += "\\" + String(quote)
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F {
          text += "\\x" + hex(UInt8(scalar.value))
        } else if isShown(scalar, charset) {
          text.unicodeScalars.append(scalar)
        } else {
          text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
      }
    }
  }

  /// Whether a scalar may reach the terminal as it is.
  private static func isShown(_ scalar: Unicode.Scalar, _ charset: Charset) -> Bool {
    if scalar.isASCII { return true }
    if charset == .ascii { return false }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return false
    // Joiners and variation selectors belong to the joined characters; marks of direction turn the line around.
    case .format: return scalar.value == 0x200D || scalar.value == 0x200C
    default: return true
    }
  }

  /// Takes one scalar off the front of `bytes`, or nothing if they do not begin with one.
  private static func decodeScalar(_ bytes: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = bytes.prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    bytes = bytes.dropFirst(UTF8.width(scalar))
    return scalar
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}

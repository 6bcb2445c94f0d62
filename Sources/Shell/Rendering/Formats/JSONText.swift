/// Writes values as JSON, without loss where JSON allows it.
///
/// Integers keep all 64 bits, decimals of more than 15 digits are text, and doubles have their shortest digits that read
/// back. Infinity is `1e999`, which readers take for it, and NaN is null. A blob is `{"$base64":"…"}`. Bytes that are no UTF-8 become U+FFFD: JSON has no way to keep them.
enum JSONText {
  static func write(_ cell: RawCell, _ sink: OutputSink) {
    switch cell {
    case .null: sink.write("null")
    case .integer(let value): sink.write(integer: value)
    case .real(let value): write(value, sink)
    case .bool(let value): sink.write(value ? "true" : "false")
    case .decimal(let digits): decimal(digits, sink)
    case .text(let bytes): string(bytes, sink)
    case .json(let bytes): sink.write(bytes)
    case .blob(let bytes):
      sink.write(#"{"$base64":""#)
      sink.write(base64: bytes)
      sink.write(#""}"#)
    }
  }

  static func string(_ text: String, _ sink: OutputSink) {
    text.withRawBytes { string($0, sink) }
  }

  static func string(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    sink.write(byte: UInt8(ascii: "\""))
    // Without an early exit the loop is vectorised.
    var needsEscape = false
    var isASCII = true
    for byte in bytes {
      needsEscape =
        needsEscape || (byte < 0x20) || (byte == UInt8(ascii: "\"")) || (byte == UInt8(ascii: "\\")) || (byte == 0x7F)
      isASCII = isASCII && (byte < 0x80)
    }
    if isASCII {
      if needsEscape { escaped(bytes, sink) } else { sink.write(bytes) }
    } else {
      var repaired = String(decoding: bytes, as: UTF8.self)
      repaired.withUTF8 { escaped($0, sink) }
    }
    sink.write(byte: UInt8(ascii: "\""))
  }

  private static func write(_ value: Double, _ sink: OutputSink) {
    if value.isFinite {
      sink.write(real: value)
    } else if value.isNaN {
      sink.write("null")
    } else {
      sink.write(value < 0 ? "-1e999" : "1e999")
    }
  }

  /// The digits that a double keeps; readers of JSON have nothing better for a number.
  private static let doubleDigits = 15

  /// Writes the digits as a number if every reader of JSON keeps them, else as text.
  private static func decimal(_ digits: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    if isNumber(digits), digits.count(where: { $0 >= UInt8(ascii: "0") }) <= doubleDigits { sink.write(digits) } else { string(digits, sink) }
  }

  private static func isNumber(_ digits: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = digits[...]
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let parts = rest.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    return areDigits && (parts[0].count == 1 || parts[0].first != UInt8(ascii: "0"))
  }

  private static func escaped(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    let hex = StaticString("0123456789abcdef").utf8Start
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "\""): sink.write("\\\"")
      case UInt8(ascii: "\\"): sink.write("\\\\")
      case UInt8(ascii: "\n"): sink.write("\\n")
      case UInt8(ascii: "\r"): sink.write("\\r")
      case UInt8(ascii: "\t"): sink.write("\\t")
      case 0..<0x20, 0x7F:
        sink.write("\\u00")
        sink.write(byte: hex[Int(byte >> 4)])
        sink.write(byte: hex[Int(byte & 0xF)])
      case 0xC2 where index + 1 < bytes.count && bytes[index + 1] < 0xA0:
        // U+0080 to U+009F: some terminals obey them as they obey ESC sequences.
        sink.write("\\u00")
      case 0x80..<0xA0 where index > 0 && bytes[index - 1] == 0xC2:
        sink.write(byte: hex[Int(byte >> 4)])
        sink.write(byte: hex[Int(byte & 0xF)])
      default: sink.write(byte: byte)
      }
    }
  }
}

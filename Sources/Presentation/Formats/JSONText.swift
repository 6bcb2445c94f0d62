/// Writes values as JSON, without loss where JSON allows it.
///
/// Integers keep all 64 bits, decimals of more than 15 digits are text, and doubles have their shortest digits that read
/// back. Infinity is `1e999`, which readers take for it, and NaN is null. A blob is `{"$base64":"…"}`. Bytes that are no UTF-8 become U+FFFD: JSON has no way to keep them.
package enum JSONText {
  package static func write(_ cell: RawCell, _ sink: OutputSink) {
    switch cell {
    case .null: sink.write("null")
    case .integer(let value): sink.write(integer: value)
    case .real(let value): write(value, sink)
    case .bool(let value): sink.write(value ? "true" : "false")
    case .decimal(let digits): decimal(digits, sink)
    case .text(let bytes), .date(let bytes): string(bytes, sink)
    case .json(let bytes): sink.write(bytes)
    case .blob(let bytes):
      sink.write(#"{"$base64":""#)
      sink.write(base64: bytes)
      sink.write(#""}"#)
    }
  }

  package static func string(_ text: String, _ sink: OutputSink) {
    text.withRawBytes { string($0, sink) }
  }

  package static func string(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
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
      repaired.withUTF8 { bytes in
        if needsEscape || mayAct(bytes) { escaped(bytes, sink) } else { sink.write(bytes) }
      }
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
    if isNumber(digits), digits.count(where: { $0 >= UInt8(ascii: "0") }) <= doubleDigits {
      sink.write(digits)
    } else {
      string(digits, sink)
    }
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

  /// Whether a terminal might obey a character beyond ASCII, by the bytes that those begin with.
  private static func mayAct(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var mayAct = false
    for byte in bytes { mayAct = mayAct || (byte == 0xC2) || (byte == 0xD8) || (byte == 0xE2) }
    return mayAct
  }

  private static func escaped(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): sink.write("\\\"")
      case UInt8(ascii: "\\"): sink.write("\\\\")
      case UInt8(ascii: "\n"): sink.write("\\n")
      case UInt8(ascii: "\r"): sink.write("\\r")
      case UInt8(ascii: "\t"): sink.write("\\t")
      case 0..<0x20, 0x7F: escape(UInt32(byte), sink)
      case 0xC2, 0xD8:
        let scalar = UInt32(byte & 0x1F) << 6 | UInt32(bytes[index] & 0x3F)
        if Unicode.Scalar(scalar)?.actsOnTerminals == true {
          escape(scalar, sink)
          index += 1
        } else {
          sink.write(byte: byte)
        }
      case 0xE2:
        let scalar = 0x2000 | UInt32(bytes[index] & 0x3F) << 6 | UInt32(bytes[index + 1] & 0x3F)
        if Unicode.Scalar(scalar)?.actsOnTerminals == true {
          escape(scalar, sink)
          index += 2
        } else {
          sink.write(byte: byte)
        }
      default: sink.write(byte: byte)
      }
    }
  }

  /// Writes `\u001b`.
  private static func escape(_ scalar: UInt32, _ sink: OutputSink) {
    let hex = StaticString("0123456789abcdef").utf8Start
    sink.write("\\u")
    for shift in [12, 8, 4, 0] as [UInt32] { sink.write(byte: hex[Int(scalar >> shift & 0xF)]) }
  }
}

/// Texts within addresses: percent signs and forms.
package enum URLText {
  /// Decodes percent signs, in forms also `+`; nil for a sign without two digits, or bytes that are no UTF-8.
  static func decoded(_ bytes: ArraySlice<UInt8>, isForm: Bool) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2]) else {
          return nil
        }
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(isForm && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    return String(validating: result, as: UTF8.self)
  }

  /// Reads `a=1&b=2`; nil where a name or value cannot be decoded.
  static func fields(_ bytes: ArraySlice<UInt8>) -> [HTTPRequest.Field]? {
    var fields: [HTTPRequest.Field] = []
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(parts[0], isForm: true),
        let value = parts.count == 2 ? decoded(parts[1], isForm: true) : ""
      else { return nil }
      fields.append(.init(name, value))
    }
    return fields
  }

  /// Writes a text as a part of a path or of a query.
  package static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if isUnreserved(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += byte < 16 ? "%0" : "%"
        result += String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  /// Writes fields as a query, without the `?`.
  package static func query(_ fields: [HTTPRequest.Field]) -> String {
    fields.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

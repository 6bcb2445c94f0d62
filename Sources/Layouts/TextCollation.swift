/// A collation of SQLite's own that takes unlike texts for equal.
///
///     TextCollation("nocase")?.sortingBytes(of: "Chile")         // those of "chile"
///     TextCollation("RTRIM")?.sortingBytes(of: "Chile  ")        // those of "Chile"
public enum TextCollation: Sendable {
  /// Letters of ASCII are equal in both cases.
  case noCase
  /// Spaces at the end do not count.
  case rightTrim

  /// The collation with a name, in any case; nil for another one.
  public init?(_ name: String) {
    switch name.lowercased() {
    case "nocase": self = .noCase
    case "rtrim": self = .rightTrim
    default: return nil
    }
  }

  /// Bytes that compare as the collation compares texts, and are equal where it takes texts for equal.
  public func sortingBytes(of text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    switch self {
    case .noCase:
      // SQLite compares until a zero byte, and then the lengths.
      let length = bytes.count
      if let zero = bytes.firstIndex(of: 0) { bytes.removeSubrange((zero + 1)...) }
      for index in bytes.indices where UInt8(ascii: "A")...UInt8(ascii: "Z") ~= bytes[index] { bytes[index] |= 0x20 }
      if bytes.last == 0 { bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } }
    case .rightTrim: while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    }
    return bytes
  }
}

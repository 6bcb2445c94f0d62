/// The text of several statements, and the position up to which it was compiled.
///
/// The bytes are copied once, with a null byte at the end; otherwise SQLite would copy the rest of the text for each
/// statement.
package struct SQLScript {
  private let bytes: [CChar]
  /// The range of the last compiled statement, and the position of the next one in the text.
  private var last = 0..<0
  private(set) var offset = 0

  package init(_ text: String) {
    bytes = Array(text.utf8CString)
    skipBlanks()
  }

  /// The position of the first null byte of a text; SQLite would end the text there.
  package static func nullByte(in text: String) -> Int? {
    text.utf8.firstIndex(of: 0).map { text.utf8.distance(from: text.startIndex, to: $0) }
  }

  /// The length of the text in bytes.
  package var count: Int { bytes.count - 1 }

  /// Whether only blanks and comments are left.
  package var isAtEnd: Bool { offset >= bytes.count - 1 }

  /// The text of the last compiled statement.
  var lastStatement: String { text(last) }

  /// The text that was not compiled yet.
  package var rest: String { text(offset..<bytes.count - 1) }

  /// Calls `body` with the rest of the text and its length, including the null byte. `body` returns the end of the
  /// statement, where the next call continues.
  mutating func withRest(
    _ body: (UnsafePointer<CChar>?, Int32, inout UnsafePointer<CChar>?) -> Int32
  ) -> Int32 {
    var consumed = 0
    let code = bytes.withUnsafeBufferPointer { buffer in
      let first = buffer.baseAddress.map { $0 + offset }
      var tail = first
      let code = body(first, Int32(clamping: bytes.count - offset), &tail)
      if let first, let tail { consumed = tail - first }
      return code
    }
    guard code == 0 else { return code }
    last = offset..<offset + consumed
    // If there was no statement, the rest contains none.
    offset = consumed > 0 ? offset + consumed : bytes.count - 1
    skipBlanks()
    return code
  }

  private func text(_ range: Range<Int>) -> String {
    bytes[range].withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Skips blanks, semicolons and comments, which SQLite does not skip itself.
  private mutating func skipBlanks() {
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? UInt8(bitPattern: bytes[index]) : 0 }
    while true {
      switch byte(offset) {
      case 0x09...0x0D, 0x20, UInt8(ascii: ";"): offset += 1
      case UInt8(ascii: "-") where byte(offset + 1) == UInt8(ascii: "-"):
        while byte(offset) != 0, byte(offset) != 0x0A { offset += 1 }
      case UInt8(ascii: "/") where byte(offset + 1) == UInt8(ascii: "*") && byte(offset + 2) != 0:
        offset += 3
        // A comment without an end ends with the text.
        while byte(offset) != 0, !(byte(offset) == UInt8(ascii: "/") && byte(offset - 1) == UInt8(ascii: "*")) {
          offset += 1
        }
        if byte(offset) != 0 { offset += 1 }
      default: return
      }
    }
  }
}

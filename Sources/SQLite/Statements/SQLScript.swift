/// The text of some statements, and how far it has been compiled.
///
/// Its bytes are copied once, and a null byte follows them: else SQLite would copy all that is left for each statement.
package struct SQLScript {
  private let bytes: [CChar]
  /// Where the statement that was compiled last is, and where the next one begins.
  private var last = 0..<0
  private var offset = 0

  package init(_ text: String) {
    bytes = Array(text.utf8CString)
    skipBlanks()
  }

  /// Where the first null byte of a text is, at which SQLite would take it to end.
  package static func nullByte(in text: String) -> Int? {
    text.utf8.firstIndex(of: 0).map { text.utf8.distance(from: text.startIndex, to: $0) }
  }

  /// How many bytes there are in all.
  package var count: Int { bytes.count - 1 }

  /// Whether nothing but blanks and comments is left.
  package var isAtEnd: Bool { offset >= bytes.count - 1 }

  /// The text of the statement that was compiled last.
  var lastStatement: String { text(last) }

  /// What has not been compiled.
  package var rest: String { text(offset..<bytes.count - 1) }

  /// Calls `body` with what is left and its length, null byte included, and goes on where it says that a statement ended.
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
    // Without a statement there is nothing left that could be one.
    offset = consumed > 0 ? offset + consumed : bytes.count - 1
    skipBlanks()
    return code
  }

  private func text(_ range: Range<Int>) -> String {
    bytes[range].withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Goes on to what SQLite does not pass over: blanks, semicolons and comments.
  private mutating func skipBlanks() {
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? UInt8(bitPattern: bytes[index]) : 0 }
    while true {
      switch byte(offset) {
      case 0x09...0x0D, 0x20, UInt8(ascii: ";"): offset += 1
      case UInt8(ascii: "-") where byte(offset + 1) == UInt8(ascii: "-"):
        while byte(offset) != 0, byte(offset) != 0x0A { offset += 1 }
      case UInt8(ascii: "/") where byte(offset + 1) == UInt8(ascii: "*") && byte(offset + 2) != 0:
        offset += 3
        // A comment that is not ended ends with the text.
        while byte(offset) != 0, !(byte(offset) == UInt8(ascii: "/") && byte(offset - 1) == UInt8(ascii: "*")) {
          offset += 1
        }
        if byte(offset) != 0 { offset += 1 }
      default: return
      }
    }
  }
}

internal import AppleModels
internal import Modeling

/// How a cell reads in a table or on a card, before it is cut to a width.
package struct CellText: Equatable {
  package var text: String
  package var role: Style.Role?
  package var isNumber = false
  private var isDate = false

  /// The text of a date without its time; the whole text of anything else.
  var day: String { isDate ? String(text.prefix { $0 != "T" }) : text }

  package init(_ cell: Cell, _ charset: Charset) {
    switch cell {
    case .null: (text, role) = ("nil", .missing)
    // The text nil is not nothing, also where there are no colours.
    case .text("nil"): text = "\"nil\""
    case .text(let value): text = value
    case .integer(let value): (text, isNumber) = (String(value), true)
    case .real(let value): (text, isNumber) = (value.description, true)
    case .decimal(let digits): (text, isNumber) = (digits, true)
    case .bool(let value): text = value ? "true" : "false"
    case .date(let value): (text, isDate) = (value, true)
    case .blob(let blob): (text, role) = (Self.summary(of: blob, charset), .missing)
    case .reference(let label): (text, role) = ("\(charset.arrow) \(label)", .reference)
    case .count(let count): (text, role, isNumber) = (String(count), .reference, true)
    case .json(let value): text = value
    }
  }

  /// The size of a blob with its first and last bytes: `‹24 B a814…6b43›`.
  private static func summary(of blob: Blob, _ charset: Charset) -> String {
    let (open, close) = charset == .utf8 ? ("‹", "›") : ("<", ">")
    let size = Quantity.bytes(blob.byteCount)
    if blob.byteCount == 0 { return open + size + close }
    if blob.isWhole, case .opaque(let className, _)? = ArchivedValue.decode(blob.head), !className.isEmpty {
      return "\(open)\(className) \(size)\(close)"
    }
    if blob.isWhole, blob.byteCount <= 4 { return "\(open)\(size) \(hex(blob.head))\(close)" }
    let tail = blob.isWhole ? hex(blob.head.suffix(2)) : ""
    return "\(open)\(size) \(hex(blob.head.prefix(2)))\(charset.ellipsis)\(tail)\(close)"
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}

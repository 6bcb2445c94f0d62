internal import AppleModels
internal import Glibc
internal import Modeling

/// How a cell reads in a table or on a card, before it is cut to a width.
package struct CellText: Equatable {
  package var text: String
  package var role: Style.Role?
  package var isNumber = false
  private var isDate = false

  /// The text of a date without its time; the whole text of anything else.
  var day: String { isDate ? String(text.prefix { $0 != "T" }) : text }

  /// - Parameter isWhole: Whether floats have all of their digits, and not the six that a table has room for.
  package init(_ cell: Cell, _ charset: Charset, isWhole: Bool = false) {
    switch cell {
    case .null: (text, role) = ("nil", .missing)
    // The text nil is not nothing, also where there are no colours.
    case .text("nil"): text = "\"nil\""
    case .text(let value): text = value
    case .integer(let value): (text, isNumber) = (String(value), true)
    case .real(let value): (text, isNumber) = ((isWhole ? value : Self.rounded(value)).description, true)
    case .decimal(let digits): (text, isNumber) = (digits, true)
    case .bool(let value): text = value ? "true" : "false"
    case .date(let value): (text, isDate) = (value, true)
    case .blob(let blob): (text, role) = (Self.summary(of: blob, charset), .missing)
    case .reference(let label): (text, role) = ("\(charset.arrow) \(label)", .reference)
    case .count(let count): (text, role, isNumber) = (String(count), .reference, true)
    case .json(let value): text = value
    }
  }

  /// A float with six significant digits, and one behind the point at least.
  ///
  ///     rounded(3.0714285714285716)      // 3.07143
  ///     rounded(1705940772.5172)         // 1705940772.5
  static func rounded(_ value: Double) -> Double {
    guard value.isFinite, value != 0 else { return value }
    let decimals = max(1, 5 - log10(abs(value)).rounded(.down))
    // Beyond that, a power of ten or the product is not exact.
    guard decimals <= 22, abs(value) < 1e15 else { return value }
    let scale = pow(10, decimals)
    return (value * scale).rounded() / scale
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

/// A value of a row whose bytes belong to the row's source, for the data modes, which need no String for each cell.
///
/// The buffers are those of the source (SQLite's own, say) and hold until it is asked for its next row.
package enum RawCell {
  case null
  case text(UnsafeBufferPointer<UInt8>)
  /// The ISO 8601 text of a date.
  case date(UnsafeBufferPointer<UInt8>)
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  /// The digits of an exact number.
  case decimal(UnsafeBufferPointer<UInt8>)
  case blob(UnsafeBufferPointer<UInt8>)
  /// JSON text.
  case json(UnsafeBufferPointer<UInt8>)
}

extension Cell {
  /// Calls `body` with the bytes of this cell, which hold until it returns.
  func withRawCell(_ body: (RawCell) -> Void) {
    switch self {
    case .null: body(.null)
    case .integer(let value): body(.integer(value))
    case .real(let value): body(.real(value))
    case .bool(let value): body(.bool(value))
    case .count(let value): body(.integer(Int64(value)))
    case .text(let text), .reference(let text): text.withRawBytes { body(.text($0)) }
    case .date(let text): text.withRawBytes { body(.date($0)) }
    case .decimal(let digits): digits.withRawBytes { body(.decimal($0)) }
    case .json(let text): text.withRawBytes { body(.json($0)) }
    case .blob(let blob): blob.head.withUnsafeBufferPointer { body(.blob($0)) }
    }
  }
}

extension String {
  /// Calls `body` with the UTF-8 bytes of this text.
  func withRawBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = self
    text.withUTF8(body)
  }
}

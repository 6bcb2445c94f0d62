internal import Stores

/// Copies of one column's values in some rows, which belong to no statement.
struct ColumnBlock {
  private enum Class: UInt8 {
    case null, integer, real, text, blob, size
  }

  private var classes: [Class] = []
  /// The bits of numbers, and where the bytes of texts and blobs end.
  private var bits: [UInt64] = []
  private var bytes: [UInt8] = []

  /// The size of the copies, in bytes.
  var size: Int { bytes.count + bits.count * 9 }

  mutating func append(_ value: ColumnValue) {
    switch value {
    case .null: append(.null, 0)
    case .integer(let number): append(.integer, UInt64(bitPattern: number))
    case .real(let number): append(.real, number.bitPattern)
    case .text(let text): append(.text, text)
    case .blob(let blob): append(.blob, blob)
    }
  }

  /// Appends a blob of which the size alone counts.
  mutating func append(size: Int) { append(.size, UInt64(size)) }

  private mutating func append(_ kind: Class, _ value: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: value)
    append(kind, UInt64(bytes.count))
  }

  private mutating func append(_ kind: Class, _ number: UInt64) {
    classes.append(kind)
    bits.append(number)
  }

  /// Calls `body` with each value in order, and `size` with sizes alone. Texts and blobs are valid during the call.
  func forEach(_ body: (ColumnValue) -> Void, size: (Int) -> Void) {
    bytes.withUnsafeBytes { bytes in
      var start = 0
      for (kind, bits) in zip(classes, bits) {
        switch kind {
        case .null: body(.null)
        case .integer: body(.integer(Int64(bitPattern: bits)))
        case .real: body(.real(Double(bitPattern: bits)))
        case .size: size(Int(bits))
        case .text, .blob:
          let value = UnsafeRawBufferPointer(rebasing: bytes[start..<Int(bits)])
          start = Int(bits)
          body(kind == .text ? .text(value) : .blob(value))
        }
      }
    }
  }

  mutating func removeAll() {
    classes.removeAll(keepingCapacity: true)
    bits.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}

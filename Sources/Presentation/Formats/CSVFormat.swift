internal import Glibc

/// Comma-separated values as RFC 4180 has them, lines ended by a newline alone.
///
/// Nil is an empty field; the empty text and the empty blob are `""`, so that a reader can distinguish them. Blobs
/// are base 64.
struct CSVFormat: RowFormat {
  static let headerIsOptional = true

  func begin(_ columns: [TabularColumn], _ sink: OutputSink) {
    for (index, column) in columns.enumerated() {
      column.name.withRawBytes { write(.text($0), column: index, sink) }
    }
    sink.write(byte: UInt8(ascii: "\n"))
  }

  @inline(__always)
  func write(_ cell: RawCell, column: Int, _ sink: OutputSink) {
    if column > 0 { sink.write(byte: UInt8(ascii: ",")) }
    switch cell {
    case .null: break
    case .integer(let value): sink.write(integer: value)
    case .real(let value): sink.write(real: value)
    case .bool(let value): sink.write(value ? "true" : "false")
    case .decimal(let digits): sink.write(digits)
    // Nothing in the text of a date is special.
    case .date(let bytes): sink.write(bytes)
    case .text(let bytes), .json(let bytes): field(bytes, sink)
    case .blob(let bytes) where bytes.isEmpty: field(bytes, sink)
    case .blob(let bytes): sink.write(base64: bytes)
    }
  }

  @inline(__always)
  private func field(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    // Without an early exit the loop is vectorised.
    var isSpecial = bytes.isEmpty
    for byte in bytes {
      isSpecial =
        isSpecial
        || (byte == UInt8(ascii: "\"")) || (byte == UInt8(ascii: ","))
        || (byte == UInt8(ascii: "\n")) || (byte == UInt8(ascii: "\r"))
    }
    if isSpecial { quoted(bytes, sink) } else { sink.write(bytes) }
  }

  private func quoted(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    sink.write(byte: UInt8(ascii: "\""))
    var rest = bytes
    while let start = rest.baseAddress, let quote = memchr(start, Int32(UInt8(ascii: "\"")), rest.count) {
      let count = UnsafeRawPointer(quote) - UnsafeRawPointer(start) + 1
      sink.write(UnsafeBufferPointer(rebasing: rest[..<count]))
      sink.write(byte: UInt8(ascii: "\""))
      rest = UnsafeBufferPointer(rebasing: rest[count...])
    }
    sink.write(rest)
    sink.write(byte: UInt8(ascii: "\""))
  }
}

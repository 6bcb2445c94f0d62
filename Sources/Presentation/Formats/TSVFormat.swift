/// Tab-separated values with `\t`, `\n`, `\r` and `\\` escaped and `\N` for nothing, as PostgreSQL and ClickHouse have them.
struct TSVFormat: RowFormat {
  static let headerIsOptional = true

  func begin(_ columns: [TabularColumn], _ sink: OutputSink) {
    for (index, column) in columns.enumerated() {
      column.name.withRawBytes { write(.text($0), column: index, sink) }
    }
    sink.write(byte: UInt8(ascii: "\n"))
  }

  func write(_ cell: RawCell, column: Int, _ sink: OutputSink) {
    if column > 0 { sink.write(byte: UInt8(ascii: "\t")) }
    switch cell {
    case .null: sink.write("\\N")
    case .integer(let value): sink.write(integer: value)
    case .real(let value): sink.write(real: value)
    case .bool(let value): sink.write(value ? "true" : "false")
    case .decimal(let digits): sink.write(digits)
    case .text(let bytes), .date(let bytes), .json(let bytes): field(bytes, sink)
    case .blob(let bytes): sink.write(base64: bytes)
    }
  }

  private func field(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    var start = 0
    for index in bytes.indices {
      let letter: UInt8
      switch bytes[index] {
      case UInt8(ascii: "\t"): letter = UInt8(ascii: "t")
      case UInt8(ascii: "\n"): letter = UInt8(ascii: "n")
      case UInt8(ascii: "\r"): letter = UInt8(ascii: "r")
      case UInt8(ascii: "\\"): letter = UInt8(ascii: "\\")
      default: continue
      }
      sink.write(UnsafeBufferPointer(rebasing: bytes[start..<index]))
      sink.write(byte: UInt8(ascii: "\\"))
      sink.write(byte: letter)
      start = index + 1
    }
    sink.write(UnsafeBufferPointer(rebasing: bytes[start...]))
  }
}

/// Values between bars, as sqlite3 prints them: no header unless it is asked for, nothing escaped.
struct ListFormat: RowFormat {
  static let headerIsOptional = true
  static let hasHeader = false

  func begin(_ columns: [TabularColumn], _ sink: OutputSink) {
    sink.write(columns.map(\.name).joined(separator: "|") + "\n")
  }

  func beginFile(_ columns: [TabularColumn], _ sink: OutputSink) {}

  func beginSection(_ text: String, isFirst: Bool, _ columns: [TabularColumn], _ sink: OutputSink) {
    sink.write(text + "\n")
  }

  func write(_ cell: RawCell, column: Int, _ sink: OutputSink) {
    if column > 0 { sink.write(byte: UInt8(ascii: "|")) }
    cell.writePlain(sink)
  }
}

extension RawCell {
  /// Writes the value without quotes; writes nothing for nil.
  func writePlain(_ sink: OutputSink) {
    switch self {
    case .null: break
    case .integer(let value): sink.write(integer: value)
    case .real(let value): sink.write(real: value)
    case .bool(let value): sink.write(value ? "true" : "false")
    case .text(let bytes), .date(let bytes), .json(let bytes), .decimal(let bytes): sink.write(bytes)
    case .blob(let bytes): sink.write(base64: bytes)
    }
  }
}

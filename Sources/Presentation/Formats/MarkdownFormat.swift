/// A Markdown table: pipes, backslashes and angle brackets escaped, a newline as `<br>`.
struct MarkdownFormat: RowFormat {
  func begin(_ columns: [TabularColumn], _ sink: OutputSink) {
    for column in columns {
      sink.write("| ")
      column.name.withRawBytes { escaped($0, sink) }
      sink.write(byte: UInt8(ascii: " "))
    }
    sink.write("|\n")
    for column in columns { sink.write(column.alignment == .trailing ? "| ---: " : "| --- ") }
    sink.write("|\n")
  }

  func beginSection(_ text: String, isFirst: Bool, _ columns: [TabularColumn], _ sink: OutputSink) {
    sink.write(isFirst ? "### " : "\n### ")
    text.withRawBytes { escaped($0, sink) }
    sink.write("\n\n")
    begin(columns, sink)
  }

  func write(_ cell: RawCell, column: Int, _ sink: OutputSink) {
    sink.write("| ")
    if case .text(let bytes) = cell {
      escaped(bytes, sink)
    } else if case .json(let bytes) = cell {
      escaped(bytes, sink)
    } else {
      cell.writePlain(sink)
    }
    sink.write(byte: UInt8(ascii: " "))
  }

  func endRow(_ sink: OutputSink) { sink.write("|\n") }

  private func escaped(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "|"): sink.write("\\|")
      case UInt8(ascii: "\\"): sink.write("\\\\")
      case UInt8(ascii: "<"): sink.write("&lt;")
      case UInt8(ascii: "&"): sink.write("&amp;")
      case UInt8(ascii: "\n"): sink.write("<br>")
      case UInt8(ascii: "\r"):
        // The newline of a pair speaks for both.
        if index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n") { sink.write("<br>") }
      default: sink.write(byte: byte)
      }
    }
  }
}

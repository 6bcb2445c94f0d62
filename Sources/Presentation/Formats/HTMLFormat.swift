/// An HTML table, numbers and nothing marked by a class.
struct HTMLFormat: RowFormat {
  func begin(_ columns: [TabularColumn], _ sink: OutputSink) {
    sink.write("<table>\n<thead><tr>")
    for column in columns {
      sink.write("<th>")
      column.name.withRawBytes { escaped($0, sink) }
      sink.write("</th>")
    }
    sink.write("</tr></thead>\n<tbody>\n")
  }

  func beginSection(_ text: String, isFirst: Bool, _ columns: [TabularColumn], _ sink: OutputSink) {
    if !isFirst { end(sink) }
    sink.write("<h3>")
    text.withRawBytes { escaped($0, sink) }
    sink.write("</h3>\n")
    begin(columns, sink)
  }

  func beginRow(_ sink: OutputSink) { sink.write("<tr>") }

  func write(_ cell: RawCell, column: Int, _ sink: OutputSink) {
    switch cell {
    case .null: sink.write("<td class=\"nil\">")
    case .integer, .real, .decimal: sink.write("<td class=\"number\">")
    case .bool, .text, .date, .blob, .json: sink.write("<td>")
    }
    if case .text(let bytes) = cell {
      escaped(bytes, sink)
    } else if case .json(let bytes) = cell {
      escaped(bytes, sink)
    } else {
      cell.writePlain(sink)
    }
    sink.write("</td>")
  }

  func endRow(_ sink: OutputSink) { sink.write("</tr>\n") }

  func end(_ sink: OutputSink) { sink.write("</tbody>\n</table>\n") }

  private func escaped(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "<"): sink.write("&lt;")
      case UInt8(ascii: ">"): sink.write("&gt;")
      case UInt8(ascii: "&"): sink.write("&amp;")
      case UInt8(ascii: "\""): sink.write("&quot;")
      default: sink.write(byte: byte)
      }
    }
  }
}

/// One array of objects, an object per line.
struct JSONFormat: RowFormat {
  static let separator: StaticString = ",\n"
  static let escapesControls = true
  private var object = JSONObjectWriter()

  mutating func begin(_ columns: [TabularColumn], _ sink: OutputSink) {
    object = JSONObjectWriter(columns)
    sink.write(byte: UInt8(ascii: "["))
  }

  func beginRow(_ sink: OutputSink) { sink.write(byte: UInt8(ascii: "{")) }

  func write(_ cell: RawCell, column: Int, _ sink: OutputSink) { object.write(cell, column: column, sink) }

  func endRow(_ sink: OutputSink) { sink.write(byte: UInt8(ascii: "}")) }

  func end(_ sink: OutputSink) { sink.write("]\n") }
}

/// One object per line: what `jq` and log readers like.
struct NDJSONFormat: RowFormat {
  static let escapesControls = true
  private var object = JSONObjectWriter()

  mutating func begin(_ columns: [TabularColumn], _ sink: OutputSink) { object = JSONObjectWriter(columns) }

  func beginRow(_ sink: OutputSink) { sink.write(byte: UInt8(ascii: "{")) }

  func write(_ cell: RawCell, column: Int, _ sink: OutputSink) { object.write(cell, column: column, sink) }

  func endRow(_ sink: OutputSink) { sink.write("}\n") }
}

/// The members of an object, their keys encoded once.
struct JSONObjectWriter {
  private var keys: [[UInt8]] = []

  init() {}

  init(_ columns: [TabularColumn]) {
    keys = columns.enumerated().map { index, column in
      let sink = OutputSink.inMemory()
      if index > 0 { sink.write(byte: UInt8(ascii: ",")) }
      JSONText.string(column.name, sink)
      sink.write(byte: UInt8(ascii: ":"))
      return sink.contents
    }
  }

  func write(_ cell: RawCell, column: Int, _ sink: OutputSink) {
    sink.write(keys[column])
    JSONText.write(cell, sink)
  }
}

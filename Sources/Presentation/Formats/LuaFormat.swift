internal import Modeling

/// One table constructor, a row per line, without the fields that are nil.
///
///     {
///       { code = "us1", magnitude = 5.1, time = Date "2024-01-22T16:26:12Z" },
///     }
///
/// `load("return " .. text)` reads it back. A file of its own begins with `return`, so that `dofile` does.
struct LuaFormat: RowFormat {
  static let escapesControls = true
  private var keys: [[UInt8]] = []
  /// For each column, the elements of its composite values.
  private var elements: [[Attribute]] = []
  private var hasFields = false

  mutating func begin(_ columns: [TabularColumn], _ sink: OutputSink) {
    elements = columns.map(\.elements)
    keys = columns.map { column in
      let sink = OutputSink.inMemory()
      LuaText.key(Array(column.name.utf8), sink)
      return sink.contents
    }
    sink.write("{\n")
  }

  mutating func beginFile(_ columns: [TabularColumn], _ sink: OutputSink) {
    sink.write("return ")
    begin(columns, sink)
  }

  mutating func beginRow(_ sink: OutputSink) {
    hasFields = false
    sink.write("  {")
  }

  mutating func write(_ cell: RawCell, column: Int, _ sink: OutputSink) {
    if case .null = cell { return }
    sink.write(hasFields ? ", " : " ")
    hasFields = true
    sink.write(keys[column])
    sink.write(" = ")
    LuaText.write(cell, elements: elements[column], sink)
  }

  func endRow(_ sink: OutputSink) { sink.write(hasFields ? " },\n" : "},\n") }

  func end(_ sink: OutputSink) { sink.write("}\n") }
}

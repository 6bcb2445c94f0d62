internal import Modeling
internal import Presentation

/// Writes plain values as JSON: lists as arrays, other tables as objects.
enum NodeJSON {
  static func write(_ node: DisplayNode, to sink: OutputSink) throws {
    switch node {
    case .missing, .cycle: sink.write("null")
    case .number(let digits): sink.write(number(digits))
    case .boolean(let flag): sink.write(flag ? "true" : "false")
    case .plain(let text), .source(let text): JSONText.string(text, sink)
    case .bytes(let bytes): bytes.withUnsafeBufferPointer { JSONText.string($0, sink) }
    case .table(let table): try write(table, to: sink)
    }
  }

  private static func write(_ table: DisplayTable, to sink: OutputSink) throws {
    guard table.fields.isEmpty, !table.items.isEmpty else { return try writeObject(table, to: sink) }
    var poll = InterruptionPoll()
    sink.write("[")
    for (index, item) in table.items.enumerated() {
      if index > 0 { sink.write(",") }
      try poll.step()
      try write(item, to: sink)
    }
    sink.write("]")
  }

  private static func writeObject(_ table: DisplayTable, to sink: OutputSink) throws {
    var poll = InterruptionPoll()
    let items = table.items.enumerated().map {
      DisplayTable.Field(.string(String($0.offset + 1)), $0.element)
    }
    sink.write("{")
    for (index, field) in (items + table.fields).enumerated() {
      if index > 0 { sink.write(",") }
      switch field.key {
      case .bytes(let bytes): bytes.withUnsafeBufferPointer { JSONText.string($0, sink) }
      case .number(let text), .plain(let text): JSONText.string(text, sink)
      case .boolean(let flag): JSONText.string(flag ? "true" : "false", sink)
      default: JSONText.string("", sink)
      }
      sink.write(":")
      try poll.step()
      try write(field.value, to: sink)
    }
    sink.write("}")
  }

  /// A Lua number as JSON, which has no infinities and no NaN.
  private static func number(_ digits: String) -> String {
    switch digits {
    case "inf": "1e999"
    case "-inf": "-1e999"
    case "nan", "-nan": "null"
    default: digits
    }
  }
}

package import Modeling

/// Writes values as Lua source that makes them again, without loss.
///
/// Dates and decimals are calls of `Date` and `Decimal`; text, UUIDs and bytes are strings; JSON is a table.
package enum LuaText {
  /// Writes a cell; `elements` are those of a composite attribute.
  package static func write(_ cell: RawCell, elements: [Attribute] = [], _ sink: OutputSink) {
    switch cell {
    case .null: sink.write("nil")
    case .integer(let value): sink.write(number(value))
    case .real(let value): sink.write(number(value))
    case .bool(let value): sink.write(value ? "true" : "false")
    case .text(let bytes), .blob(let bytes): string(bytes, sink)
    case .date(let bytes): call("Date", bytes, sink)
    case .decimal(let digits): call("Decimal", digits, sink)
    case .json(let bytes):
      if let json = try? JSON.parse(UnsafeRawBufferPointer(bytes)) {
        write(json, elements, sink)
      } else {
        string(bytes, sink)
      }
    }
  }

  package static func write(_ cell: Cell, _ sink: OutputSink) {
    if cell == .null { return sink.write("null") }
    cell.withRawCell { write($0, sink) }
  }

  package static func write(_ node: DisplayNode, _ sink: OutputSink) {
    switch node {
    case .missing: sink.write("nil")
    case .number(let text), .source(let text): sink.write(text)
    case .boolean(let flag): sink.write(flag ? "true" : "false")
    case .bytes(let bytes): bytes.withUnsafeBufferPointer { string($0, sink) }
    case .plain(let text): string(text, sink)
    // A builder that wants source refuses a table within itself.
    case .cycle: sink.write("nil")
    case .table(let table): write(table, sink)
    }
  }

  private static func write(_ table: DisplayTable, _ sink: OutputSink) {
    var separator = " "
    sink.write("{")
    for item in table.items {
      sink.write(separator)
      separator = ", "
      write(item, sink)
    }
    for field in table.fields {
      sink.write(separator)
      separator = ", "
      if case .bytes(let name) = field.key {
        key(name, sink)
      } else {
        sink.write("[")
        write(field.key, sink)
        sink.write("]")
      }
      sink.write(" = ")
      write(field.value, sink)
    }
    sink.write(separator == " " ? "}" : " }")
  }

  private static func write(_ json: JSON, _ elements: [Attribute], _ sink: OutputSink) {
    switch json {
    case .null: sink.write("null")
    case .bool(let flag): sink.write(flag ? "true" : "false")
    case .int(let value): sink.write(number(value))
    case .double(let value): sink.write(number(value))
    case .string(let text): string(text, sink)
    case .array(let items):
      sink.write("{")
      for (index, item) in items.enumerated() {
        sink.write(index > 0 ? ", " : " ")
        write(item, [], sink)
      }
      sink.write(items.isEmpty ? "}" : " }")
    case .object(let members):
      sink.write("{")
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        sink.write(index > 0 ? ", " : " ")
        key(Array(member.key.utf8), sink)
        sink.write(" = ")
        // JSON has no types for dates and bytes, only their text.
        if let element = elements.first(where: { $0.name == member.key }) {
          write(element, member.value, sink)
        } else {
          write(member.value, [], sink)
        }
      }
      sink.write(members.isEmpty ? "}" : " }")
    }
  }

  private static func write(_ element: Attribute, _ json: JSON, _ sink: OutputSink) {
    if element.type == .composite { return write(json, element.elements, sink) }
    write(Cell(element.elementValue(json)), sink)
  }

  /// A name before `=`.
  package static func key(_ name: [UInt8], _ sink: OutputSink) {
    if QuotedString.isName(name) { return sink.write(name) }
    sink.write("[")
    name.withUnsafeBufferPointer { string($0, sink) }
    sink.write("]")
  }

  package static func number(_ value: Int64) -> String {
    // The digits of the smallest integer are those of a float with a sign before it.
    value == .min ? "math.mininteger" : String(value)
  }

  package static func number(_ value: Double) -> String {
    if value.isNaN { return "(0/0)" }
    if value.isInfinite { return value < 0 ? "-math.huge" : "math.huge" }
    return value.description
  }

  /// The output of `write`, as text.
  package static func source(_ write: (OutputSink) -> Void) -> String {
    let sink = OutputSink.inMemory()
    write(sink)
    return sink.text
  }

  private static func call(_ function: String, _ text: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    sink.write(function)
    sink.write(" ")
    string(text, sink)
  }

  private static func string(_ text: String, _ sink: OutputSink) { text.withRawBytes { string($0, sink) } }

  private static func string(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    let isPlain = bytes.allSatisfy {
      (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    guard isPlain else { return sink.write(QuotedString.literal(Array(bytes), .utf8)) }
    sink.write(byte: UInt8(ascii: "\""))
    sink.write(bytes)
    sink.write(byte: UInt8(ascii: "\""))
  }
}

internal import Modeling

/// Rows as INSERT statements, one a line, as sqlite3 and DuckDB write them: running them makes the rows again.
///
///     INSERT INTO "quake"("_pk","code","magnitude") VALUES(1,'us1',5.1);
///
/// Objects are written as their columns hold them, with their keys, so that references stay true.
struct InsertRenderer: Renderer {
  func render(_ source: any TabularSource, to sink: OutputSink, options: RenderOptions) throws {
    let table = options.tableName ?? source.tableName ?? source.rowName ?? "rows"
    let names = source.columns.map { SQLLiterals.name($0.name) }
    let head = Self.shown("INSERT INTO \(SQLLiterals.name(table))(\(names.joined(separator: ","))) VALUES(", options)
    var count = 0
    while count < options.limit ?? .max, let row = try source.next() {
      sink.write(head)
      for (index, cell) in row.enumerated() {
        if index > 0 { sink.write(byte: UInt8(ascii: ",")) }
        try cell.checkWhole()
        let cell = options.isTerminal ? cell.withoutControls(options.charset, json: false) : cell
        cell.withRawCell { SQLLiterals.write($0, sink) }
      }
      sink.write(");\n")
      count += 1
      try sink.checkpoint()
    }
    sink.flush()
    try sink.checkpoint()
  }

  private static func shown(_ text: String, _ options: RenderOptions) -> String {
    options.isTerminal ? DisplayText.picturingControls(in: text, options.charset) : text
  }
}

/// Writes values as SQL literals that SQLite reads as the same values.
enum SQLLiterals {
  static func write(_ cell: RawCell, _ sink: OutputSink) {
    switch cell {
    case .null: sink.write("NULL")
    case .integer(let value): sink.write(integer: value)
    case .real(let value): real(value, sink)
    case .bool(let value): sink.write(value ? "TRUE" : "FALSE")
    case .text(let bytes), .date(let bytes), .json(let bytes), .decimal(let bytes): text(bytes, sink)
    case .blob(let bytes): blob(bytes, sink)
    }
  }

  /// A name in quotes.
  static func name(_ name: String) -> String { quoted(name, by: "\"") }

  private static func real(_ value: Double, _ sink: OutputSink) {
    if value.isNaN {
      sink.write("NULL")
    } else if value.isInfinite {
      sink.write(value < 0 ? "-9e999" : "9e999")
    } else {
      sink.write(real: value)
    }
  }

  private static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    // A literal ends at a null character, and a reader of statements expects UTF-8.
    if bytes.contains(0) || !bytes.allSatisfy({ $0 < 0x80 }) && String(validating: bytes, as: UTF8.self) == nil {
      sink.write("CAST(")
      blob(bytes, sink)
      sink.write(" AS TEXT)")
      return
    }
    let quote = UInt8(ascii: "'")
    sink.write(byte: quote)
    var rest = bytes[...]
    while let place = rest.firstIndex(of: quote) {
      sink.write(UnsafeBufferPointer(rebasing: rest[...place]))
      sink.write(byte: quote)
      rest = rest[(place + 1)...]
    }
    sink.write(UnsafeBufferPointer(rebasing: rest))
    sink.write(byte: quote)
  }

  private static func blob(_ bytes: UnsafeBufferPointer<UInt8>, _ sink: OutputSink) {
    let hex = StaticString("0123456789ABCDEF").utf8Start
    sink.write("X'")
    for byte in bytes {
      sink.write(byte: hex[Int(byte >> 4)])
      sink.write(byte: hex[Int(byte & 0xF)])
    }
    sink.write(byte: UInt8(ascii: "'"))
  }
}

/// A format that is written row by row, without knowing what comes.
protocol RowFormat: SendableMetatype {
  /// What is between rows, beyond their ends.
  static var separator: StaticString { get }
  /// Whether control characters in text are escaped by the format itself.
  static var escapesControls: Bool { get }

  /// Whether all that `begin` writes is a line with the names of the columns, which may be left out.
  static var headerIsOptional: Bool { get }
  /// Whether that line is there unless it is asked for or refused.
  static var hasHeader: Bool { get }

  init()
  mutating func begin(_ columns: [TabularColumn], _ sink: OutputSink)
  /// Begins a file of its own.
  mutating func beginFile(_ columns: [TabularColumn], _ sink: OutputSink)
  /// Begins a section whose heading is `text`; nothing where the format has no place for headings.
  mutating func beginSection(_ text: String, isFirst: Bool, _ columns: [TabularColumn], _ sink: OutputSink)
  mutating func beginRow(_ sink: OutputSink)
  mutating func write(_ cell: RawCell, column: Int, _ sink: OutputSink)
  mutating func endRow(_ sink: OutputSink)
  mutating func end(_ sink: OutputSink)
}

extension RowFormat {
  static var separator: StaticString { "" }
  static var escapesControls: Bool { false }
  static var headerIsOptional: Bool { false }
  static var hasHeader: Bool { true }
  mutating func beginFile(_ columns: [TabularColumn], _ sink: OutputSink) { begin(columns, sink) }
  mutating func beginSection(_ text: String, isFirst: Bool, _ columns: [TabularColumn], _ sink: OutputSink) {}
  mutating func beginRow(_ sink: OutputSink) {}
  mutating func endRow(_ sink: OutputSink) { sink.write(byte: UInt8(ascii: "\n")) }
  mutating func end(_ sink: OutputSink) {}
}

/// Writes rows in a format as they come, in constant memory.
struct StreamingRenderer<Format: RowFormat>: Renderer {
  func render(_ source: any TabularSource, to sink: OutputSink, options: RenderOptions) throws {
    var format = Format()
    let columns = options.isTerminal ? source.columns.map { $0.withoutControls(options.charset) } : source.columns
    let hasHeader = options.isFile ? nil : options.showsHeaders
    func begin() {
      if options.isFile {
        format.beginFile(columns, sink)
      } else if !Format.headerIsOptional || hasHeader ?? Format.hasHeader {
        format.begin(columns, sink)
      }
    }
    if let source = source as? any RawTabularSource, !options.isTerminal {
      begin()
      let limit = options.limit ?? .max
      if try limit < .max || !writeParts(of: source, columns, to: sink) {
        try Self.copy(source, in: &format, to: sink, limit: limit)
      }
    } else {
      let first = options.limit == 0 ? nil : try source.next()
      // A heading comes before the names of the columns.
      if source.heading == nil { begin() }
      try copy(first, source, columns, in: &format, to: sink, options: options)
    }
    format.end(sink)
    sink.flush()
    try sink.checkpoint()
  }

  /// Has several threads write the rows; returns false if they are not to.
  private func writeParts(
    of source: any RawTabularSource, _ columns: [TabularColumn], to sink: OutputSink
  ) throws -> Bool {
    var isFirst = true
    return try source.writeParts(
      { rows, sink in
        // A format of its own: threads that use one take turns to count its references.
        var format = Format()
        format.begin(columns, .inMemory())
        try Self.copy(rows, in: &format, to: sink, isFirst: false)
      },
      { bytes, _ in
        bytes.withUnsafeBufferPointer { bytes in
          let start = isFirst ? min(Format.separator.utf8CodeUnitCount, bytes.count) : 0
          sink.write(UnsafeBufferPointer(rebasing: bytes[start...]))
        }
        isFirst = false
        try sink.checkpoint()
      })
  }

  private static func copy(
    _ source: any RawRowSource, in format: inout Format, to sink: OutputSink, limit: Int = .max, isFirst: Bool = true
  ) throws {
    var row: [RawCell] = []
    var count = 0
    while count < limit, try source.next(into: &row) {
      if count > 0 || !isFirst { sink.write(Format.separator) }
      format.beginRow(sink)
      for index in row.indices { format.write(row[index], column: index, sink) }
      format.endRow(sink)
      row.removeAll(keepingCapacity: true)
      count += 1
      try sink.checkpoint()
    }
  }

  private func copy(
    _ first: [Cell]?, _ source: any TabularSource, _ columns: [TabularColumn], in format: inout Format,
    to sink: OutputSink, options: RenderOptions
  ) throws {
    var count = 0
    var next = first
    while let row = next {
      if let heading = source.heading {
        let shown = options.isTerminal ? DisplayText.picturingControls(in: heading, options.charset) : heading
        format.beginSection(shown, isFirst: count == 0, columns, sink)
      }
      if count > 0 { sink.write(Format.separator) }
      format.beginRow(sink)
      for (index, cell) in row.enumerated() {
        try cell.checkWhole()
        let shown = options.isTerminal ? cell.withoutControls(options.charset, json: Format.escapesControls) : cell
        shown.withRawCell { format.write($0, column: index, sink) }
      }
      format.endRow(sink)
      count += 1
      try sink.checkpoint()
      next = count < options.limit ?? .max ? try source.next() : nil
    }
  }
}

extension Cell {
  /// Throws if only the beginning of the bytes is at hand.
  func checkWhole() throws(OutputFailure) {
    if case .blob(let blob) = self, !blob.isWhole {
      throw .shortenedBlob(byteCount: blob.byteCount, available: blob.head.count)
    }
  }

  /// This cell with pictures for the control characters of its text, which a terminal would obey; with `json` only
  /// those of JSON text, because the format escapes all others.
  func withoutControls(_ charset: Charset, json: Bool) -> Cell {
    switch self {
    case .json(let text): .json(DisplayText.picturingControls(in: text, charset, keepingLines: true))
    case .text(let text) where !json: .text(DisplayText.picturingControls(in: text, charset, keepingLines: true))
    case .date(let text) where !json: .date(DisplayText.picturingControls(in: text, charset))
    case .decimal(let text) where !json: .decimal(DisplayText.picturingControls(in: text, charset))
    case .reference(let label) where !json: .reference(label: DisplayText.picturingControls(in: label, charset))
    default: self
    }
  }
}

extension TabularColumn {
  fileprivate func withoutControls(_ charset: Charset) -> TabularColumn {
    var column = self
    column.name = DisplayText.picturingControls(in: name, charset)
    return column
  }
}

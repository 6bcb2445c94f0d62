internal import Modeling

/// One card per row, a value per line.
struct LinesRenderer: Renderer {
  func render(_ source: any TabularSource, to sink: OutputSink, options: RenderOptions) throws {
    let cards = CardWriter(columns: source.columns, rowName: source.rowName, options: options)
    var most = options.limit ?? .max
    if case .ends(let first, let last) = options.shownRows { most = min(most, first + last) }
    var count = 0
    var hasMore = false
    while let row = try source.next() {
      if count == most {
        hasMore = true
        break
      }
      count += 1
      if let heading = source.heading { cards.section(heading, to: sink) }
      cards.write(row, number: count, to: sink)
      try sink.checkpoint()
    }
    sink.flush()
    if options.isTerminal || hasMore {
      let total = hasMore ? try source.totalCount() : count
      RowFooter(shown: count, total: total, hasMore: hasMore, rowName: source.rowName).write(to: sink, options)
    }
    sink.flush()
    try sink.checkpoint()
  }
}

/// Writes a row as a card: names on the left, values wrapped beside them.
package struct CardWriter {
  private static let mostLines = 12
  private let columns: [TabularColumn]
  private let rowName: String?
  private let options: RenderOptions
  private let names: [DisplayText]
  private let types: [DisplayText]
  private let nameWidth: Int
  private let typeWidth: Int

  package init(columns: [TabularColumn], rowName: String?, options: RenderOptions) {
    self.columns = columns
    self.rowName = rowName
    self.options = options
    names = columns.map { DisplayText($0.name, in: 30, options.charset) }
    types = columns.map { DisplayText($0.typeLabel, in: 20, options.charset) }
    nameWidth = names.map(\.width).max() ?? 0
    typeWidth = types.map(\.width).max() ?? 0
  }

  package func write(_ row: [Cell], number: Int, to sink: OutputSink) {
    write(row, title: [rowName, String(number)].compactMap(\.self).joined(separator: " "), to: sink)
  }

  /// Writes a card under a title of its own.
  package func write(_ row: [Cell], title: String, to sink: OutputSink) {
    heading(title, to: sink)
    let indent = 2 + nameWidth + 2 + (typeWidth > 0 ? typeWidth + 2 : 0)
    let width = options.width.map { max($0 - indent, 10) } ?? .max
    let most = options.width == nil ? Int.max : Self.mostLines
    for (index, cell) in row.enumerated() {
      let text = CellText(cell, options.charset, isWhole: true)
      var lead = "  " + options.style(.name, names[index].text) + spaces(nameWidth - names[index].width + 2)
      if typeWidth > 0 {
        lead += options.style(.note, types[index].text) + spaces(typeWidth - types[index].width + 2)
      }
      for line in DisplayText.wrapped(text.text, in: width, options.charset, maximum: most) {
        sink.write(lead + options.style(text.role, line) + "\n")
        lead = spaces(indent)
      }
    }
  }

  /// The heading of a section, over its cards.
  func section(_ title: String, to sink: OutputSink) {
    let shown = DisplayText(title, in: max((options.width ?? .max) - 2, 10), options.charset)
    sink.write(options.style(.header, shown.text) + "\n")
  }

  private func heading(_ title: String, to sink: OutputSink) {
    let line = options.charset == .utf8 ? "─" : "-"
    let shown = DisplayText(" \(title) ", in: max((options.width ?? 80) - 4, 10), options.charset)
    let rest = max(min(options.width ?? 80, 60) - 2 - shown.width, 2)
    let rule = String(repeating: line, count: 2) + shown.text + String(repeating: line, count: rest)
    sink.write(options.style(.frame, rule) + "\n")
  }

  private func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(count, 0))
  }
}

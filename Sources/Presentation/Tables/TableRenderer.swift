/// A frame that fits the window: the first rows and the last of a long result, and a line that counts.
struct TableRenderer: Renderer {
  /// The number of rows that decide the widths when all are shown; later rows are cut to these widths.
  private static let sampleCount = 1_000
  /// The most rows that become cards when a table would lose columns.
  private static let mostCards = 3

  func render(_ source: any TabularSource, to sink: OutputSink, options: RenderOptions) throws {
    let window = try RenderedRows(source, limit: options.limit, rows: options.shownRows, sampleCount: Self.sampleCount)
    let texts = (window.first + window.last).map { row in row.map { CellText($0, options.charset) } }
    let layout = GridLayout(source.columns, rows: texts, options: options)
    if options.allowsCards, window.headings.isEmpty, layout.droppedCount > 0, window.isComplete,
      (1...Self.mostCards).contains(texts.count)
    {
      let cards = CardWriter(columns: source.columns, rowName: source.rowName, options: options)
      for (index, row) in window.first.enumerated() { cards.write(row, number: index + 1, to: sink) }
      try finish(source, window, columns: nil, sink, options)
      return
    }
    let grid = GridWriter(layout: layout, options: options)
    var shown = texts.count
    if !source.columns.isEmpty {
      grid.header(source.columns, isRuled: window.headings[0] == nil, to: sink)
      for (index, row) in texts.prefix(window.first.count).enumerated() {
        if let heading = window.headings[index] { grid.heading(heading, to: sink) }
        grid.row(row, to: sink)
      }
      if !window.last.isEmpty {
        grid.gapRow(try source.totalCount().map { $0 - texts.count }, to: sink)
      } else if window.hasGap {
        grid.gapRow(nil, to: sink)
      }
      for (index, row) in texts.dropFirst(window.first.count).enumerated() {
        if let heading = window.lastHeadings[index] { grid.heading(heading, to: sink) }
        grid.row(row, to: sink)
      }
      while case .all = options.shownRows, shown < options.limit ?? .max, let row = try source.next() {
        if let heading = source.heading { grid.heading(heading, to: sink) }
        grid.row(row.map { CellText($0, options.charset) }, to: sink)
        shown += 1
        try sink.checkpoint()
      }
      grid.bottom(to: sink)
    }
    var counted = window
    counted.shownCount = shown
    try finish(source, counted, columns: layout, sink, options)
  }

  private func finish(
    _ source: any TabularSource, _ window: RenderedRows, columns: GridLayout?, _ sink: OutputSink,
    _ options: RenderOptions
  ) throws {
    let kept = columns.map { Set($0.columns.map(\.index)) } ?? Set(source.columns.indices)
    let (shown, dropped) = (
      source.columns.indices.filter(kept.contains), source.columns.indices.filter { !kept.contains($0) }
    )
    options.noteColumns?(source.rowName, shown.map { source.columns[$0].name }, dropped.map { source.columns[$0].name })
    // Show the rows before counting the rest.
    sink.flush()
    let footer = RowFooter(
      shown: window.shownCount, total: window.isComplete ? window.shownCount : try source.totalCount(),
      hasMore: window.hasGap, rowName: source.rowName,
      columns: columns.flatMap { layout in
        guard layout.droppedCount > 0 else { return nil }
        let shown = Set(layout.columns.map(\.index))
        let dropped = source.columns.indices.filter { !shown.contains($0) }.map { source.columns[$0].name }
        return RowFooter.Columns(shown: shown.count, dropped: dropped)
      })
    footer.write(to: sink, options)
    sink.flush()
    try sink.checkpoint()
  }
}

/// The rows of a result that are shown.
struct RenderedRows {
  private(set) var first: [[Cell]] = []
  private(set) var last: [[Cell]] = []
  /// By row of `first`, the heading over it.
  private(set) var headings: [Int: String] = [:]
  /// By row of `last`, the heading over it.
  private(set) var lastHeadings: [Int: String] = [:]
  /// Whether rows between the first and the last, or after the first, are left out.
  private(set) var hasGap = false
  /// Whether the rows shown are all there are.
  private(set) var isComplete = true
  var shownCount = 0

  /// Reads the beginning of `source`, and its end if that can be had cheaply.
  init(_ source: any TabularSource, limit: Int?, rows: RowLimit, sampleCount: Int) throws {
    let wanted: Int
    switch rows {
    case .all: wanted = sampleCount
    case .ends(let first, let last): wanted = first + last + 1
    }
    let most = min(wanted, limit ?? .max)
    var hasEnded = false
    while first.count < most {
      guard let row = try source.next() else {
        hasEnded = true
        break
      }
      if let heading = source.heading { headings[first.count] = heading }
      first.append(row)
    }
    isComplete = hasEnded
    if case .ends(let head, let tail) = rows, first.count > head + tail {
      let left = first.suffix(first.count - head)
      first.removeLast(left.count)
      // The rows behind those that were read may be fewer than the end.
      last = try source.lastRows(tail).map { Array((left + $0).suffix(tail)) } ?? []
      lastHeadings = source.lastHeadings(last.count)
      hasGap = true
      isComplete = false
    }
    shownCount = first.count + last.count
  }
}

internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Session

// Pages that screens of rows have in common.
extension FullScreen {
  /// A line as wide as the window at most.
  func line(_ text: String, _ role: Style.Role? = nil) -> ScreenLine {
    ScreenLine(text, role, in: size.columns, style, charset)
  }

  /// `, 18–34`: which of so many rows are shown; nothing where all are.
  func part(_ rows: [Int], of count: Int) -> String {
    guard let first = rows.first, let last = rows.last, rows.count < count else { return "" }
    return ", \(Quantity.grouped(first + 1))\(charset == .utf8 ? "–" : "-")\(Quantity.grouped(last + 1))"
  }

  /// The lines of a page as far as there is room for them, and one at the bottom that says what keys do. One that scrolls is shown from
  /// the line to which that was done.
  func page(_ lines: [ScreenLine], _ footer: String, scrolls: Bool = false) -> ScreenFrame {
    var frame = ScreenFrame(size)
    let room = max(size.rows - 1, 0)
    if scrolls { pageTop = min(pageTop, max(lines.count - room, 0)) }
    frame.lines = Array(lines.dropFirst(scrolls ? pageTop : 0).prefix(room))
    while frame.lines.count < room { frame.lines.append(ScreenLine(style)) }
    frame.lines.append(line(footer + (scrolls && lines.count > room ? "  PgUp, PgDn the rest" : ""), .note))
    return frame
  }

  /// Scrolls a page that is longer than the window; false for a key that does something else.
  func scrollsPage(_ key: Key) -> Bool {
    let step = max(size.rows - 2, 1)
    switch key {
    case .pageDown, .control("f"): pageTop += step
    case .pageUp, .control("b"): pageTop = max(pageTop - step, 0)
    default:
      pageTop = 0
      return false
    }
    return true
  }

  /// The keys of a screen, with what they do.
  func helpPage(_ keys: [(keys: String, what: String)]) -> ScreenFrame {
    let width = keys.map(\.keys.count).max() ?? 0
    let room = max(size.columns - width - 4, 16)
    var texts = keys.map { DisplayText.wrapped($0.what, in: room, charset, atWords: true) }
    // All keys are shown before what each does is.
    if texts.reduce(0, { $0 + $1.count }) > size.rows - 3 { texts = keys.map { [$0.what] } }
    let lines = zip(keys, texts).flatMap { key, texts in
      texts.enumerated().map { number, text in
        var line = ScreenLine(style)
        let name = number == 0 ? key.keys : ""
        line.append(
          cut: "  " + name + String(repeating: " ", count: width - name.count + 2), .name, in: size.columns, charset)
        line.append(cut: text, in: size.columns, charset)
        return line
      }
    }
    return page([line("keys", .header), ScreenLine(style)] + lines, "any key goes back", scrolls: true)
  }

  /// An object with a line per property, as it is now.
  func cardPage(_ object: ManagedObject) -> ScreenFrame {
    page(cardLines(object), "Esc back  Up, Down other objects", scrolls: true)
  }

  func cardLines(_ object: ManagedObject) -> [ScreenLine] {
    do {
      let whole = try EntityColumns(object.entity, isData: false)
      let row = try ObjectCells(whole, isData: false).cells(of: object)
      return try styledLines { try ObjectCard(object, whole, row, $0).write(to: $1) }
    } catch {
      return [line(engine.report(error).message, .error)]
    }
  }

  /// What `write` writes as lines of this screen.
  func styledLines(_ write: (RenderOptions, OutputSink) throws -> Void) rethrows -> [ScreenLine] {
    func texts(_ style: Style) throws -> [String] {
      var options = RenderOptions(width: size.columns)
      (options.style, options.charset, options.isTerminal) = (style, charset, true)
      let sink = OutputSink.inMemory()
      try write(options, sink)
      return sink.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    return zip(try texts(style), try texts(Style(enabled: false))).map {
      ScreenLine(styled: $0, width: $1.terminalWidth, style)
    }
  }
}

internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Terminal

// What is shown before the rows: the card of an object, and the keys.
extension WatchScreen {
  private static let keys = [
    ("Up, Down, PgUp, PgDn, g, G", "move"), ("Left, Right", "the column, those that are not shown, too"),
    ("s", "sort by the column; again: the other way; again: as it was"), ("/", "filter as a predicate is typed"),
    ("Enter", "open the object; Up and Down go to the next"),
    ("Space", "hold the rows and let them go on; fold a section"),
    ("p", "hold the rows, in sections, too"), ("Tab", "fold a section"), ("Ctrl-L", "draw again"),
    ("q, Esc, Ctrl-D", "leave"),
  ]

  var helpFrame: ScreenFrame {
    let width = Self.keys.map(\.0.count).max() ?? 0
    let lines = Self.keys.map { keys, what in
      var line = ScreenLine(style)
      line.append(
        cut: "  " + keys + String(repeating: " ", count: width - keys.count + 2), .name, in: size.columns, charset)
      line.append(cut: what, in: size.columns, charset)
      return line
    }
    return frame(
      [ScreenLine("keys", .header, in: size.columns, style, charset), ScreenLine(style)] + lines, "any key goes back")
  }

  /// The object on the selected line, as it is now.
  var cardFrame: ScreenFrame {
    guard let id = selectedObject else { return frame([], "any key goes back") }
    var lines: [ScreenLine]
    do {
      let object = results.live.context.object(id)
      let whole = try EntityColumns(entity, isData: false)
      let row = try ObjectCells(whole, isData: false).cells(of: object)
      func texts(_ style: Style) throws -> [String] {
        var options = RenderOptions(width: size.columns)
        (options.style, options.charset, options.isTerminal) = (style, charset, true)
        let sink = OutputSink.inMemory()
        try ObjectCard(object, whole, row, options).write(to: sink)
        return sink.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }
      lines = zip(try texts(style), try texts(Style(enabled: false))).map {
        ScreenLine(styled: $0, width: $1.terminalWidth, style)
      }
    } catch {
      lines = [ScreenLine(engine.report(error).message, .error, in: size.columns, style, charset)]
    }
    return frame(lines, "Esc back  Up, Down other objects")
  }

  private func frame(_ lines: [ScreenLine], _ footer: String) -> ScreenFrame {
    var frame = ScreenFrame(size)
    frame.lines = Array(lines.prefix(max(size.rows - 1, 0)))
    while frame.lines.count < size.rows - 1 { frame.lines.append(ScreenLine(style)) }
    frame.lines.append(ScreenLine(footer, .note, in: size.columns, style, charset))
    return frame
  }
}

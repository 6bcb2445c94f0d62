internal import Modeling
internal import Presentation

// What the screen looks like.
extension PredicateScreen {
  private static let smallest = TerminalSize(columns: 40, rows: 8)

  /// The whole screen as it should be now.
  var frame: ScreenFrame {
    var frame = ScreenFrame(size)
    guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
      let text = "the window is too small"
      frame.lines = [ScreenLine(text, in: size.columns, style, charset)]
      return frame
    }
    drawEditor(into: &frame)
    frame.lines += statusLines
    let room = size.rows - frame.lines.count - 1
    if let menu {
      frame.lines += menu.lines(width: size.columns, height: min(6, room - 2), style, charset)
    }
    let height = size.rows - frame.lines.count - 1
    frame.lines += paneLines(height).prefix(max(height, 0))
    while frame.lines.count < size.rows - 1 { frame.lines.append(ScreenLine(style)) }
    frame.lines.append(ScreenLine(mainKeys, .note, in: size.columns, style, charset))
    return frame
  }

  // MARK: The line

  /// Whether what is known of the text is still about it.
  private var isCurrent: Bool { readText == editor.text && !questions.contains(.meaning) }

  private func drawEditor(into frame: inout ScreenFrame) {
    var prompt = ScreenLine(style)
    prompt.append(cut: inquiry.entity.name, .prompt, in: size.columns / 3 - 7, charset)
    prompt.append(" where ", .note)
    let marks = isCurrent ? reading.mistakes.compactMap(\.range) : []
    let layout = EditorLayout(editor, marks: marks, width: size.columns - prompt.width, charset)
    let visible = layout.visible(min(max(size.rows / 4, 1), 5))
    for index in visible {
      var line = ScreenLine(style)
      if index == 0 { line = prompt } else { line.pad(to: prompt.width) }
      var position = layout.lines[index].startIndex
      while position < layout.lines[index].endIndex {
        let isMarked = layout.lines[index][position].isMarked
        let run = layout.lines[index][position...].prefix { $0.isMarked == isMarked }
        line.append(run.map(\.text).joined(), isMarked ? .mistake : nil)
        position = run.endIndex
      }
      if index == layout.cursor.line {
        frame.cursor = ScreenFrame.Place(row: frame.lines.count, column: prompt.width + layout.cursor.column)
      }
      frame.lines.append(line)
      if !style.isEnabled, let mark = layout.mark, mark.line == index {
        var carets = ScreenLine(style)
        carets.pad(to: prompt.width + mark.columns.lowerBound)
        carets.append(String(repeating: "^", count: mark.columns.count))
        frame.lines.append(carets)
      }
    }
  }

  // MARK: What is said about it

  private var statusLines: [ScreenLine] {
    if let remark { return said(remark.text, remark.role) }
    guard isCurrent else { return said(countsText, .note) }
    switch reading {
    case .mistakes(let mistakes):
      let more = mistakes.count > 1 ? " (and \(Quantity.grouped(mistakes.count - 1)) more)" : ""
      return said((mistakes.first?.sentence ?? "") + more, .error)
    case .needsValues(_, let names):
      let list = names.map { "$" + $0 }.joined(separator: ", ")
      let example = names.map { $0 + " = \(charset.ellipsis)" }.joined(separator: ", ")
      return said("needs a value for \(list): .predicate \(inquiry.entity.name) { \(example) }", .warning)
    case .everything, .predicate:
      return said(countsText, questions.isEmpty ? nil : .note)
    }
  }

  private func said(_ text: String, _ role: Style.Role?) -> [ScreenLine] {
    let lines = text.split(separator: "\n").flatMap {
      DisplayText.wrapped(String($0), in: size.columns, charset, atWords: true)
    }
    let shown = lines.isEmpty ? [""] : Array(lines.prefix(2))
    return shown.map { ScreenLine($0, role, in: size.columns, style, charset) }
  }

  private var countsText: String {
    var text = answer?.counts.text(charset) ?? ""
    if case .everything = reading, let yes = answer?.counts.yes, isCurrent {
      text = "\(Quantity.grouped(yes)) \(inquiry.entity.name)"
    }
    if questions.contains(.meaning) { return text }
    let dot = text.isEmpty ? "" : " \(charset.dot) "
    if isCounting { return text + dot + "counting" + charset.ellipsis }
    return text + dot + (answer.map { Quantity.duration($0.seconds) } ?? "")
  }

  private var mainKeys: String {
    if menu != nil { return "Tab, Up, Down choose  Enter take  Esc close" }
    if isInPane {
      let back = "Esc back  "
      switch pane {
      case .rows:
        return back + "Up, Down row  F7 why  Left, Right rows that do not fulfil it  Enter take the request  "
          + "Alt-Left, Alt-Right column  Alt-S sort"
      case .swift: return back + "Left, Right other forms  Up, Down scroll"
      case .plot: return back + "Left, Right other attributes"
      case .why, .object: return back + "Up, Down other rows  Left, Right rows that do not fulfil it"
      default: return back + "Up, Down, Page Up, Page Down scroll"
      }
    }
    let keys = PredicatePane.allCases.dropFirst().map { "F\($0.rawValue) \($0.name)" }
    return (pane == .rows ? "Esc leave  " : "Esc back  ") + keys.joined(separator: "  ") + "  Tab complete"
  }
}

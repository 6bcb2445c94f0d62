internal import Modeling
internal import Presentation

/// The candidates of a completion, one of which may stand in the line already.
struct CompletionMenu {
  private(set) var completions: Completions
  /// The line as it was before a candidate was put in.
  let before: PredicateEditor
  private(set) var selected: Int?

  init(_ completions: Completions, before: PredicateEditor) {
    self.completions = completions
    self.before = before
  }

  /// Moves on by a number of candidates and returns the line with the one that is reached.
  mutating func move(by steps: Int) -> PredicateEditor {
    let count = completions.candidates.count
    let start = selected ?? (steps > 0 ? -1 : 0)
    let next = ((start + steps) % count + count) % count
    selected = next
    var editor = before
    editor.replace(from: completions.start, with: completions.candidates[next].text)
    return editor
  }

  /// The candidates below one another, as many as fit in `height` lines, those around the selected one.
  func lines(width: Int, height: Int, _ style: Style, _ charset: Charset) -> [ScreenLine] {
    let all = completions.candidates
    guard height > 0 else { return [] }
    let first = min(max((selected ?? 0) - height + 1, 0), max(all.count - height, 0))
    let shown = Array(all[first..<min(first + height, all.count)])
    let names = shown.map { DisplayText($0.text, in: max(width * 2 / 3, 8), charset) }
    let widest = names.map(\.width).max() ?? 0
    return zip(shown.indices, names).map { index, name in
      var line = ScreenLine(style)
      let isSelected = first + index == selected
      line.append((isSelected ? ">" : " ") + " ")
      line.append(name.text, isSelected ? .selection : nil)
      line.pad(to: widest + 4)
      line.append(cut: shown[index].remark, .note, in: width, charset)
      let isLast = index == shown.count - 1
      if isLast, all.count > first + shown.count {
        line.append(cut: "   \(charset.ellipsis) \(Quantity.grouped(all.count)) in all", .note, in: width, charset)
      }
      return line
    }
  }
}

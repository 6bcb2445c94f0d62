internal import Modeling
internal import Presentation

// What keys do.
extension PredicateScreen {
  func obeyOnScreen(_ key: Key) {
    if handleInMenu(key) { return }
    switch key {
    case .function(let number):
      if let new = PredicatePane(functionKey: number) { press(new) }
    // For terminals that keep the function keys to themselves.
    case .alt(let digit) where digit.wholeNumberValue.flatMap(PredicatePane.init(functionKey:)) != nil:
      if let new = digit.wholeNumberValue.flatMap(PredicatePane.init(functionKey:)) { press(new) }
    case .enter: finish(keepingMistakes: false)
    case .escape: escape()
    case .control("d") where editor.isEmpty: finish(keepingMistakes: true)
    case .control("l"): terminal.forgetScreen()
    case .pageUp: scrollPage(-1)
    case .pageDown: scrollPage(1)
    case .tab, .backTab: isInPane ? (isInPane = false) : complete()
    default: if !(isInPane && handleInPane(key)) { handleInLine(key) }
    }
  }

  // MARK: Leaving

  private func escape() {
    if isInPane || pane != .rows {
      if showsMisses { turnRows() }
      open(.rows)
      chosenRow = nil
      isInPane = false
    } else {
      finish(keepingMistakes: true)
    }
  }

  /// Leaves with the request. If the text has a mistake, leaves without a request or stays.
  private func finish(keepingMistakes: Bool) {
    if readText != editor.text || questions.contains(.meaning) { readText(editor.text) }
    guard case .mistakes(let mistakes) = reading else {
      (isTaken, isEnding) = (true, true)
      return
    }
    if keepingMistakes {
      isEnding = true
    } else if let place = mistakes.lazy.compactMap(\.range).first {
      editor.move(toByte: place.lowerBound)
      isInPane = false
    }
  }

  // MARK: The line

  private func handleInLine(_ key: Key) {
    let before = editor.characters
    edit(key)
    if editor.characters != before { textChanged() }
  }

  private func edit(_ key: Key) {
    switch key {
    case .up, .control("p"): if let text = earlier.older(than: editor.text) { editor.replaceAll(with: text) }
    case .down, .control("n"): if let text = earlier.newer() { editor.replaceAll(with: text) }
    default: editor.take(key)
    }
  }

  // MARK: Completion

  private func complete() {
    let start = editor.byteOffset
    let text = String(decoding: Array(editor.text.utf8.prefix(start)), as: UTF8.self)
    let found = inquiry.completions(text)
    guard !found.candidates.isEmpty else {
      remark = ("nothing to complete here", .note)
      return
    }
    let isCertain = found.isCertain(typed: start - found.start)
    if isCertain {
      editor.replace(from: found.start, with: found.commonText)
      textChanged()
    }
    if found.candidates.count > 1 || !isCertain { menu = CompletionMenu(found, before: editor) }
  }

  /// A key while candidates are listed; false if it closes the list and means what it means otherwise.
  private func handleInMenu(_ key: Key) -> Bool {
    guard let menu else { return false }
    switch key {
    case .tab, .down: move(by: 1)
    case .backTab, .up: move(by: -1)
    case .pageDown: move(by: 5)
    case .pageUp: move(by: -5)
    case .enter: self.menu = nil
    case .escape:
      if menu.selected != nil { editor = menu.before }
      self.menu = nil
      textChanged()
    default:
      self.menu = nil
      return false
    }
    return true
  }

  private func move(by steps: Int) {
    guard let line = menu?.move(by: steps) else { return }
    editor = line
    textChanged()
  }
}

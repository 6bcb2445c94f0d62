internal import Modeling

// What keys do.
extension PredicateScreen {
  func handle(_ key: Key) {
    if handleInMenu(key) { return }
    remark = nil
    switch key {
    case .function(let number):
      if let new = PredicatePane(functionKey: number) { press(new) }
    case .enter: finish(keepingMistakes: false)
    case .escape: escape()
    case .control("d") where editor.isEmpty: finish(keepingMistakes: true)
    case .control("l"): terminal.forgetScreen()
    case .control("z"): TerminalSignals.perform(.suspend)
    case .pageUp: scrollPage(-1)
    case .pageDown: scrollPage(1)
    case .tab, .backTab: isInPane ? (isInPane = false) : complete()
    default: if !(isInPane && handleInPane(key)) { handleInLine(key) }
    }
  }

  // MARK: Leaving

  private func escape() {
    if isInPane || pane != .rows {
      open(.rows)
      selectedRow = nil
      isInPane = false
    } else {
      finish(keepingMistakes: true)
    }
  }

  /// Leaves with the request, or, where there is a mistake, without it or not at all.
  private func finish(keepingMistakes: Bool) {
    if readText != editor.text || questions.contains(.meaning) { readText(editor.text) }
    guard case .mistakes(let mistakes) = reading else {
      ending = .request
      return
    }
    if keepingMistakes {
      ending = .abandoned
    } else if let place = mistakes.lazy.compactMap(\.range).first {
      editor.move(toByte: place.lowerBound)
      isInPane = false
    }
  }

  // MARK: The lower part

  private func press(_ new: PredicatePane) {
    switch (new, pane) {
    case (.swift, .swift) where isInPane: turn(by: 1)
    case (.help, .help), (.explain, .explain), (.counts, .counts), (.plot, .plot), (.check, .check), (.why, .why):
      open(isInPane ? .rows : new)
    default: open(new)
    }
  }

  /// A key for the lower part; false if it means nothing there.
  private func handleInPane(_ key: Key) -> Bool {
    switch key {
    case .up: moveInPane(by: -1)
    case .down: moveInPane(by: 1)
    case .left where pane == .swift || pane == .plot: turn(by: -1)
    case .right where pane == .swift || pane == .plot: turn(by: 1)
    case .home: scroll = 0
    default:
      isInPane = false
      return false
    }
    return true
  }

  /// Goes to another form of Swift, or to another attribute.
  private func turn(by steps: Int) {
    func turned(_ index: Int, _ count: Int) -> Int { count == 0 ? 0 : ((index + steps) % count + count) % count }
    if pane == .swift { swiftForm = turned(swiftForm, PredicatePane.swiftForms.count) }
    if pane == .plot { plottedAttribute = turned(plottedAttribute, inquiry.plottableAttributes.count) }
    (scroll, isInPane) = (0, true)
    askForPane()
  }

  private func moveInPane(by steps: Int) {
    if pane == .rows || pane == .why { selectRow(by: steps) } else { scroll = max(scroll + steps, 0) }
  }

  private func scrollPage(_ direction: Int) {
    guard pane == .rows else {
      scroll = max(scroll + direction * max(size.rows - 6, 1), 0)
      return
    }
    if !isInPane {
      isInPane = true
      selectedRow = selectedRow ?? 0
    } else {
      selectRow(by: direction * pageSize)
    }
  }

  /// Chooses another row, on another page if need be.
  private func selectRow(by steps: Int) {
    guard let page = answer?.page, let row = selectedRow, !page.rows.isEmpty else { return }
    let wanted = row + steps
    if page.rows.indices.contains(wanted) {
      selectedRow = wanted
    } else if wanted < 0, page.offset > 0 {
      let start = max(page.offset - pageSize, 0)
      answer?.page.offset = start
      selectedRow = max(page.offset + wanted - start, 0)
      questions.insert(.rows)
    } else if wanted >= page.rows.count, !page.isLast {
      answer?.page.offset = page.offset + page.rows.count
      selectedRow = wanted - page.rows.count
      questions.insert(.rows)
    } else {
      selectedRow = wanted < 0 ? 0 : page.rows.count - 1
    }
    askForPane()
  }

  // MARK: The line

  private func handleInLine(_ key: Key) {
    let before = editor.characters
    edit(key)
    if editor.characters != before { textChanged() }
  }

  private func edit(_ key: Key) {
    switch key {
    case .text(let text), .pasted(let text): editor.insert(text)
    case .backspace: editor.deleteBackward()
    case .delete, .control("d"): editor.deleteForward()
    case .left, .control("b"): editor.moveLeft()
    case .right, .control("f"): editor.moveRight()
    case .home, .control("a"): editor.moveToStart()
    case .end, .control("e"): editor.moveToEnd()
    case .wordLeft, .alt("b"): editor.moveWordLeft()
    case .wordRight, .alt("f"): editor.moveWordRight()
    case .control("k"): editor.cutToEnd()
    case .control("u"): editor.cutToStart()
    case .control("w"): editor.cutBlankWordBackward()
    case .alt("\u{7F}"): editor.cutWordBackward()
    case .alt("d"): editor.cutWordForward()
    case .control("y"): editor.paste()
    case .control("_"): editor.undo()
    case .up, .control("p"): if let text = earlier.older(than: editor.text) { editor.replaceAll(with: text) }
    case .down, .control("n"): if let text = earlier.newer() { editor.replaceAll(with: text) }
    default: break
    }
  }

  // MARK: Completion

  private func complete() {
    let start = editor.byteOffset
    let text = String(decoding: Array(editor.text.utf8.prefix(start)), as: UTF8.self)
    guard let found = try? inquiry.completions(text), !found.candidates.isEmpty else {
      remark = ("nothing to complete here", .note)
      return
    }
    let common = found.commonText
    let typed = start - found.start
    if found.candidates.count == 1 || common.utf8.count > typed {
      editor.replace(from: found.start, with: common)
      textChanged()
    }
    if found.candidates.count > 1 { menu = CompletionMenu(found, before: editor) }
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

internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
internal import Queries
internal import Session

// What the screen asks the store, a question at a time.
extension PredicateScreen {
  /// Asks what comes next.
  func ask() throws {
    if questions.contains(.meaning) { return readText(editor.text) }
    guard case .some(let predicate) = reading.predicateToAsk else {
      questions = []
      return
    }
    if questions.contains(.rows) { return try askRows(predicate) }
    if questions.contains(.pane) { return try askPane(predicate) }
    if questions.contains(.matches) { return try askMatches(predicate) }
    try askMisses(predicate)
  }

  /// Finds out what the text means, and has asked what follows from it.
  func readText(_ text: String) {
    questions.remove(.meaning)
    reading = PredicateReading(text, inquiry.entity, values: inquiry.values?.table, inquiry.engine)
    readText = text
    guard reading.predicateToAsk != nil else {
      questions = []
      return
    }
    isNewReading = true
    if answer?.text != text { (scroll, chosenRow) = (0, chosenRow.map { _ in 0 }) }
    questions = pane.asks ? [.rows, .pane, .matches, .misses] : [.rows, .matches, .misses]
  }

  /// How many rows are read at once.
  var pageSize: Int { max(size.rows - 7, 1) }

  private func askRows(_ predicate: Predicate?) throws {
    let isNew = isNewReading || answer == nil
    let offset = isNew ? 0 : answer?.page.offset ?? 0
    let wanted = showsMisses ? ~(predicate ?? .constant(true)) : predicate
    guard let page = try ask(.rows, { try $0.page(wanted, offset: offset, count: $1) }, pageSize) else { return }
    isNewReading = false
    if isNew {
      answer = Answer(text: readText, predicate: predicate, page: page.value, seconds: page.seconds)
      if page.value.isLast, offset == 0, !showsMisses {
        answer?.counts.yes = page.value.rows.count
        questions.remove(.matches)
      }
    } else {
      answer?.page = page.value
    }
    if let row = chosenRow { chosenRow = min(row, max(page.value.rows.count - 1, 0)) }
  }

  private func askMatches(_ predicate: Predicate?) throws {
    guard let count = try ask(.matches, { inquiry, _ in try inquiry.count(predicate) }, 0) else { return }
    answer?.counts.yes = count.value
    answer?.seconds += count.seconds
  }

  private func askMisses(_ predicate: Predicate?) throws {
    let answer = try ask(
      .misses,
      { inquiry, _ in
        guard let predicate else { return (total: try inquiry.total(), no: nil as Int?) }
        return (total: try inquiry.total(), no: try inquiry.count(~predicate))
      }, 0)
    guard let answer else { return }
    self.answer?.counts.total = answer.value.total
    self.answer?.counts.no = answer.value.no
    self.answer?.seconds += answer.seconds
  }

  /// Asks one question and takes it off the list, unless a key came first.
  private func ask<Value>(
    _ question: Questions, _ body: (PredicateInquiry, Int) throws -> Value, _ argument: Int
  ) throws -> (value: Value, seconds: Double)? {
    let start = monotonicSeconds()
    switch try inquiry.attempt({ try body(inquiry, argument) }) {
    case .done(let value):
      questions.remove(question)
      return (value, monotonicSeconds() - start)
    case .stopped: return nil
    case .interrupted:
      questions = []
      remark = ("stopped", .warning)
    case .failed(let message):
      questions = []
      remark = (message, .error)
    }
    return nil
  }

  // MARK: The lower part

  /// Shows another pane.
  func open(_ new: PredicatePane) {
    if pane != new || new == .swift { (scroll, paneText, paneLines) = (0, nil, nil) }
    pane = new
    isInPane = new != .rows
    if new.isOfRows, new != .rows, chosenRow == nil { chosenRow = 0 }
    askForPane()
  }

  /// Requests the pane's contents again.
  func askForPane() {
    if pane.asks { questions.insert(.pane) }
  }

  private func askPane(_ predicate: Predicate?) throws {
    let (pane, form, plotted) = (pane, PredicatePane.swiftForms[swiftForm], plottedAttribute)
    let object = chosenRow.flatMap { row in
      answer.flatMap { row < $0.page.objects.count ? inquiry.context.object($0.page.objects[row]) : nil }
    }
    let found = try ask(
      .pane,
      { inquiry, height in
        let inspection = inquiry.inspection
        switch pane {
        case .rows, .help: return PaneAnswer()
        case .explain: return PaneAnswer(text: try inspection.explanation(inquiry.request(predicate)))
        case .counts: return PaneAnswer(text: try inspection.clauseCounts(predicate))
        case .swift: return PaneAnswer(text: try inspection.swift(inquiry.request(predicate), form: form))
        case .check: return PaneAnswer(text: try inspection.refusals(predicate))
        case .why:
          return PaneAnswer(text: try object.map { try inspection.reasons(predicate, $0) } ?? "no row to ask about")
        case .object: return PaneAnswer(text: object == nil ? "no row to show" : nil, lines: object.map(cardLines))
        case .plot:
          let attributes = inquiry.plottableAttributes
          guard attributes.indices.contains(plotted) else { return PaneAnswer(text: "nothing to plot") }
          let plot = try inquiry.plot(attributes[plotted], predicate, atMost: height)
          return plot.bars.isEmpty
            ? PaneAnswer(text: "nothing to plot") : PaneAnswer(lines: plot.lines(width: size.columns, style, charset))
        }
      }, min(pageSize + 1, 40))
    if let found {
      paneText = found.value.text
      paneLines = found.value.lines
    } else if questions.isEmpty, let remark {
      // It failed, and will not be asked again by itself.
      paneText = remark.text
      paneLines = nil
    }
  }
}

/// The contents of a pane: a text, or lines that are laid out.
private struct PaneAnswer {
  var text: String?
  var lines: [ScreenLine]?
}

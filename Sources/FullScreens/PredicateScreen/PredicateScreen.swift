internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Presentation
package import Queries
internal import Session

/// A full screen for a predicate: it is typed on top, and what fulfils it is shown below as one types.
///
/// The store is asked a while after the last key, one question after the other; a question ends as soon as a key waits, and is
/// asked again when the key has been dealt with. What timers and other programs commit is asked for, too.
package final class PredicateScreen: TableScreen {
  /// How the user leaves the screen.
  package enum Ending {
    case left
    /// With a text that is kept.
    case typed(String)
    /// With what the text asks for; of no text, all objects.
    case taken(Predicate?, text: String?)
  }

  /// The open questions, in the order in which they are asked.
  struct Questions: OptionSet {
    let rawValue: Int
    static let meaning = Questions(rawValue: 1)
    static let rows = Questions(rawValue: 2)
    static let pane = Questions(rawValue: 4)
    static let matches = Questions(rawValue: 8)
    static let misses = Questions(rawValue: 16)
  }

  /// The answers of the store.
  struct Answer {
    /// The text that it is an answer to.
    var text: String
    var predicate: Predicate?
    var page: ObjectPage
    var counts = MatchCounts()
    var seconds = 0.0
  }

  /// The seconds from the last key to the first question.
  static let delay = 0.15
  let inquiry: PredicateInquiry
  var earlier: EarlierPredicates
  var editor: PredicateEditor
  var menu: CompletionMenu?
  /// Whether the user left with what the text asks for.
  var isTaken = false

  var questions: Questions = .meaning
  /// Whether the store is being asked; while the user is typing, no count runs yet.
  var isCounting: Bool { !questions.isEmpty && !questions.contains(.meaning) }
  private var askingTime = 0.0
  /// The latest parsed text and its meaning.
  var reading = PredicateReading.everything
  var readText = ""
  /// Whether the rows start again from the first one.
  var isNewReading = true
  var answer: Answer?
  var pane = PredicatePane.rows
  /// Whether the arrows act on the lower part.
  var isInPane = false
  var paneLines: [ScreenLine]?
  var paneText: String?
  var scroll = 0
  var chosenRow: Int?
  /// Whether the rows are those that do not fulfil the predicate.
  var showsMisses = false
  var swiftForm = 0
  var plottedAttribute = 0

  private var freshness: RowsFreshness
  private var checkedTurns = 0
  /// Whether some of the open questions were asked already.
  private var isAsking = false

  package init(
    _ inquiry: PredicateInquiry, _ terminal: any ScreenTerminal, text: String, earlier: EarlierPredicates
  ) {
    self.inquiry = inquiry
    self.earlier = earlier
    editor = PredicateEditor(text)
    plottedAttribute = inquiry.firstPlotted
    freshness = RowsFreshness(inquiry.context)
    super.init(inquiry.session, inquiry.context, terminal)
    inquiry.shouldStop = { [terminal] in terminal.isPending }
  }

  /// Shows the screen until the user leaves; commits of other programs are followed meanwhile.
  ///
  /// - Throws: the error of a script that ends the program.
  package func inquire() throws -> Ending {
    let token = engine.stores.followCommits(to: inquiry.context, name: "predicate")
    defer { token?.cancel() }
    try run()
    guard isTaken else { return editor.isEmpty ? .left : .typed(editor.text) }
    return switch reading {
    case .predicate(let predicate), .needsValues(let predicate, _): .taken(predicate, text: editor.text)
    case .everything, .mistakes: .taken(nil, text: nil)
    }
  }

  /// Schedules an evaluation of the text after a short delay, because the user is typing.
  func textChanged() {
    remark = nil
    questions = .meaning
    askingTime = monotonicSeconds() + Self.delay
  }

  /// Asks again for what is shown.
  func askAgain() {
    guard answer != nil, !questions.contains(.meaning) else { return }
    questions.formUnion(pane.asks ? [.rows, .pane] : .rows)
  }

  // MARK: As a full screen

  override func prepareDrawing() {
    if turns != checkedTurns {
      freshness.check(context)
      checkedTurns = turns
    }
    // An answer may have come.
    isUrgent = true
  }

  override func drawFrame() { show(frame) }

  override func obey(_ key: Key) { obeyOnScreen(key) }

  override var columns: [TabularColumn] { shownColumns.compactMap { answer?.page.columns.columns[$0] } }

  override func isAscending(at place: Int) -> Bool? {
    answer?.page.columns.isAscending(at: shownColumns[place], in: inquiry.sortDescriptors)
  }

  override func sort() { sortByColumn() }

  override var dueTime: Double? { questions.isEmpty ? freshness.dueTime : askingTime }

  override func attend(at now: Double) throws {
    if questions.isEmpty {
      isAsking = false
      guard freshness.isDue(at: now) else { return }
      // What is shown may be others by now.
      askAgain()
      if answer != nil { questions.formUnion([.matches, .misses]) }
      if questions.isEmpty { freshness.postpone() }
    }
    guard !isEnding, !questions.isEmpty, now >= askingTime else { return }
    if !isAsking { freshness.begin(context) }
    isAsking = true
    try ask()
    if questions.isEmpty { freshness.end() }
  }

  override func sizeChanged() { askAgain() }

  /// Ctrl-C: closes the list, stops counting, empties the line, or leaves.
  override func interrupt() {
    if menu != nil {
      menu = nil
    } else if isCounting {
      // Between two questions no query runs, and what is shown says that one does.
      questions = []
      remark = ("stopped", .warning)
    } else if !editor.isEmpty {
      editor.replaceAll(with: "")
      isInPane = false
      textChanged()
    } else {
      isEnding = true
    }
  }
}

internal import Glibc
internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Terminal

/// A full screen for a predicate: it is typed on top, and what fulfils it is shown below as one types.
///
/// One loop waits for keys, signals and what is due. The store is asked a while after the last key, one question after the
/// other; a question ends as soon as a key waits, and is asked again when the key has been dealt with.
final class PredicateScreen {
  /// How the user left.
  enum Ending {
    /// With what the text asks for.
    case request
    /// Without it: by Ctrl-C, or because the text has a mistake.
    case abandoned
    /// Because of a signal that ends the program, or a terminal that is gone.
    case terminated(TerminalSignals.Kind)
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
  /// The seconds after which Esc is the key and not the beginning of another.
  private static let escapeDelay = 0.05

  let inquiry: PredicateInquiry
  let terminal: FullScreenTerminal
  let style: Style
  let charset: Charset
  var earlier: EarlierPredicates
  var editor: PredicateEditor
  var menu: CompletionMenu?
  var ending: Ending?

  var questions: Questions = .meaning
  /// Whether the store is being asked; while the user is typing, no count runs yet.
  var isCounting: Bool { !questions.isEmpty && !questions.contains(.meaning) }
  private var dueTime = 0.0
  /// The latest parsed text and its meaning.
  var reading = PredicateReading.everything
  var readText = ""
  /// Whether the rows start again from the first one.
  var isNewReading = true
  var answer: Answer?
  /// A remark in the place of the counts, until the next key.
  var remark: (text: String, role: Style.Role)?

  var pane = PredicatePane.rows
  /// Whether the arrows act on the lower part.
  var isInPane = false
  var paneLines: [ScreenLine]?
  var paneText: String?
  var scroll = 0
  var selectedRow: Int?
  /// Whether the rows are those that do not fulfil the predicate.
  var showsMisses = false
  var swiftForm = 0
  var plottedAttribute = 0

  var size = TerminalSize(columns: 80, rows: 24)
  var keys = KeyDecoder()
  private var keysReadTime = 0.0
  var wasResized = false

  init(
    _ inquiry: PredicateInquiry, _ terminal: FullScreenTerminal, text: String, earlier: EarlierPredicates
  ) {
    self.inquiry = inquiry
    self.terminal = terminal
    self.earlier = earlier
    style = inquiry.session.surroundings.outputStyle
    charset = inquiry.session.surroundings.charset
    editor = PredicateEditor(text)
    plottedAttribute = inquiry.firstPlotted
    inquiry.shouldStop = { [terminal] in terminal.hasInput || TerminalSignals.isPending }
  }

  /// Shows the screen until the user leaves, and then restores the terminal.
  ///
  /// - Throws: the error of a script that ends the program.
  func run() throws -> Ending {
    guard terminal.enter() else { return .abandoned }
    TerminalSignals.install([.resize, .suspend, .terminate, .hangup])
    let session = inquiry.session
    let wasOnFullScreen = session.surroundings.isOnFullScreen
    session.surroundings.isOnFullScreen = true
    defer {
      session.surroundings.isOnFullScreen = wasOnFullScreen
      terminal.leave()
      UnreadInput.giveBack(keys.takeRest())
      TerminalSignals.uninstall([.suspend, .terminate, .hangup])
      // The prompt needs the signal, too.
      if wasResized { raise(SIGWINCH) }
    }
    // What happened before was not meant for the screen.
    _ = TerminalSignals.take(.interrupt)
    measure()
    while true {
      try step()
      if let ending { return ending }
      draw()
      if terminal.hasFailed { return .terminated(.hangup) }
    }
  }

  /// Schedules an evaluation of the text after a short delay, because the user is typing.
  func textChanged() {
    remark = nil
    questions = .meaning
    dueTime = monotonicSeconds() + Self.delay
  }

  // MARK: The loop

  /// Attends to one thing: keys, a signal, or a question.
  private func step() throws {
    if terminal.hasInput { return readKeys() }
    let engine = inquiry.engine
    let sources = EventSources(
      secondsToNextTimer: { [self] in secondsToNextTimer },
      isInterrupted: { engine.lua.isInterrupted })
    switch EventLoop(sources: sources).next(input: terminal.input, acceptsTurns: true) {
    case .input: readKeys()
    case .signal: try attendToSignals()
    case .turn:
      if keys.isWaiting, monotonicSeconds() >= keysReadTime + Self.escapeDelay { handleKeys(isComplete: true) }
      if ending == nil, !questions.isEmpty, monotonicSeconds() >= dueTime { try ask() }
    }
  }

  private var secondsToNextTimer: Double? {
    let now = monotonicSeconds()
    let work = questions.isEmpty ? nil : dueTime - now
    let escape = keys.isWaiting ? keysReadTime + Self.escapeDelay - now : nil
    guard let soonest = [work, escape].compactMap(\.self).min() else { return nil }
    return max(soonest, 0)
  }

  private func readKeys() {
    guard let bytes = terminal.read() else {
      ending = .terminated(.hangup)
      return
    }
    keys.feed(bytes)
    keysReadTime = monotonicSeconds()
    handleKeys(isComplete: false)
  }

  private func handleKeys(isComplete: Bool) {
    while ending == nil, let key = keys.next(isComplete: isComplete) { handle(key) }
  }
}

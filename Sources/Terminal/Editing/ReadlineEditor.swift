@preconcurrency import CReadline
import Glibc
import Modeling
package import Presentation

/// Line editing by GNU readline, a key at a time, so that the loop attends to other things between two keys.
///
/// A block that is not complete goes on behind a continuation prompt; a block from the history comes back as one text with
/// its newlines, in which the arrows move. readline is a set of global variables, so there is one editor in a process.
package final class ReadlineEditor: LineEditor {
  package let isInteractive = true
  package let history: History
  let sources: EventSources
  package let environment: [String: String]
  package let style: Style
  package let charset: Charset
  /// Whether the printed text ends with a newline, so that the prompt can come back there.
  private let isAtLineStart: () -> Bool

  /// The editor whose functions readline calls.
  package nonisolated(unsafe) private(set) static var current: ReadlineEditor?

  /// The block that is being read; nil between two calls of `readBlock`.
  package var request: BlockRequest?
  /// The lines of the block that were sent already.
  package var lines: [String] = []
  private var outcome: EditorInput?
  /// Whether the block has not ended yet.
  var isReading: Bool { request != nil && outcome == nil }
  /// The bytes that readline is to get next, before what the terminal sends.
  nonisolated(unsafe) static var heldBytes: [Int32] = []
  private var isHidden = false
  /// Whether blocks are drawn by us, with all their lines; else readline shows one line.
  let drawsBlocks: Bool
  /// The part of the block that is on the screen.
  var display = BlockDisplay()
  /// The lines of the block as they are laid out.
  var laidOutLines = LaidOutLines()
  /// The prompts of the block's lines.
  var continuationPrompts: [String] = []
  /// The hint that stands behind the cursor.
  var shownHint: BlockHint?
  /// The block that it was shown for.
  var hintedBlock: [UInt8] = []
  /// The search through the history that is under way.
  var search: RunningSearch?
  /// The words of the last search, for the next one.
  var lastSearch: [UInt8] = []
  /// The text by which entries were recalled, and the entry that was shown for it.
  var recall: (text: [UInt8], shown: [UInt8])?
  /// Whether printed text comes from a turn, and not from readline itself.
  private var isInTurn = false
  /// The bytes that end bracketed paste if the process ends within a prompt.
  private static let leaving: StaticString = "\u{1B}[0m\u{1B}[?2004l"
  /// The prompt of the line that is typed.
  private(set) var prompt = ""

  package init(
    history: History, sources: EventSources, environment: [String: String], style: Style,
    isPlain: Bool = false, isAtLineStart: @escaping () -> Bool
  ) {
    precondition(ReadlineEditor.current == nil, "readline can serve one editor only")
    self.history = history
    self.sources = sources
    self.environment = environment
    self.style = style
    self.isAtLineStart = isAtLineStart
    charset = Charset.detect(environment)
    drawsBlocks = !isPlain && environment["TERM"] != "dumb"
    ReadlineEditor.current = self
    TerminalSignals.install([.resize])
    configure()
    takeKeys()
    if drawsBlocks { rl_redisplay_function = { ReadlineEditor.current?.draw() } }
  }

  package func readBlock(_ request: BlockRequest) -> EditorInput {
    self.request = request
    lines = []
    outcome = nil
    isHidden = false
    TerminalSignals.install([.suspend, .terminate, .hangup])
    // A Ctrl-C before the prompt was not meant for it.
    _ = sources.takeInterrupt()
    _ = history.follow()
    // Anew each time: entries that were changed and not sent are as they were again.
    rl_clear_history()
    for entry in history.entries { add_history(entry.text) }
    using_history()
    if !isAtLineStart() { fputs("\n", rl_outstream) }
    continuationPrompts = []
    beginDrawing()
    // Else every return to the cooked terminal would print a newline, once Ctrl-D was answered with "cancel".
    rl_eof_found = 0
    prompt = request.prompt
    SavedTerminal.screen(Self.leaving)
    rl_callback_handler_install(PromptText.marked(prompt, charset)) { ReadlineEditor.current?.receive($0) }
    let loop = EventLoop(sources: sources)
    while outcome == nil { attend(to: loop.next(input: 0, acceptsTurns: !isBusy)) }
    TerminalSignals.uninstall([.suspend, .terminate, .hangup])
    SavedTerminal.screen(nil)
    self.request = nil
    return outcome ?? .end
  }

  package func hidePrompt() {
    guard request != nil, outcome == nil, isInTurn, !isHidden else { return }
    isHidden = true
    if drawsBlocks { fputs(display.erase(), rl_outstream) } else { rl_clear_visible_line() }
    fflush(rl_outstream)
  }

  package func remember(_ block: String) {
    history.record(block, time: Int(Timestamp.now.seconds))
  }

  // MARK: Setting up

  private func configure() {
    // The classes of characters only: Lua reads and writes numbers by the C locale.
    setlocale(LC_CTYPE, "")
    if charset == .utf8, mblen("é", 4) != 2 { setlocale(LC_CTYPE, "C.UTF-8") }
    rl_readline_name = UnsafePointer(strdup("perilune"))
    // Signals are ours, and $COLUMNS is the user's.
    rl_catch_signals = 0
    rl_catch_sigwinch = 0
    rl_change_environment = 0
    // A stream of its own: C's may be watched. Results that go to a file are not mixed with prompts.
    rl_outstream = fdopen(dup(isatty(1) == 0 && isatty(2) == 1 ? 2 : 1), "w")
    watchKeys()
    rl_initialize()
    widen()
  }

  /// Binds our keys to their functions, over the user's inputrc: each time that readline reads it.
  private func takeKeys() {
    rl_variable_bind("revert-all-at-newline", "on")
    rl_variable_bind("enable-bracketed-paste", environment["TERM"] == "dumb" ? "off" : "on")
    unbindCharacterSearch()
    bindKeys()
    bindLineEnds()
    takeSearchKeys()
    takeRecallKeys()
    takeEntryKeys()
    takeViKeys()
    if drawsBlocks { takeBlockKeys() }
    bind(rl_re_read_init_file) { count, key in
      defer { ReadlineEditor.current?.takeKeys() }
      return rl_re_read_init_file(count, key)
    }
  }

  private func bindKeys() {
    bind(keys: ["\\C-i"]) { _, _ in ReadlineEditor.current?.complete() ?? 0 }
    bind(keys: ["\\e\\C-m", "\\e\\C-j"]) { _, _ in rl_insert_text("\n") * 0 }
    bind(keys: ["\\C-x\\C-e"]) { _, _ in ReadlineEditor.current?.editOutside() ?? 0 }
    bind(keys: ["\\e[A", "\\eOA"]) { ReadlineEditor.goUp($0, $1) }
    bind(keys: ["\\e[B", "\\eOB"]) { ReadlineEditor.goDown($0, $1) }
  }

  static func goUp(_ count: Int32, _ key: Int32) -> Int32 {
    current?.move(BlockNavigation.above) ?? older(count, key)
  }

  static func goDown(_ count: Int32, _ key: Int32) -> Int32 {
    current?.move(BlockNavigation.below) ?? newer(count, key)
  }

  private func bindLineEnds() {
    bind(keys: ["\\C-a", "\\e[H", "\\eOH", "\\e[1~"]) { _, _ in
      ReadlineEditor.current?.move(BlockNavigation.lineStart) ?? 0
    }
    bind(keys: ["\\C-e", "\\e[F", "\\eOF", "\\e[4~"]) { _, _ in
      ReadlineEditor.current?.takeHint(\.text.utf8.count) ?? ReadlineEditor.current?.move(BlockNavigation.lineEnd)
        ?? 0
    }
  }

  // MARK: Events

  /// Whether readline is in the middle of something that would be lost if the prompt were taken away.
  private var isBusy: Bool {
    if search != nil { return true }
    let states = RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_COMPLETING | RL_STATE_NUMERICARG
    return perilune_readline_is_state(UInt(states)) != 0
  }

  private func attend(to event: EventLoop.Event) {
    switch event {
    case .input: readKeys()
    case .turn(let ready):
      isInTurn = true
      sources.runTurn(ready)
      refreshPrompt()
      isInTurn = false
      showPrompt()
    case .signal: attendToSignals()
    }
  }

  private func attendToSignals() {
    if sources.takeInterrupt() {
      _ = TerminalSignals.take(.interrupt)
      // As the terminal drops unread keys before Ctrl-C.
      _ = UnreadInput.takeAll()
      if let byte = Self.typed.takeBehindInterrupt() { UnreadInput.giveBack([byte]) }
      dropBlock()
      return
    }
    if TerminalSignals.take(.resize) { resize() }
    if TerminalSignals.take(.suspend) {
      redrawToStay()
      rl_deprep_terminal()
      TerminalSignals.perform(.suspend)
      // Here the program goes on after `fg`.
      TerminalSignals.install([.suspend])
      rl_prep_terminal(1)
      beginDrawing()
      redraw()
    }
    for kind in [TerminalSignals.Kind.terminate, .hangup] where TerminalSignals.take(kind) {
      redrawToStay()
      rl_callback_handler_remove()
      TerminalSignals.perform(kind)
    }
  }

  /// Updates the prompt after a turn, because the number of unsaved changes may differ.
  private func refreshPrompt() {
    guard let request, let laterPrompt = request.laterPrompt else { return }
    let isFirst = lines.isEmpty
    let new = isFirst ? laterPrompt() : request.continuationPrompt(lines.joined(separator: "\n").lineCount + 1)
    guard new != prompt else { return }
    hidePrompt()
    prompt = new
    rl_set_prompt(PromptText.marked(new, charset))
  }

  private func showPrompt() {
    guard isHidden else { return }
    isHidden = false
    if !isAtLineStart() { fputs("\n", rl_outstream) }
    beginDrawing()
    redraw()
  }

  /// Ctrl-C: leaves the typed text on the screen and forgets it.
  private func dropBlock() {
    endSearch()
    if isBusy { rl_callback_sigcleanup() }
    rl_point = rl_end
    redrawToStay()
    display.forget()
    // What follows draws the line once more as long as it is read.
    outcome = .interrupted
    fputs("^C\n", rl_outstream)
    fflush(rl_outstream)
    rl_free_line_state()
    rl_callback_sigcleanup()
    finish(.interrupted)
  }

  func finish(_ outcome: EditorInput) {
    self.outcome = outcome
    // Within readline's own call, or it would draw the prompt once more.
    rl_callback_handler_remove()
  }

  /// Takes a line that was sent, or nil for Ctrl-D.
  private func receive(_ bytes: UnsafeMutablePointer<CChar>?) {
    guard let bytes else {
      // readline ends the line itself where it undoes bracketed paste.
      if String(cString: rl_variable_value("enable-bracketed-paste")) != "on" { fputs("\n", rl_outstream) }
      fflush(rl_outstream)
      finish(.end)
      return
    }
    lines.append(String(cString: bytes))
    free(bytes)
    guard let request else { return }
    var block = lines.joined(separator: "\n")
    if drawsBlocks {
      leaveBlock()
    } else if request.completeness(block) == .incomplete {
      prompt = request.continuationPrompt(block.lineCount + 1)
      rl_set_prompt(PromptText.marked(prompt, charset))
      using_history()
      return
    }
    // Newlines at the end come with pasted text.
    while block.last == "\n" { block.removeLast() }
    finish(.block(block, firstLine: 1))
  }

  // MARK: Keys

  /// The line that is being edited.
  var buffer: [UInt8] {
    UnsafeRawBufferPointer(start: rl_line_buffer, count: Int(rl_end)).map { $0 }
  }

  /// The place of the cursor in the buffer. readline 8.2 leaves it behind the end after some edits of bytes that are no text.
  static var point: Int {
    rl_point = min(max(rl_point, 0), rl_end)
    return Int(rl_point)
  }

  /// Moves within the block; nil if the move leads out of it.
  func move(_ destination: (Int, [UInt8]) -> Int?) -> Int32? {
    guard let place = destination(Self.point, buffer) else { return nil }
    rl_point = Int32(place)
    return 0
  }
}

extension String {
  fileprivate var lineCount: Int { utf8.count { $0 == UInt8(ascii: "\n") } + 1 }
}

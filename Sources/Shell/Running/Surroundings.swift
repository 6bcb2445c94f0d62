@preconcurrency internal import Glibc

/// What a run finds around it: the environment, and where its input comes from and its output goes to.
///
/// Results go to `output`, everything else to `messages`. What scripts print goes through C's `stdout`; `output` lets that
/// go first, so that both come in the order in which they were written.
final class Surroundings {
  private(set) lazy var environment = Self.readEnvironment()
  let output = OutputSink(descriptor: 1)
  let messages = OutputSink(descriptor: 2, capacity: 1 << 12)
  let charset: Charset
  let outputStyle: Style
  let messageStyle: Style
  let inputIsTerminal = isatty(0) == 1
  let outputIsTerminal: Bool
  private lazy var messagesAreTerminal = messages.isTerminal
  /// Called before anything reaches the terminal, so that a line that is being typed can be taken away.
  var willPrint: (() -> Void)?
  /// Asks whoever printed last whether that ended with a newline.
  private var lastWasAtLineStart: () -> Bool = { true }
  /// What went wrong with what scripts print, which Lua itself does not notice.
  private var printFailure: OutputFailure?

  init(color: ColorWhen) {
    outputIsTerminal = output.isTerminal
    // A few variables here; all of them only where they are needed, as there may be many.
    let variables = Self.variables(["LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR", "TERM"])
    charset = .detect(variables)
    outputStyle = .detect(when: color, isTerminal: outputIsTerminal, environment: variables)
    messageStyle = .detect(when: color, isTerminal: messages.isTerminal, environment: variables)
    output.willWrite = { fflush(stdout) }
  }

  /// Has `willPrint` called from now on, whoever prints. To be called before Lua is there.
  ///
  /// What scripts print is passed on as it is, or with pictures for control characters (`picturesControls`).
  func watchTerminal(picturesControls: Bool = false) {
    for stream in [WatchedStream.standardOutput(), .standardError()].compactMap(\.self) {
      if picturesControls { stream.picturing = charset }
      stream.willWrite = { [weak self, unowned stream] in self?.noteWrite { stream.isAtLineStart } }
    }
    if output.isTerminal {
      output.willWrite = { [weak self, unowned output] in
        fflush(stdout)
        self?.noteWrite { output.isAtLineStart }
      }
    }
    if messages.isTerminal {
      messages.willWrite = { [weak self, unowned messages] in self?.noteWrite { messages.isAtLineStart } }
    }
  }

  private func noteWrite(isAtLineStart: @escaping () -> Bool) {
    willPrint?()
    lastWasAtLineStart = isAtLineStart
  }

  /// The size of the window that results are shown in; nil if that is no terminal.
  var window: TerminalSize? { outputIsTerminal ? TerminalSize.current(1, environment: environment) : nil }

  /// Whether a person sits in front of both ends.
  var isInteractive: Bool { inputIsTerminal && (outputIsTerminal || messages.isTerminal) }

  /// Writes text to standard error, after what belongs before it.
  func say(_ text: String) {
    flushOutput()
    messages.write(messagesAreTerminal ? DisplayText.picturingAllButColours(in: text, charset) : text)
    messages.flush()
  }

  /// Writes text of the shell's own to standard output: whatever names it holds, a terminal does not obey them.
  func show(_ text: String) {
    output.write(outputIsTerminal ? DisplayText.picturingAllButColours(in: text, charset) : text)
    output.flush()
  }

  /// Hands over everything that was printed and shown.
  func flushOutput() {
    output.flush()
    if fflush(stdout) != 0, printFailure == nil { printFailure = .system(errno: errno) }
    // Lua's print flushes by itself and forgets what came of it.
    if ferror(stdout) != 0, printFailure == nil { printFailure = .system(errno: EIO) }
  }

  /// Whether everything that was printed ends with a newline; on a terminal that is watched.
  var isAtLineStart: Bool {
    flushOutput()
    return lastWasAtLineStart()
  }

  /// Why what was printed or shown did not arrive.
  var outputFailure: OutputFailure? { output.failure ?? printFailure }

  /// The values of a few variables.
  static func variables(_ names: [String]) -> [String: String] {
    var found: [String: String] = [:]
    for name in names { found[name] = getenv(name).map { String(cString: $0) } }
    return found
  }

  private static func readEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      next += 1
    }
    return variables
  }
}

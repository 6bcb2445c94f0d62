@preconcurrency internal import Glibc
internal import Presentation
internal import Terminal

/// The surroundings of a run: the environment, and its input and output.
///
/// Results go to `output`, everything else to `messages`. Scripts print through C's `stdout`; `output` flushes that
/// first, so that both appear in the order in which they were written.
package final class Surroundings {
  private(set) lazy var environment = Self.readEnvironment()
  let output = OutputSink(descriptor: 1)
  let messages = OutputSink(descriptor: 2, capacity: 1 << 12)
  let charset: Charset
  /// The style of results, wherever they go now.
  var outputStyle: Style { isRedirected ? redirectedStyle : terminalStyle }
  private let terminalStyle: Style
  private let redirectedStyle: Style
  let messageStyle: Style
  let inputIsTerminal = isatty(0) == 1
  /// Whether results go to a terminal now.
  var outputIsTerminal: Bool { isTerminal && !isRedirected }
  private let isTerminal: Bool
  /// Whether output goes to a file or a program now, although standard output is a terminal.
  var isRedirected = false
  private let messagesAreTerminal: Bool
  /// Called before anything is written to the terminal, so that the input line can be erased.
  var willPrint: (() -> Void)?
  /// Returns whether the latest output ended with a newline.
  private var lastWasAtLineStart: () -> Bool = { true }
  /// The failure of output that scripts printed, which Lua itself does not notice.
  private var printFailure: OutputFailure?

  init(color: ColorWhen) {
    isTerminal = isatty(1) == 1
    messagesAreTerminal = isatty(2) == 1
    // Only a few variables are read here; a complete copy is made where it is needed.
    let variables = Self.variables(["LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR", "TERM"])
    charset = .detect(variables)
    terminalStyle = .detect(when: color, isTerminal: isTerminal, environment: variables)
    redirectedStyle = .detect(when: color, isTerminal: false, environment: variables)
    messageStyle = .detect(when: color, isTerminal: messagesAreTerminal, environment: variables)
    output.willWrite = { fflush(stdout) }
  }

  /// Calls `willPrint` before every output from now on. Call this before Lua is created.
  ///
  /// With `picturesControls`, control characters in the output of scripts are replaced by visible pictures. C's streams stay as they
  /// are where they are those of another program.
  func watchTerminal(picturesControls: Bool = false, ofProgram: Bool = false) {
    if !ofProgram { watchStreams(picturesControls: picturesControls) }
    if isTerminal {
      output.willWrite = { [weak self, unowned output] in
        fflush(stdout)
        self?.noteWrite { output.isAtLineStart }
      }
    }
    if messagesAreTerminal {
      messages.willWrite = { [weak self, unowned messages] in self?.noteWrite { messages.isAtLineStart } }
    }
  }

  private func watchStreams(picturesControls: Bool) {
    for stream in [WatchedStream.standardOutput(), .standardError()].compactMap(\.self) {
      if picturesControls { stream.picturing = charset }
      stream.willWrite = { [weak self, unowned stream] in self?.noteWrite { stream.isAtLineStart } }
    }
  }

  /// How progress is drawn: on standard error where that is a terminal, one line at a time, and none on a full screen.
  var progressOptions: Progress.Options {
    var options = Progress.Options.standardError(environment)
    options.mayDraw = { [unowned self] progress in
      if isOnFullScreen { return false }
      if let drawnProgress, drawnProgress !== progress, drawnProgress.isDrawn {
        // An indicator that only shows that something runs gives way to one that shows more.
        guard drawnProgress.isWaiting else { return false }
        drawnProgress.finish()
      }
      drawnProgress = progress
      return true
    }
    return options
  }

  private weak var drawnProgress: Progress?
  /// Whether a full screen is shown, which a line of progress would spoil.
  var isOnFullScreen = false

  private func noteWrite(isAtLineStart: @escaping () -> Bool) {
    // Printed text does not go behind the line of a progress.
    drawnProgress?.finish()
    willPrint?()
    lastWasAtLineStart = isAtLineStart
  }

  /// The size of the terminal for results; nil if there is no terminal.
  var window: TerminalSize? {
    heldWindow ?? (outputIsTerminal ? TerminalSize.current(1, environment: environment) : nil)
  }

  /// The window's size while standard output goes to a file that the pager will show.
  var heldWindow: TerminalSize?

  /// Whether input and output are a terminal that supports full screens.
  var showsFullScreens: Bool {
    let kind = environment["TERM"] ?? ""
    return inputIsTerminal && outputIsTerminal && kind != "dumb" && kind != ""
  }

  /// Whether both input and output are a terminal.
  var isInteractive: Bool { inputIsTerminal && (isTerminal || messagesAreTerminal) }

  /// Writes text to standard error, after earlier output.
  func say(_ text: String) {
    flushOutput()
    let text = PasswordFilter.filtered(text)
    messages.write(messagesAreTerminal ? DisplayText.picturingAllButColours(in: text, charset) : text)
    messages.flush()
  }

  /// Writes the shell's own text to standard output; control characters in names have no effect on a terminal.
  func show(_ text: String) {
    output.write(outputIsTerminal ? DisplayText.picturingAllButColours(in: text, charset) : text)
    output.flush()
  }

  /// Flushes all output.
  func flushOutput() {
    output.flush()
    if fflush(stdout) != 0, printFailure == nil { printFailure = .system(errno: errno) }
    // Lua's print flushes by itself and ignores errors.
    if ferror(stdout) != 0, printFailure == nil { printFailure = .system(errno: EIO) }
  }

  /// Whether the output ends with a newline; known on a terminal only.
  var isAtLineStart: Bool {
    flushOutput()
    return lastWasAtLineStart()
  }

  /// The error of an output that failed.
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

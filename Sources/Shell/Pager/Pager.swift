internal import FullScreens
internal import Glibc
internal import LuaBindings
internal import Session
internal import Terminal

/// The program that shows text longer than the window.
enum Pager: Equatable {
  case off
  /// The pager of this program.
  case own
  /// A command of the system's shell, which reads the text.
  case program(String)

  /// `less` as it is run by default: colours as they are, lines not wrapped, and the text stays when one leaves.
  private static let less = "LESS=\"${LESS-RSX}\" exec less"

  /// The pager that the environment names, `less`, or the built-in one.
  init(_ environment: [String: String]) {
    self.init(
      word: environment["PERILUNE_PAGER"] ?? environment["PAGER"] ?? "on",
      folders: environment["PATH"] ?? "/usr/bin:/bin")
  }

  /// The pager of a word: `on` for `less` where there is one, `off`, `own`, or a command.
  init(word: String, folders: String) {
    switch word {
    case "", "off", "cat": self = .off
    case "own": self = .own
    case "on", "less":
      let isThere = folders.split(separator: ":").contains { access("\($0)/less", X_OK) == 0 }
      self = isThere ? .program(Self.less) : .own
    default: self = .program(word)
    }
  }

  /// Its name for `.pager`.
  var name: String {
    switch self {
    case .off: "off"
    case .own: "own"
    case .program(Self.less): "less"
    case .program(let command): command
    }
  }
}

extension EngineSession {
  /// `.pager [on | off | own | COMMAND]`
  var pagerCommand: Command {
    Command(
      name: "pager", arguments: "[on|off|own|COMMAND]",
      summary: "what shows help and whole results that are longer than the window",
      parameters: [.oneOf("on", "off", "own", "less")], takesText: true, mayBePiped: false,
      inSandbox: .refused(because: "scripts run no programs in it"),
      run: { [unowned self] (invocation) throws(CommandFailure) in
        guard !invocation.text.isEmpty else { return printText(".pager \(pager.name)\n") }
        chosenPager = Pager(word: invocation.text, folders: surroundings.environment["PATH"] ?? "/usr/bin:/bin")
      })
  }

  private var pager: Pager { chosenPager ?? Pager(surroundings.environment) }

  /// Runs `body`, whose output the pager shows if it is longer than the window.
  func paging<Result>(_ body: () -> Result) -> Result {
    guard isAtPrompt, showsFullScreens, outputTarget == nil, pager != .off, let window = surroundings.window
    else { return body() }
    surroundings.heldWindow = window
    defer { surroundings.heldWindow = nil }
    return collecting(body) { file in
      surroundings.heldWindow = nil
      guard let text = PagedText(file), !text.fits(window) else { return Self.copy(file, to: [1]) }
      switch pager {
      case .off: Self.copy(file, to: [1])
      case .program(let command):
        guard !Self.run(command, input: file) else { return }
        // The text is not lost with the pager.
        lseek(file, 0, SEEK_SET)
        Self.copy(file, to: [1])
      case .own: _ = guarding { try PagerScreen(session, text, ShellTerminal(surroundings)).run() }
      }
    }
  }
}

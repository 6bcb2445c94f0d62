package import Presentation

/// A line of the shell that begins with a point: `.mode json`.
///
/// To add one, make it in a file of its own and list it where the registry is made.
package struct Command {
  package var name: String
  /// The arguments as help shows them: `[NAME]`, `on|off`.
  var arguments: String
  /// One line, without a full stop.
  var summary: String
  /// The kinds of the arguments, for completion; the last one applies to all further arguments.
  var parameters: [Parameter] = []
  /// Words that may stand before any argument: `--force`.
  var flags: [String] = []
  /// Whether the command takes its text verbatim, quotes included; `arguments` is then empty.
  package var takesText = false
  /// Whether the pager shows what it prints, if that is longer than the window.
  var isPaged = false
  /// Whether `| COMMAND` behind it gives what it prints to a command of the system; else the sign is its own.
  package var mayBePiped = true
  /// Whether the command changes data or files. Such a command is never suggested.
  var changesThings = false
  /// Whether the sandbox allows the command. The default for a new command is undecided, which refuses it.
  var inSandbox = SandboxRule.undecided
  /// The action of the command; `perform` checks the sandbox first.
  var run: (Invocation) throws(CommandFailure) -> Void

  package init(
    name: String, arguments: String, summary: String, parameters: [Parameter] = [], flags: [String] = [],
    takesText: Bool = false, isPaged: Bool = false, mayBePiped: Bool = true, changesThings: Bool = false,
    inSandbox: SandboxRule = SandboxRule.undecided, run: @escaping (Invocation) throws(CommandFailure) -> Void
  ) {
    self.name = name
    self.arguments = arguments
    self.summary = summary
    self.parameters = parameters
    self.flags = flags
    self.takesText = takesText
    self.isPaged = isPaged
    self.mayBePiped = mayBePiped
    self.changesThings = changesThings
    self.inSandbox = inSandbox
    self.run = run
  }

  /// What an argument is.
  package enum Parameter {
    case words(() -> [Completions.Candidate])
    /// The name of a file.
    case file
    /// The name of a command.
    case command
    /// The rest of the line, whose completions are those of its text up to an offset behind the earlier arguments.
    case rest((_ text: String, _ cursor: Int, _ arguments: [String]) -> Completions)

    /// Words that are always the same.
    package static func oneOf(_ words: String...) -> Parameter { .words { words.map { Completions.Candidate($0) } } }
  }

  /// The arguments and surroundings of a command's call.
  package struct Invocation {
    package var command: Command
    package var arguments: [String]
    /// The text after the name, as it was typed.
    package var text: String
    package var context: ShellContext
    /// All commands, for help.
    var registry: CommandRegistry
  }

  /// The sandbox's rule for a command.
  package enum SandboxRule: Equatable {
    /// The command only uses the store, the session and standard output.
    case allowed
    case refused(because: String)
    case undecided
  }

  /// Runs it unless the sandbox refuses it.
  func perform(_ invocation: Invocation) throws(CommandFailure) {
    if invocation.context.isSandboxed, inSandbox != .allowed {
      let reason: String? = if case .refused(let reason) = inSandbox { reason } else { nil }
      throw .refusedBySandbox(name, reason: reason)
    }
    try run(invocation)
  }

  package var usage: String { "." + name + (arguments.isEmpty ? "" : " " + arguments) }
}

extension Command.Invocation {
  /// The text behind the first arguments, as it was typed.
  func text(behind count: Int) -> String {
    let words = CommandWords(text[...]).words.prefix(count)
    return String(text[(words.last?.range.upperBound ?? text.startIndex)...].drop(while: \.isWhitespace))
  }

  /// The only argument, or nil if there is none.
  package func optionalArgument() throws(CommandFailure) -> String? {
    guard arguments.count <= 1 else { throw .usage(command.usage) }
    return arguments.first
  }

  /// The only argument.
  package func requiredArgument() throws(CommandFailure) -> String {
    guard let argument = try optionalArgument() else { throw .usage(command.usage) }
    return argument
  }
}

/// A line of the shell that begins with a point: `.mode json`.
///
/// To add one, make it in a file of its own and list it where the registry is made.
struct Command {
  var name: String
  /// The arguments as help shows them: `[NAME]`, `on|off`.
  var arguments: String
  /// One line, without a full stop.
  var summary: String
  /// What can stand for the argument that is being typed.
  var candidates: () -> [Completions.Candidate] = { [] }
  /// Whether it takes its text as it is, quotes included: then there are no `arguments`.
  var takesText = false
  /// Whether the sandbox lets it run; nobody has decided on a new one, so that it does not.
  var inSandbox = SandboxRule.undecided
  /// What it does; `perform` asks the sandbox before.
  var run: (Invocation) throws(CommandFailure) -> Void

  /// What a command is given.
  struct Invocation {
    var command: Command
    var arguments: [String]
    /// Everything behind the name as it was typed.
    var text: String
    var context: ShellContext
    /// All commands, for help.
    var registry: CommandRegistry
  }

  /// What the sandbox says to a command.
  enum SandboxRule: Equatable {
    /// It reaches the store, the session and standard output alone.
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

  var usage: String { "." + name + (arguments.isEmpty ? "" : " " + arguments) }
}

/// What can be wrong with a command line.
enum CommandFailure: Error, Equatable {
  case unknownCommand(String, nearest: String?)
  case unterminatedQuote(String)
  /// Too few arguments or too many.
  case usage(String)
  /// An argument that must be one of those that are known.
  case missingArgument(String, known: [String])
  case invalidArgument(String, expected: [String], nearest: String?)
  /// A file that cannot be read.
  case unreadableFile(path: String, errno: Int32)
  /// The sandbox keeps scripts from the command of that name.
  case refusedBySandbox(String, reason: String?)
  /// What the command started ended with an error that was reported already, and with this status.
  case failed(status: Int32)
}

extension Command.Invocation {
  /// The only argument, or nil if there is none.
  func optionalArgument() throws(CommandFailure) -> String? {
    guard arguments.count <= 1 else { throw .usage(command.usage) }
    return arguments.first
  }

  /// The only argument.
  func requiredArgument() throws(CommandFailure) -> String {
    guard let argument = try optionalArgument() else { throw .usage(command.usage) }
    return argument
  }
}

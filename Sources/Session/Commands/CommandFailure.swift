import Glibc
internal import LuaBindings
package import Presentation

/// The ways in which a command line can fail.
package enum CommandFailure: Error, Equatable {
  case unknownCommand(String, nearest: String?)
  case unterminatedQuote(String)
  /// Too few arguments or too many.
  case usage(String)
  /// An argument that is not one of the permitted words.
  case missingArgument(String, known: [String])
  case invalidArgument(String, expected: [String], nearest: String?)
  /// A file that cannot be read.
  case unreadableFile(path: String, errno: Int32)
  /// The sandbox keeps scripts from the command of that name.
  case refusedBySandbox(String, reason: String?)
  /// The client has no terminal, which the command of that name needs.
  case needsTerminal(String)
  /// The code that the command ran failed with this status; its error was reported already.
  case failed(status: Int32)
}

extension CommandFailure {
  /// The failure in words, or nil if it was reported already.
  package var diagnostic: Diagnostic? {
    var diagnostic: Diagnostic
    switch self {
    case .unknownCommand(let name, let nearest):
      diagnostic = Diagnostic("there is no command .\(name)")
      if let way = CommandHabit.way(name) {
        diagnostic.notes = ["the same here: \(way)"]
      } else {
        diagnostic.suggestion = nearest.map { "." + $0 }
        diagnostic.notes = [".help lists the commands"]
      }
    case .unterminatedQuote:
      diagnostic = Diagnostic("a quote is not closed")
    case .usage(let usage):
      diagnostic = Diagnostic("usage: \(usage)")
    case .missingArgument(let what, let known):
      let list = known.isEmpty ? "none" : known.joined(separator: ", ")
      diagnostic = Diagnostic("\(what) is missing; there are \(list)")
    case .invalidArgument(let argument, let expected, let nearest):
      diagnostic = Diagnostic("'\(argument)' is none of \(expected.joined(separator: ", "))")
      diagnostic.suggestion = nearest
    case .unreadableFile(let path, let code):
      diagnostic = Diagnostic("cannot read '\(path)': \(String(cString: strerror(code)))")
    case .refusedBySandbox(let name, let reason):
      diagnostic = Diagnostic("the sandbox refuses .\(name)" + (reason.map { ": \($0)" } ?? ""))
    case .needsTerminal(let name):
      diagnostic = Diagnostic(".\(name) needs a terminal")
    case .failed:
      return nil
    }
    return diagnostic
  }

  /// The exit status it gives a script.
  package var status: Int32 {
    switch self {
    case .failed(let status): status
    case .unreadableFile: 74
    case .refusedBySandbox: RefusedInSandbox.exitStatus
    case .unknownCommand, .unterminatedQuote, .usage, .missingArgument, .invalidArgument, .needsTerminal: 1
    }
  }
}

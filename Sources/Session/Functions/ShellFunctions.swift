internal import LuaBindings
internal import LuaRuntime

/// The shell's Lua functions: showing values, and moving data between the store and files.
///
/// To add one, write it in a file of its own and list it in `install`. Each dot command is also a function of the table
/// `perilune`, so that lines tried at the prompt can go into a script: `perilune.mode "json"`.
struct ShellFunctions {
  private unowned let session: Session

  init(_ session: Session) { self.session = session }

  func install() {
    ShowFunction(session).install()
    ScreenFunctions(session).install()
    ExportFunction(session).install()
    ProgressFunction(session).install()
    ScreenFunctions(session).installPrompt()
    HelpFunctions(session).install()
    installCommands()
  }

  private func installCommands() {
    let stack = session.engine.lua.stack
    let session = session
    stack.pushTable(hash: 24)
    stack.push(PeriluneVersion.text)
    stack.rawSet(field: "version", at: -2)
    for command in session.commands where command.name != "quit" {
      stack.pushFunction { [unowned session] stack in
        let words = try (0..<stack.count).map { try stack.toDisplayString(at: $0 + 1) }
        try session.runCommand(command, words)
        return 0
      }
      stack.rawSet(field: command.name, at: -2)
    }
    stack.setGlobal("perilune")
  }
}

extension Session {
  /// Runs a dot command for a script; its failure is an error of Lua.
  fileprivate func runCommand(_ command: Command, _ words: [String]) throws {
    let registry = CommandRegistry(commands: commands)
    let invocation = Command.Invocation(
      command: command, arguments: words, text: words.joined(separator: " "), context: shellContext(),
      registry: registry)
    do {
      try command.perform(invocation)
    } catch {
      throw CommandError(name: "perilune.\(command.name)", failure: error)
    }
  }
}

/// A dot command that failed in a script.
private struct CommandError: ReportedError {
  var name: String
  var failure: CommandFailure

  var report: ErrorReport {
    let diagnostic = failure.diagnostic
    let hint = diagnostic?.suggestion.map { "; did you mean '\($0)'?" } ?? ""
    return ErrorReport("argument", "\(name): \(diagnostic?.message ?? "failed")\(hint)", exitStatus: failure.status)
  }
}

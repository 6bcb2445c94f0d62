internal import LuaBindings
internal import LuaRuntime

/// The shell's Lua functions: showing values, and moving data between the store and files.
///
/// To add one, write it in a file of its own and list it in `install`. Each dot command is also a function of the table
/// `perilune`, so that lines tried at the prompt can go into a script: `perilune.mode "json"`.
struct ShellFunctions {
  let parts: SessionParts
  let screens: Screens?

  func install() {
    let screens = ScreenFunctions(console: parts.console, screens: screens)
    ShowFunction(console: parts.console).install()
    screens.install()
    ExportFunction(console: parts.console, dryRuns: parts.dryRuns).install()
    ProgressFunction(console: parts.console).install()
    screens.installPrompt()
    HelpFunctions(help: parts.help).install()
  }

  /// Installs the table `perilune`; `run` runs the command of a name with its words.
  func install(_ commands: [Command], run: @escaping (String, [String]) throws(CommandFailure) -> Void) {
    let stack = parts.engine.lua.stack
    stack.pushTable(hash: 24)
    stack.push(PeriluneVersion.text)
    stack.rawSet(field: "version", at: -2)
    for name in commands.map(\.name) where name != "quit" {
      stack.pushFunction { stack in
        let words = try (0..<stack.count).map { try stack.toDisplayString(at: $0 + 1) }
        do throws(CommandFailure) { try run(name, words) } catch {
          throw CommandError(name: "perilune.\(name)", failure: error)
        }
        return 0
      }
      stack.rawSet(field: name, at: -2)
    }
    stack.setGlobal("perilune")
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

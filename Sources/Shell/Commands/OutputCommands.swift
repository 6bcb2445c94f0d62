internal import Glibc
internal import LuaBindings
internal import LuaRuntime
internal import Presentation
internal import Session

extension EngineSession {
  /// `.output [FILE]`
  var outputCommand: Command {
    Command(
      name: "output", arguments: "[FILE]", summary: "write what follows to a file; without one, to the terminal again",
      parameters: [.file],
      changesThings: true, inSandbox: .refused(because: "scripts have no files in it")
    ) {
      [unowned self] (invocation) throws(CommandFailure) in
      let path = try invocation.optionalArgument()
      try send(path == "stdout" || path == "-" ? nil : path) { OutputTarget(receiver: .file($0)) }
    }
  }

  /// `.once FILE` and `.once | COMMAND`
  var onceCommand: Command {
    Command(
      name: "once", arguments: "FILE or | COMMAND",
      summary: "write what the next block shows to a file, or give it to a command of the system",
      parameters: [.file],
      mayBePiped: false, changesThings: true, inSandbox: .refused(because: "scripts have no files in it")
    ) {
      [unowned self] (invocation) throws(CommandFailure) in
      if invocation.text.first == "|" {
        let command = String(invocation.text.dropFirst().drop { $0 == " " })
        guard !command.isEmpty else { throw .usage(invocation.command.usage) }
        outputTarget?.end()
        outputTarget = OutputTarget(receiver: .program(command), isOnce: true)
        return
      }
      try send(try invocation.requiredArgument()) { OutputTarget(receiver: .file($0), isOnce: true) }
    }
  }

  /// `.tee [FILE]`
  var teeCommand: Command {
    Command(
      name: "tee", arguments: "[FILE]", summary: "write what follows to a file, too; without one, no longer",
      parameters: [.file],
      changesThings: true, inSandbox: .refused(because: "scripts have no files in it")
    ) {
      [unowned self] (invocation) throws(CommandFailure) in
      try send(try invocation.optionalArgument()) { OutputTarget(receiver: .copy($0)) }
    }
  }

  /// Ends the present target of output, and begins one with the file of that name.
  private func send(_ path: String?, _ target: (Int32) -> OutputTarget) throws(CommandFailure) {
    surroundings.flushOutput()
    outputTarget?.end()
    outputTarget = nil
    guard let path else { return }
    try perform { outputTarget = target(try OutputTarget.file(path)) }
  }
}

internal import Glibc
internal import LuaBindings
internal import LuaRuntime
internal import Terminal

extension EngineSession {
  /// `.output [FILE]`
  var outputCommand: Command {
    Command(
      name: "output", arguments: "[FILE]", summary: "write what follows to a file; without one, to the terminal again",
      changesThings: true, inSandbox: .refused(because: "scripts have no files in it")
    ) {
      [unowned self] (invocation) throws(CommandFailure) in
      let path = try invocation.optionalArgument()
      surroundings.flushOutput()
      if let old = settings.outputFile { Glibc.close(old) }
      settings.outputFile = nil
      guard let path, path != "stdout", path != "-" else { return }
      let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        try perform { throw FileFailure(path: path, errno: errno, verb: "written") }
        return
      }
      settings.outputFile = descriptor
    }
  }

  /// Runs `body` with standard output in the file of `.output`, if there is one.
  func redirecting<Result>(_ body: () -> Result) -> Result {
    guard let file = settings.outputFile else { return body() }
    surroundings.flushOutput()
    let terminal = dup(1)
    guard terminal >= 0, dup2(file, 1) >= 0 else { return body() }
    defer {
      surroundings.flushOutput()
      dup2(terminal, 1)
      Glibc.close(terminal)
    }
    return body()
  }

  /// `.headers on|off`
  var headersCommand: Command {
    Command(
      name: "headers", arguments: "on|off", summary: "whether csv, tsv and list begin with the names of the columns",
      candidates: { ["on", "off"].map { Completions.Candidate($0) } },
      inSandbox: .allowed,
      run: { [unowned self] (invocation) throws(CommandFailure) in
        switch try invocation.optionalArgument() {
        case nil: printText(".headers \(settings.showsHeaders.map { $0 ? "on" : "off" } ?? "as the mode has it")\n")
        case "on": settings.showsHeaders = true
        case "off": settings.showsHeaders = false
        case let other?: throw .invalidArgument(other, expected: ["on", "off"], nearest: nil)
        }
      })
  }

  /// `.last [MODE]`
  var lastCommand: Command {
    Command(
      name: "last", arguments: "[MODE]", summary: "the last value again, all of its rows",
      candidates: { OutputMode.allCases.map { Completions.Candidate($0.rawValue, $0.summary) } },
      inSandbox: .allowed,
      run: { [unowned self] (invocation) throws(CommandFailure) in
        let name = try invocation.optionalArgument()
        let mode = name.flatMap(OutputMode.init(rawValue:))
        if let name, mode == nil {
          throw .invalidArgument(name, expected: OutputMode.allCases.map(\.rawValue), nearest: nil)
        }
        try perform {
          let stack = engine.lua.stack
          let top = stack.count
          defer { stack.setCount(top) }
          stack.reserve(4)
          stack.pushGlobal("_")
          var presenter = presenter(ShowOptions(mode: mode ?? settings.mode))
          presenter.options.rows = .all
          try presenter.show(at: -1, on: stack, to: surroundings.output)
        }
      })
  }

  /// `.undo` and `.redo`
  var undoCommand: Command { steppingBack("undo", "take back the last unsaved changes; .undosave what was saved") }

  /// `.redo`
  var redoCommand: Command { steppingBack("redo", "make the changes again that .undo took back") }

  private func steppingBack(_ name: String, _ summary: String) -> Command {
    Command(name: name, arguments: "", summary: summary, changesThings: true, inSandbox: .allowed) {
      [unowned self] (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      try perform {
        let values = try engine.evaluate("return \(name)()", name: "=\(name)")
        let stack = engine.lua.stack
        guard let value = values.first else { return }
        stack.push(value)
        let isDone = stack.bool(at: -1)
        stack.pop()
        guard isAtPrompt else { return }
        surroundings.say(isDone ? "\(name == "undo" ? "undone" : "done again")\n" : "nothing to \(name)\n")
      }
    }
  }
}

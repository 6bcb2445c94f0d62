internal import Glibc
internal import LuaBindings
internal import LuaRuntime
internal import Presentation

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
        settings.outputTarget?.end()
        settings.outputTarget = OutputTarget(receiver: .program(command), isOnce: true)
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
    settings.outputTarget?.end()
    settings.outputTarget = nil
    guard let path else { return }
    try perform { settings.outputTarget = target(try OutputTarget.file(path)) }
  }

  /// `.headers on|off`
  var headersCommand: Command {
    Command(
      name: "headers", arguments: "on|off", summary: "whether csv, tsv and list begin with the names of the columns",
      parameters: [.oneOf("on", "off")],
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
      parameters: [.words { OutputMode.allCases.map { Completions.Candidate($0.rawValue, $0.summary) } }],
      isPaged: true, inSandbox: .allowed,
      run: { [unowned self] (invocation) throws(CommandFailure) in
        let name = try invocation.optionalArgument()
        let mode = name.flatMap(OutputMode.init(rawValue:))
        if let name, mode == nil {
          throw .invalidArgument(name, expected: OutputMode.allCases.map(\.rawValue), nearest: nil)
        }
        guard engine.hasRemembered else {
          return printText("there is no value yet: .last shows that of the line before, all of its rows\n")
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

internal import LuaBindings
internal import LuaRuntime
internal import Presentation

/// Commands on the last value, or the value of an expression.
struct ValueCommands: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [headersCommand, lastCommand, undoCommand, redoCommand, browseCommand, watchCommand] }

  /// `.headers on|off`
  var headersCommand: Command {
    Command(
      name: "headers", arguments: "on|off", summary: "whether csv, tsv and list begin with the names of the columns",
      parameters: [.oneOf("on", "off")],
      inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
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
      run: { (invocation) throws(CommandFailure) in
        let name = try invocation.optionalArgument()
        let mode = name.flatMap(OutputMode.init(rawValue:))
        if let name, mode == nil {
          throw .invalidArgument(name, expected: OutputMode.allCases.map(\.rawValue), nearest: nil)
        }
        guard engine.hasRemembered else {
          return printText("there is no value yet: .last shows that of the line before, all of its rows\n")
        }
        try perform {
          var options = ShowOptions(mode: mode ?? settings.mode)
          options.takesAllRows = true
          engine.lua.pushGlobal("_")
          try console.show(engine.lua.stack.popReference(), options)
        }
      })
  }

  /// `.undo` and `.redo`
  var undoCommand: Command { steppingBack("undo", "take back the last unsaved changes; .undosave what was saved") }

  /// `.redo`
  var redoCommand: Command { steppingBack("redo", "make the changes again that .undo took back") }

  private func steppingBack(_ name: String, _ summary: String) -> Command {
    Command(name: name, arguments: "", summary: summary, changesThings: true, inSandbox: .allowed) {
      (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      try perform {
        let values = try engine.evaluate("return \(name)()", name: "=\(name)")
        let stack = engine.lua.stack
        guard let value = values.first else { return }
        stack.push(value)
        let isDone = stack.bool(at: -1)
        stack.pop()
        guard isAtPrompt else { return }
        tellDone(isDone ? name == "undo" ? "undone" : "done again" : "nothing to \(name)")
      }
    }
  }

  /// `.browse [EXPRESSION]`
  var browseCommand: Command {
    screenCommand("browse", "walk through an entity or a request on a full screen; q leaves")
  }

  /// A command that calls the function of its name with the value of an expression, or with `_`.
  func screenCommand(_ name: String, _ summary: String) -> Command {
    var command = Command(
      name: name, arguments: "[EXPRESSION]", summary: summary, parameters: [codeParameter],
      inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
        let expression = invocation.text.contains { !$0.isWhitespace } ? invocation.text : "_"
        try perform { try call(name, withValueOf: expression) }
      })
    (command.takesText, command.mayBePiped) = (true, false)
    return command
  }

  private func call(_ name: String, withValueOf expression: String) throws {
    let stack = engine.lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    let values = try engine.evaluate(expression, name: "=\(name)")
    stack.pushGlobal(name)
    for value in values.prefix(1) { stack.push(value) }
    try stack.call(arguments: stack.count - top - 1)
  }

  /// `.watch [EXPRESSION]`
  var watchCommand: Command {
    screenCommand("watch", "live results, a request or an entity on a full screen; q leaves")
  }
}

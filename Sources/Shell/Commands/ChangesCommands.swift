internal import LuaBindings
internal import Modeling
internal import ObjectGraph

extension EngineSession {
  /// `.save`
  var saveCommand: Command {
    Command(name: "save", arguments: "", summary: "save all changes", inSandbox: .allowed) {
      [unowned self] (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      let count = engine.unsavedChangeCount
      try perform { try engine.save() }
      if isAtPrompt { surroundings.say(count == 0 ? "nothing to save\n" : "\(Self.changes(count)) saved\n") }
    }
  }

  /// `.rollback`
  var rollbackCommand: Command {
    Command(name: "rollback", arguments: "", summary: "drop all unsaved changes", inSandbox: .allowed) {
      [unowned self] (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      let count = engine.unsavedChangeCount
      engine.rollback()
      if isAtPrompt { surroundings.say(count == 0 ? "nothing to drop\n" : "\(Self.changes(count)) dropped\n") }
    }
  }

  /// `.diff`
  var diffCommand: Command {
    Command(
      name: "diff", arguments: "", summary: "the unsaved changes: + new, ~ changed, - deleted", inSandbox: .allowed
    ) {
      [unowned self] (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      try perform {
        for diff in try engine.pendingDiffs() {
          printText(DiffText(style: surroundings.outputStyle, charset: surroundings.charset).text(diff))
        }
      }
    }
  }

  static func changes(_ count: Int) -> String { Quantity.count(count, "change") }
}

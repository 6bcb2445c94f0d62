internal import LuaBindings
internal import Modeling
internal import ObjectGraph
internal import Stores

struct ChangesCommands: CommandGroup {
  let tools: CommandTools
  let title: StoreTitle

  var all: [Command] { [saveCommand, rollbackCommand, diffCommand] }

  /// `.save [FILE]`
  var saveCommand: Command {
    Command(
      name: "save", arguments: "[FILE]", summary: "save all changes; or keep the store as a file",
      parameters: [.file],
      changesThings: true, inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      if let path = try invocation.optionalArgument() { return try keep(as: path) }
      let count = engine.stores.unsavedChangeCount
      try perform { try engine.save() }
      if isAtPrompt { tellDone(count == 0 ? "nothing to save" : "\(Self.changes(count)) saved") }
    }
  }

  /// Saves, and copies the store to a file; a store in memory continues as that file.
  private func keep(as path: String) throws(CommandFailure) {
    if engine.options.isSandboxed {
      throw .refusedBySandbox("save \(path)", reason: "scripts have no files in it")
    }
    let store = try openStore()
    try perform {
      try store.require(.backup)
      try engine.save()
      try store.backup(to: path)
      guard store.path == ":memory:" else { return }
      try engine.open(StoreOptions(path: path))
      engine.stores.close(store)
    }
    guard isAtPrompt else { return }
    let isMoved = store.path == ":memory:"
    tellDone(isMoved ? title.summary ?? path : "copied to \(path)")
  }

  /// `.rollback`
  var rollbackCommand: Command {
    Command(
      name: "rollback", arguments: "", summary: "drop all unsaved changes", changesThings: true, inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      let count = engine.stores.unsavedChangeCount
      engine.rollback()
      if isAtPrompt { tellDone(count == 0 ? "nothing to drop" : "\(Self.changes(count)) dropped") }
    }
  }

  /// `.diff`
  var diffCommand: Command {
    Command(
      name: "diff", arguments: "", summary: "the unsaved changes: + new, ~ changed, - deleted", isPaged: true,
      inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      try perform {
        for diff in try engine.stores.pendingDiffs() {
          printText(DiffText(style: layout.style, charset: layout.charset).text(diff))
        }
      }
    }
  }

  static func changes(_ count: Int) -> String { Quantity.count(count, "change") }
}

extension CommandRegistry {
  /// The commands that need nothing but the shell itself.
  static var standard: CommandRegistry {
    CommandRegistry(commands: [.help, .hints, .mode, .quit, .read, .sql, .timer])
  }
}

/// The commands of a session.
package enum SessionCommands {
  /// The commands, in the order of help: those of a client, which come before ones of the same name, and those of the session.
  ///
  /// To add one, write it in a file of its own and name it here.
  package static func list(_ parts: SessionParts, client: [Command] = []) -> [Command] {
    let tools = parts.tools
    let groups: [any CommandGroup] = [
      EntitiesCommand(tools: tools), ChangesCommands(tools: tools, title: parts.title),
      StoreCommands(tools: tools, title: parts.title, errors: parts.errors), TransferCommands(tools: tools),
      ReadersCommand(tools: tools),
      DryRunCommand(tools: tools), UndoSaveCommands(tools: tools), SlowCommand(tools: tools),
      VerifyCommand(tools: tools), CompareCommand(tools: tools),
      DoctorCommand(tools: tools), ValueCommands(tools: tools), TableCommands(tools: tools), DumpCommand(tools: tools),
      KeptCommands(tools: tools, evaluator: parts.evaluator, configuration: parts.configurationFolder),
      HelpCommand(tools: tools, help: parts.help), TutorialCommand(tools: tools, tutorial: parts.tutorial),
      ConfirmCommand(tools: tools), ColsCommand(tools: tools), InCommand(tools: tools),
    ]
    var names: Set<String> = []
    return (client + groups.flatMap(\.all) + CommandRegistry.standard.commands + ScreenCommands.missing)
      .filter { names.insert($0.name).inserted }.sorted { $0.name < $1.name }
  }
}

extension Command {
  /// `.help [COMMAND]`
  static var help: Command {
    Command(
      name: "help", arguments: "[COMMAND]", summary: "list the commands, or show one", parameters: [.command],
      inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      let commands: [Command]
      if let name = try invocation.optionalArgument() {
        commands = [try invocation.registry.command(name.hasPrefix(".") ? String(name.dropFirst()) : name)]
      } else {
        commands = invocation.registry.commands
      }
      let width = commands.map(\.usage.count).max() ?? 0
      for command in commands {
        let space = String(repeating: " ", count: width - command.usage.count + 2)
        invocation.context.print("  " + invocation.context.style(.name, command.usage) + space + command.summary + "\n")
      }
    }
  }
}

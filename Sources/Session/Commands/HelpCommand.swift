internal import LuaBindings

struct HelpCommand: CommandGroup {
  let tools: CommandTools
  let help: Help

  var all: [Command] { [helpCommand] }

  /// `.help [NAME]`: the commands, one of them, or the text of `?NAME`.
  var helpCommand: Command {
    var command = Command.help
    let list = command.run
    command.arguments = "[NAME]"
    command.summary = "list the commands, or show one, or help on any name, as ?NAME does"
    command.run = { (invocation) throws(CommandFailure) in
      guard let name = try invocation.optionalArgument(), !invocation.registry.has(name), help.has(name)
      else {
        return try list(invocation)
      }
      help.show(name)
    }
    return command
  }
}

extension Command {
  /// `.help [COMMAND]`
  static var help: Command {
    Command(
      name: "help", arguments: "[COMMAND]", summary: "list the commands, or show one", parameters: [.command],
      isPaged: true, inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      let commands: [Command]
      if let name = try invocation.optionalArgument() {
        commands = [try invocation.registry.command(name.hasPrefix(".") ? String(name.dropFirst()) : name)]
      } else {
        commands = invocation.registry.commands
      }
      // A usage that is wider than most stands on a line of its own.
      let most = 28
      let width = commands.map(\.usage.count).filter { $0 <= most }.max() ?? most
      for command in commands {
        let usage = command.usage
        let space = usage.count <= width ? "" : "\n  "
        let gap = String(repeating: " ", count: usage.count <= width ? width - usage.count + 2 : width + 2)
        invocation.context.print(
          invocation.context.wrapped("  " + invocation.context.style(.name, usage) + space + gap + command.summary)
            + "\n")
      }
    }
  }
}

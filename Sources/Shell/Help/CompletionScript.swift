/// The script that a shell runs to complete the command line of the program.
///
/// The first name decides what may follow it: the name of a command has options of its own, a store may be followed by a script,
/// and what follows a script is the script's. ArgumentParser's own scripts offer no command beside the names of files.
///
/// To add a shell, write its script in a file of its own and list it in `Manual.completions`.
struct CompletionScript {
  let program: CommandDefinition

  var commands: [CommandDefinition] { program.commands }

  /// Options whose value is the next word.
  func valued(_ command: CommandDefinition) -> [CommandDefinition.Argument] {
    command.options.filter { $0.value != nil }
  }

  /// All names of such options, of all commands: what stands before the command may be the command's.
  var valuedNames: [String] {
    var names: [String] = []
    for name in ([program] + commands).flatMap(valued).flatMap(\.names) where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}

import Modeling
package import Presentation

/// The commands of a shell, by name.
package struct CommandRegistry {
  /// In the order of help.
  package var commands: [Command]

  package init(commands: [Command]) { self.commands = commands }

  /// The command of that name.
  func command(_ name: String) throws(CommandFailure) -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let names = commands.filter { !$0.changesThings }.map(\.name)
    // Who types the beginning of a name means that rather than another of as many letters.
    let begun = names.filter { $0.hasPrefix(name) }
    let nearest = begun.count == 1 && name.count > 1 ? begun[0] : nearestName(to: name, in: names)
    throw .unknownCommand(name, nearest: nearest)
  }

  /// Whether there is a command of a name, which may begin with its point.
  func has(_ name: String) -> Bool {
    commands.contains { $0.name == (name.hasPrefix(".") ? String(name.dropFirst()) : name) }
  }

  /// The arguments of a command, behind its name and a space; nil for another line, and for a command that takes none.
  package func arguments(behind line: String) -> String? {
    guard line.first == ".", line.last == " ", let command = commands.first(where: { ".\($0.name) " == line }) else {
      return nil
    }
    return command.arguments.isEmpty ? nil : command.arguments
  }

  /// Runs a line that begins with a point.
  package func run(_ line: String, _ context: ShellContext) throws(CommandFailure) {
    let typed = line.dropFirst().prefix { !$0.isWhitespace }
    let taker = commands.first { $0.takesText && $0.name == typed }
    let read = CommandWords(line.dropFirst())
    guard taker != nil || read.openQuote == nil else { throw .unterminatedQuote(String(line.dropFirst())) }
    var words = taker == nil ? read.words.map(\.text) : []
    let name = words.isEmpty ? "help" : words.removeFirst()
    let command = if let taker { taker } else { try command(name) }
    let text = line.drop { !$0.isWhitespace }.drop(while: \.isWhitespace)
    let invocation = Command.Invocation(
      command: command, arguments: words, text: String(text), context: context, registry: self)
    guard command.isPaged else { return try command.perform(invocation) }
    var failure: CommandFailure?
    context.paging {
      do throws(CommandFailure) { try command.perform(invocation) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Runs a command for a script, with its words.
  func run(_ name: String, _ words: [String], _ context: ShellContext) throws(CommandFailure) {
    let command = try command(name)
    try command.perform(
      Command.Invocation(
        command: command, arguments: words, text: words.joined(separator: " "), context: context, registry: self))
  }

  /// Returns the completions in a line that begins with a point: command names, or arguments.
  package func completions(_ line: String, at cursor: Int) -> Completions {
    let typed = String(decoding: Array(line.utf8.prefix(cursor)), as: UTF8.self)
    guard let space = typed.firstIndex(where: \.isWhitespace) else {
      let found = commands.filter { ("." + $0.name).hasPrefix(typed) }
      let candidates = found.map { Completions.Candidate("." + $0.name, $0.summary) }
      return Completions(start: 0, candidates: candidates, appendCharacter: " ")
    }
    guard let command = commands.first(where: { $0.name == typed[..<space].dropFirst() }) else {
      return Completions(start: cursor)
    }
    return CommandArguments(line, cursor: cursor, from: space).completions(of: command, commands)
  }
}

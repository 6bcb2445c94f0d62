import Modeling
internal import Presentation

extension Command {
  /// `.mode [NAME [TABLE]]`: the table is the one that INSERT statements name.
  static var mode: Command {
    Command(
      name: "mode", arguments: "[NAME [TABLE]]", summary: "show results as a table, lines, csv, json ...",
      parameters: [.words { OutputMode.allCases.map { Completions.Candidate($0.rawValue, $0.summary) } }],
      inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
        let context = invocation.context
        guard invocation.arguments.count <= 2 else { throw .usage(invocation.command.usage) }
        guard let name = invocation.arguments.first else {
          for mode in OutputMode.allCases {
            let mark = mode == context.settings.mode ? "*" : " "
            let space = String(repeating: " ", count: 10 - mode.rawValue.count)
            context.print("\(mark) " + context.style(.name, mode.rawValue) + space + mode.summary + "\n")
          }
          return
        }
        let names = OutputMode.allCases.map(\.rawValue)
        guard let mode = OutputMode(rawValue: name) else {
          throw .invalidArgument(name, expected: names, nearest: nearestName(to: name, in: names))
        }
        let table = invocation.arguments.dropFirst().first
        guard table == nil || mode == .insert else { throw .usage(invocation.command.usage) }
        context.settings.mode = mode
        context.settings.tableName = table
      })
  }
}

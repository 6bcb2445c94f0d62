import Modeling

extension Command {
  /// `.mode [NAME]`
  static var mode: Command {
    Command(
      name: "mode", arguments: "[NAME]", summary: "show results as a table, lines, csv, json ...",
      candidates: { OutputMode.allCases.map { Completions.Candidate($0.rawValue, $0.summary) } },
      inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
        let context = invocation.context
        guard let name = try invocation.optionalArgument() else {
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
        context.settings.mode = mode
      })
  }
}

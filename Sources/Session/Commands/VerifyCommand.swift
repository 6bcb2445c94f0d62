internal import LuaBindings
internal import Modeling
internal import Presentation
internal import Stores

struct VerifyCommand: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [verifyCommand] }

  /// `.verify`
  var verifyCommand: Command {
    Command(
      name: "verify", arguments: "", summary: "check the store against the rules of the program that made it",
      isPaged: true, inSandbox: .allowed
    ) {
      (invocation) throws(CommandFailure) in
      guard invocation.arguments.isEmpty else { throw .usage(invocation.command.usage) }
      let store = try openStore()
      var problems: [StoreProblem] = []
      try perform {
        problems = try store.verify()
        if problems.isEmpty, !isForPrograms {
          printText("nothing wrong with \(store.path)\n")
        } else {
          try console.render(Self.rows(problems))
        }
      }
      // An unattended run learns of problems by the exit status.
      if !problems.isEmpty, !isAtPrompt { throw .failed(status: ExitStatus.failed) }
    }
  }

  /// Whether rows for programs were requested explicitly; a pipe gets them by default.
  private var isForPrograms: Bool { settings.chosenMode?.isData == true }

  private static func rows(_ problems: [StoreProblem]) -> MemoryRows {
    let columns = ["rule", "place", "row", "problem", "expected", "found"].map { TabularColumn($0) }
    let rows = problems.map { problem in
      [
        Cell.text(problem.rule.rawValue), problem.place.isEmpty ? .null : .text(problem.place),
        problem.key.map(Cell.integer) ?? .null, .text(problem.rule.sentence), problem.expected.map(Cell.text) ?? .null,
        problem.found.map(Cell.text) ?? .null,
      ]
    }
    return MemoryRows(columns: columns, rows: rows, rowName: rows.count == 1 ? "problem" : "problems")
  }
}

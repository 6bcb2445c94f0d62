struct TutorialCommand: CommandGroup {
  let tools: CommandTools
  let tutorial: TutorialRun

  var all: [Command] { [tutorialCommand] }

  /// `.tutorial [skip | end]`
  var tutorialCommand: Command {
    Command(
      name: "tutorial", arguments: "[skip|end]", summary: "twelve steps to type, on a small store of their own",
      parameters: [.oneOf("skip", "end")],
      inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
        switch try invocation.optionalArgument() {
        case nil: try perform { try tutorial.begin() }
        case "skip": tutorial.skip()
        case "end": try perform { try tutorial.end() }
        case let other?: throw .invalidArgument(other, expected: ["skip", "end"], nearest: nil)
        }
      })
  }
}

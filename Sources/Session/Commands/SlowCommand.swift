internal import Presentation

struct SlowCommand: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [slowCommand] }

  /// `.slow [SECONDS | on | off]`
  var slowCommand: Command {
    Command(
      name: "slow", arguments: "[SECONDS|on|off]", summary: "report all reads that take longer than SECONDS (0.1)",
      parameters: [.oneOf("on", "off")],
      inSandbox: .allowed,
      run: { (invocation) throws(CommandFailure) in
        if !invocation.arguments.isEmpty { settings.tellsSlowReads = true }
        switch try invocation.optionalArgument() {
        case nil: printText(".slow \(engine.reads.slowLimit.map { "\($0)" } ?? "off")\n")
        case "on": engine.reads.slowLimit = SlowReadReport.usualLimit
        case "off": engine.reads.slowLimit = nil
        case let text?:
          guard let seconds = Double(text), seconds >= 0, seconds.isFinite else {
            throw .invalidArgument(text, expected: ["on", "off", "a number of seconds"], nearest: nil)
          }
          engine.reads.slowLimit = seconds
        }
      })
  }
}

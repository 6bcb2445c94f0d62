internal import LuaBindings
internal import Presentation

struct DryRunCommand: CommandGroup {
  let tools: CommandTools

  var all: [Command] { [dryRunCommand] }

  /// `.dryrun [on | off | keep]`
  var dryRunCommand: Command {
    Command(
      name: "dryrun", arguments: "[on|off|keep]",
      summary: "try changes, then take them back or keep them",
      parameters: [.oneOf("on", "off", "keep")],
      changesThings: true, inSandbox: .refused(because: "it could keep what --dry-run takes back"),
      run: { (invocation) throws(CommandFailure) in
        let words = ["on", "off", "keep"]
        switch try invocation.optionalArgument() {
        case nil: printText(tools.dryRuns.dryRun?.text(isOver: false) ?? ".dryrun off\n")
        case "on": try startTrying()
        case "off": try stopTrying(keeping: false)
        case "keep": try stopTrying(keeping: true)
        case let other?: throw .invalidArgument(other, expected: words, nearest: nil)
        }
      })
  }

  private func startTrying() throws(CommandFailure) {
    guard tools.dryRuns.dryRun == nil else { return }
    try perform { try engine.stores.beginDryRun() }
    tools.dryRuns.begin()
  }

  private func stopTrying(keeping: Bool) throws(CommandFailure) {
    guard let dryRun = tools.dryRuns.dryRun else { return }
    let text = dryRun.text(isOver: true)
    try perform {
      try engine.stores.endDryRun(keeping: keeping)
      if !keeping {
        engine.rollback()
        try engine.didWritePastContexts()
      }
    }
    tools.dryRuns.end()
    if !keeping { printText(text) }
  }
}

package import LuaBindings

/// The parts of a session, each with its own state.
package struct SessionParts {
  package let console: Console
  package let errors: ErrorReporter
  package let runs: GuardedRuns
  package let evaluator: Evaluator
  package let help: Help
  package let title: StoreTitle
  package let dryRuns: DryRunRecorder
  let tutorial: TutorialRun
  /// The folder of the user's settings; nil for none.
  package let configurationFolder: String?

  package var engine: Engine { console.engine }
  package var tools: CommandTools { CommandTools(console: console, runs: runs, dryRuns: dryRuns) }

  init(_ options: SessionOptions, _ client: any SessionClient) throws {
    let settings = ShellSettings(mode: options.mode, isForPrograms: !client.layout.isTerminal)
    console = Console(try Engine(options.engine), client, settings, isQuiet: options.isQuiet)
    console.engine.host.catchesInterrupts = !options.isEmbedded
    errors = ErrorReporter(console, showsTraces: options.showsTraces)
    runs = GuardedRuns(console, errors, timeout: options.timeout)
    evaluator = Evaluator(console, errors, runs)
    help = Help(console, runs)
    title = StoreTitle(console)
    dryRuns = DryRunRecorder(console)
    tutorial = TutorialRun(console)
    configurationFolder = options.configurationFolder
  }
}

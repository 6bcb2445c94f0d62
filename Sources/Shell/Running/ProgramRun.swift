internal import Presentation
internal import Session
internal import Terminal

/// A run of perilune from its first to its last step, as a command line asks for it.
///
///     var run = ScriptRun()
///     run.store.path = "quakes.sqlite"
///     run.expressions = ["Quake:count()"]
///     exit(run.run())
///
/// To add one, write it in a file of its own, with a `Subcommand` that reads its settings.
package protocol ProgramRun {
  var options: RunOptions { get }

  /// Runs, and returns the exit status.
  func run(in surroundings: Surroundings) -> Int32
}

extension ProgramRun {
  /// Runs in the process's surroundings, and returns the exit status, which also reports failed output.
  package func run() -> Int32 {
    let surroundings = Surroundings(color: options.color.flatMap(ColorWhen.init(rawValue:)) ?? .auto)
    TerminalSignals.install([.interrupt])
    BrokenPipe.install()
    CutFile.install()
    let status = run(in: surroundings)
    surroundings.flushOutput()
    if BrokenPipe.hasHappened { return ExitStatus.brokenPipe }
    guard status == 0, let failure = surroundings.outputFailure else { return status }
    return surroundings.fail(failure.report.message, failure.exitStatus)
  }

  /// Does the work of the run in a session, and returns the exit status.
  func inSession(
    _ surroundings: Surroundings, _ store: StoreAccess, endsAtPrompt: Bool = false, _ work: (EngineSession) -> Int32
  ) -> Int32 {
    // Scripts can also show full screens.
    let showsPrompts = surroundings.isInteractive && (endsAtPrompt || surroundings.outputIsTerminal)
    // An untrusted script must not control the terminal either.
    if showsPrompts || options.isSandboxed { surroundings.watchTerminal(picturesControls: options.isSandboxed) }
    do {
      let session = try EngineSession(options, surroundings, store: store)
      defer { session.close() }
      return work(session)
    } catch {
      return surroundings.fail("\(error)", ExitStatus.failed)
    }
  }

  /// Does the work in a session whose store is open.
  func withStore(
    _ store: StoreAccess, _ surroundings: Surroundings, _ work: (EngineSession) -> Int32
  ) -> Int32 {
    inSession(surroundings, store) { session in
      let status = store.open(in: session)
      return status == 0 ? work(session) : status
    }
  }
}

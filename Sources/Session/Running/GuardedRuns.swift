internal import LuaBindings
internal import LuaRuntime
internal import Modeling
internal import Presentation
internal import Reactive
internal import Stores

/// Runs what is entered, scripts and turns of the event loop, so that Ctrl-C and the time limit stop them and errors are reported.
package final class GuardedRuns {
  private let engine: Engine
  private let console: Console
  private let errors: ErrorReporter
  package let slowReads: SlowReadReport
  private let progress: ProgressReporter
  /// The time limit of scripts, or of each line that is typed, in seconds.
  private let timeout: Double?
  /// The nesting depth of `guarding` calls.
  private var depth = 0
  /// The status of the first callback that failed since the last turn ended.
  private var callbackStatus: Int32 = 0

  /// Makes one that reports errors of callbacks as they happen.
  init(_ console: Console, _ errors: ErrorReporter, timeout: Double?) {
    (engine, self.console, self.errors, self.timeout) = (console.engine, console, errors, timeout)
    slowReads = SlowReadReport(console)
    progress = ProgressReporter(console)
    engine.host.onCallbackErrors = { [unowned self, unowned errors] failures in
      for status in failures.map({ errors.finish($0, after: 0) }) where callbackStatus == 0 { callbackStatus = status }
    }
  }

  /// Runs `body` so that Ctrl-C stops it, reports its error, and returns the status.
  ///
  /// It is a turn of its own, unless a script calls it within one, as through `perilune.sql`.
  package func guarding(_ body: () throws -> Void) -> Int32 {
    let start = monotonicSeconds()
    console.start = start
    depth += 1
    defer { depth -= 1 }
    let isTurn = depth == 1
    if isTurn { beginTurn() }
    defer {
      if isTurn {
        engine.lua.uninstallSignalHandler()
        engine.lua.clearCrowding()
      }
    }
    let status = reporting(body, after: start)
    guard isTurn else { return status }
    defer { if console.isAtPrompt { limitTime(to: nil) } }
    return endTurn(status, after: start)
  }

  /// Runs `body`, and reports what was slow, what is noteworthy and what failed.
  private func reporting(_ body: () throws -> Void, after start: Double) -> Int32 {
    let trace = traceStatements()
    defer { withExtendedLifetime(trace) {} }
    var failure: (any Error)?
    do { try progress.showingWait { try engine.asking(body) } } catch { failure = error }
    slowReads.tell()
    console.tellNotes()
    return failure.map { errors.finish($0, after: monotonicSeconds() - start, isInCallback: false) } ?? 0
  }

  /// Runs `body`, in which lines are typed although a script runs: each is a turn of its own, and Ctrl-C stops it alone.
  package func typing(_ body: () -> Void) {
    let (depth, wasAtPrompt, input) = (depth, console.isAtPrompt, errors.currentInput)
    (self.depth, console.isAtPrompt) = (0, true)
    engine.lua.uninstallSignalHandler()
    try? engine.lua.setTimeLimit(seconds: nil)
    let approval = engine.host.approval
    defer {
      (self.depth, console.isAtPrompt, errors.currentInput) = (depth, wasAtPrompt, input)
      engine.host.approval = approval
      if depth > 0 { engine.catchInterrupts() }
      limitTime(to: timeout)
    }
    body()
  }

  /// Runs due callbacks while a line is typed; Ctrl-C stops them.
  package func runLoopTurn(_ ready: [Int32]) {
    _ = guarding {
      engine.loop.runTurn(ready: ready)
      try engine.lua.checkInterrupt()
    }
    console.client.flush()
  }

  private func beginTurn() {
    engine.catchInterrupts()
    // At the prompt the time limit applies to each line.
    if console.isAtPrompt { limitTime(to: timeout) }
  }

  private func limitTime(to seconds: Double?) {
    if timeout != nil { try? engine.lua.setTimeLimit(seconds: seconds) }
  }

  /// Ends the turn, reports its errors, and returns the status.
  private func endTurn(_ status: Int32, after start: Double) -> Int32 {
    // os.exit also ends the turn.
    if errors.requestedExit != nil { engine.lua.clearInterrupt() }
    // After an interruption observers are not run.
    let isStopped = !console.isAtPrompt && [ExitStatus.interrupted, ExitStatus.timeLimit].contains(status)
    let failed = engine.turns.end(failed: status != 0 && errors.requestedExit == nil, notifiesObservers: !isStopped)
    let failures = [callbackStatus] + failed.map { errors.finish($0, after: monotonicSeconds() - start) }
    callbackStatus = 0
    guard let failure = failures.first(where: { $0 != 0 }) else { return status }
    if errors.requestedExit == 0 { errors.requestedExit = failure }
    return status == 0 ? failure : status
  }

  /// With `.sql on`, prints each statement of the store for the lifetime of the returned trace.
  private func traceStatements() -> StatementTrace? {
    guard console.settings.showsSQL, let store = engine.store else { return nil }
    return store.trace { [console] sql, seconds in
      if StatementTrace.isBookkeeping(sql) { return }
      console.tell(Remark(.statement, "\(sql) \(console.layout.charset.dot) \(Quantity.duration(seconds))"))
    }
  }
}

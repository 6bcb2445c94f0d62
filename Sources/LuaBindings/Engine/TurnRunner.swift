internal import LuaRuntime
internal import Reactive

/// Runs the turns of an engine: it follows what scripts wrote, notifies observers, saves contexts with `autosave`, and keeps the
/// errors of callbacks.
public final class TurnRunner {
  /// The engine, which holds the runner.
  unowned(unsafe) var engine: Engine!
  /// The stores whose writes it follows.
  let stores: OpenStores
  /// The errors of callbacks since the end of the last turn.
  var callbackErrors: [any Error] = []
  /// The interruption that stopped a callback and all code around it.
  private var stoppedCallback: (any Error)?

  init(_ stores: OpenStores) { self.stores = stores }

  /// Ends a turn: a line of the prompt, an `-e`, a script, or a round of callbacks.
  ///
  /// The end of a turn notifies observers of the changes, unless `notifiesObservers` is false. It saves contexts with
  /// `autosave`, unless the turn `failed`, so that half-finished work is not saved. Returns the errors for the caller
  /// to report, including those of callbacks since the last turn; none of them stopped anything. The first is that of an
  /// observer that Ctrl-C or the time limit stopped.
  public func end(failed: Bool = false, notifiesObservers: Bool = true) -> [any Error] {
    let errors = finish(failed: failed, notifiesObservers: notifiesObservers)
    // No code runs around the observers that could report it.
    guard let stopped = takeStoppedCallback() else { return errors }
    return [stopped] + errors
  }

  /// Ends a turn as `end`, but leaves it to the caller to report what Ctrl-C or the time limit stopped.
  func finish(failed: Bool, notifiesObservers: Bool = true) -> [any Error] {
    if notifiesObservers {
      do { try engine.asking(run) } catch { callbackErrors.append(error) }
    }
    if !failed { engine.asking(autosave) }
    engine.preferences.save()
    // The program is idle now.
    stores.checkpointIfNeeded()
    stores.closeUndoGroups()
    stores.forgetDropped()
    defer { callbackErrors = [] }
    return callbackErrors
  }

  /// Notifies observers of the changes; changes that they make are reported in further rounds.
  ///
  /// Does nothing if an observer calls it, or during a save, because the current run, or the end of the save, reports
  /// these changes.
  ///
  /// - Throws: EndlessRounds.
  func run() throws {
    if !stores.isWriting { try engine.turn.run() }
  }

  /// Runs a callback whose failure must not stop anything else. Reports its error, with the traceback, to
  /// `HostProgram.onCallbackErrors`, or at the end of the turn. Returns whether the callback succeeded.
  @discardableResult
  func runCallback(_ body: () throws -> Void) -> Bool {
    guard !engine.lua.isClosed else { return false }
    do {
      try engine.lua.tracingCalls(body)
      return true
    } catch {
      if engine.lua.isClosed { return false }
      if engine.lua.interruption != nil {
        // The run that the error stops reports it.
        if stoppedCallback == nil { stoppedCallback = error }
      } else if let onCallbackErrors = engine.host.onCallbackErrors {
        onCallbackErrors([error])
      } else {
        callbackErrors.append(error)
      }
      return false
    }
  }

  /// Calls an observer with the arguments that `push` pushes; its error is reported at the end of the turn and
  /// stops nothing.
  func notify(_ function: LuaReference, _ push: (LuaStack) throws -> Int32) {
    runCallback {
      let stack = engine.lua.stack
      stack.reserve(10)
      let top = stack.count
      defer { stack.setCount(top) }
      stack.push(function)
      try stack.call(arguments: try push(stack))
    }
  }

  /// Calls an observer function with these values; its error is reported at the end of the turn.
  func notify(_ function: LuaReference, _ values: [LuaReference] = []) {
    runCallback {
      let stack = engine.lua.stack
      let top = stack.count
      defer { stack.setCount(top) }
      stack.reserve(Int32(clamping: values.count) + 6)
      stack.push(function)
      for value in values { stack.push(value) }
      try stack.call(arguments: Int32(clamping: values.count))
    }
  }

  /// Returns the error by which Ctrl-C or the time limit stopped a callback and all code around it, and clears it.
  public func takeStoppedCallback() -> (any Error)? {
    defer { stoppedCallback = nil }
    return stoppedCallback
  }

  /// Saves the contexts with `autosave`, again if observers of the saves have changed something.
  private func autosave() {
    var failed: Set<ObjectIdentifier> = []
    for _ in 0..<Turn.mostRounds {
      let contexts = stores.contexts.filter { !failed.contains(ObjectIdentifier($0)) }
      guard contexts.contains(where: \.wantsAutosave) else { return }
      // A child saves into its parent, which then has changes to save.
      for context in contexts.sorted(by: { $0.objectContext.depth > $1.objectContext.depth }) {
        do { try followingWrites(context.autosave) } catch {
          failed.insert(ObjectIdentifier(context))
          // Ctrl-C and the time limit are reported as such, and endless rounds of observers occur after the save.
          let isPlain = engine.lua.interruption != nil || error is EndlessRounds
          callbackErrors.append(isPlain ? error : AutosaveFailure(report: engine.report(error)))
        }
      }
    }
    callbackErrors.append(EndlessRounds(names: ["context.autosave"]))
  }
}

/// The failure of an automatic save.
private struct AutosaveFailure: ReportedError {
  let report: ErrorReport

  init(report: ErrorReport) {
    var report = report
    report.message += "\n  (in an autosave: the changes stay unsaved)"
    self.report = report
  }
}

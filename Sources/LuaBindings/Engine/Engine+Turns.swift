internal import LuaRuntime
internal import Reactive

extension Engine {
  /// Does what is due at the end of a turn: a line of the prompt, an `-e`, a script, a round of callbacks.
  ///
  /// Observers are told what has changed, unless `tellsObservers` is false. Contexts with `autosave` are saved, unless the
  /// turn `failed`: half of what it meant to do is not to be kept. Returns what went wrong, in callbacks since the last
  /// turn too, to be told: none of it stopped anything.
  public func endTurn(failed: Bool = false, tellsObservers: Bool = true) -> [any Error] {
    if tellsObservers {
      do { try asking(runTurn) } catch { callbackErrors.append(error) }
    }
    if !failed { asking(autosave) }
    preferences.save()
    // The loop has ended.
    for store in openStores { store.store.checkpointIfNeeded() }
    closeUndoGroups()
    defer { callbackErrors = [] }
    return callbackErrors
  }

  /// Tells observers what has changed; what they change is told in further rounds.
  ///
  /// Does nothing when called by one of them, or while something is being saved: there is an end to come then, too.
  ///
  /// - Throws: EndlessRounds.
  func runTurn() throws {
    if !isWriting { try turn.run() }
  }

  /// Whether something is being saved, or the rows of a batch insert are being read.
  var isWriting: Bool {
    openStores.contains { store in store.isInBatch || store.contexts.contains { $0.context.isSaving } }
  }

  /// Has what follows be taken back by itself.
  func closeUndoGroups() {
    for context in openStores.flatMap(\.contexts) { context.context.closeUndoGroup() }
  }

  /// Runs a callback whose failure must stop nothing, and tells the error, with its traceback, to `onCallbackErrors`, or at
  /// the end of the turn. Returns whether it came to its end.
  @discardableResult
  func noting(_ body: () throws -> Void) -> Bool {
    guard !lua.isClosed else { return false }
    do {
      try lua.tracingCalls(body)
      return true
    } catch {
      if lua.isClosed { return false }
      if lua.interruption != nil {
        // What stops everything is told by what it stops.
        if stoppedCallback == nil { stoppedCallback = error }
      } else if let onCallbackErrors {
        onCallbackErrors([error])
      } else {
        callbackErrors.append(error)
      }
      return false
    }
  }

  /// The error by which Ctrl-C or the time limit stopped a callback, and everything around it, since this was last asked.
  public func takeStoppedCallback() -> (any Error)? {
    defer { stoppedCallback = nil }
    return stoppedCallback
  }

  /// Saves the contexts that do so by themselves, again if observers of the saves have changed something.
  private func autosave() {
    var failed: Set<ObjectIdentifier> = []
    for _ in 0..<Turn.mostRounds {
      let contexts = openStores.flatMap(\.contexts).filter { !failed.contains(ObjectIdentifier($0)) }
      guard contexts.contains(where: \.wantsAutosave) else { return }
      // A child's changes go to its parent, which then has them to save.
      for context in contexts.sorted(by: { $0.context.depth > $1.context.depth }) {
        do { try followingWrites(context.autosave) } catch {
          failed.insert(ObjectIdentifier(context))
          // Ctrl-C and the time limit are told as such, and observers without rest come after the save.
          let isPlain = lua.interruption != nil || error is EndlessRounds
          callbackErrors.append(isPlain ? error : AutosaveFailure(report: report(error)))
        }
      }
    }
    callbackErrors.append(EndlessRounds(names: ["context.autosave"]))
  }
}

/// The failure of an autosave.
private struct AutosaveFailure: ReportedError {
  let report: ErrorReport

  init(report: ErrorReport) {
    var report = report
    report.message += "\n  (in an autosave: the changes stay unsaved)"
    self.report = report
  }
}

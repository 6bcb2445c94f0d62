internal import LuaRuntime
internal import Reactive

extension Engine {
  /// Ends a turn: a line of the prompt, an `-e`, a script, or a round of callbacks.
  ///
  /// The end of a turn notifies observers of the changes, unless `tellsObservers` is false. It saves contexts with
  /// `autosave`, unless the turn `failed`, so that half-finished work is not saved. Returns the errors for the caller
  /// to report, including those of callbacks since the last turn; none of them stopped anything.
  public func endTurn(failed: Bool = false, tellsObservers: Bool = true) -> [any Error] {
    if tellsObservers {
      do { try asking(runTurn) } catch { callbackErrors.append(error) }
    }
    if !failed { asking(autosave) }
    preferences.save()
    // The program is idle now.
    for store in openStores { store.sqliteStore?.checkpointIfNeeded() }
    closeUndoGroups()
    forgetDropped()
    defer { callbackErrors = [] }
    return callbackErrors
  }

  /// Notifies observers of the changes; changes that they make are reported in further rounds.
  ///
  /// Does nothing when called by an observer or during a save, because the run under way, or the end of the save,
  /// reports these changes.
  ///
  /// - Throws: EndlessRounds.
  func runTurn() throws {
    if !isWriting { try turn.run() }
  }

  /// Whether something is being saved, or the rows of a batch insert are being read.
  var isWriting: Bool {
    openStores.contains { store in store.isInBatch || store.contexts.contains { $0.objectContext.isSaving } }
  }

  /// Lets go of the contexts and the closed stores that scripts have dropped and that nothing else needs.
  ///
  /// Not while anything is saved: those who save go through the contexts.
  func forgetDropped() {
    guard !lua.isClosed, !isWriting else { return }
    for store in openStores { store.forgetDroppedContexts() }
    for index in closedStores.indices.reversed()
    where closedStores[index].hasOnlyDroppedContexts && isKnownUniquelyReferenced(&closedStores[index]) {
      closedStores.remove(at: index)
    }
  }

  /// Closes the undo groups, so that later changes are undone separately.
  func closeUndoGroups() {
    for context in openStores.flatMap(\.contexts) { context.objectContext.closeUndoGroup() }
  }

  /// Runs a callback whose failure must not stop anything else. Reports its error, with the traceback, to
  /// `onCallbackErrors`, or at the end of the turn. Returns whether the callback succeeded.
  @discardableResult
  func noting(_ body: () throws -> Void) -> Bool {
    guard !lua.isClosed else { return false }
    do {
      try lua.tracingCalls(body)
      return true
    } catch {
      if lua.isClosed { return false }
      if lua.interruption != nil {
        // An error that stops the whole run is reported by that run.
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
      for context in contexts.sorted(by: { $0.objectContext.depth > $1.objectContext.depth }) {
        do { try followingWrites(context.autosave) } catch {
          failed.insert(ObjectIdentifier(context))
          // Ctrl-C and the time limit are reported as such, and endless rounds of observers come after the save.
          let isPlain = lua.interruption != nil || error is EndlessRounds
          callbackErrors.append(isPlain ? error : AutosaveFailure(report: report(error)))
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

internal import LuaRuntime
internal import Reactive

extension Engine {
  /// Ends a turn: a line of the prompt, an `-e`, a script, or a round of callbacks.
  ///
  /// The end of a turn notifies observers of the changes, unless `tellsObservers` is false. It saves contexts with
  /// `autosave`, unless the turn `failed`, so that half-finished work is not saved. Returns the errors for the caller
  /// to report, including those of callbacks since the last turn; none of them stopped anything. The first is that of an
  /// observer that Ctrl-C or the time limit stopped.
  public func endTurn(failed: Bool = false, tellsObservers: Bool = true) -> [any Error] {
    let errors = finishTurn(failed: failed, tellsObservers: tellsObservers)
    // No code runs around the observers that could report it.
    guard let stopped = takeStoppedCallback() else { return errors }
    return [stopped] + errors
  }

  /// Ends a turn as `endTurn`, but leaves it to the caller to report what Ctrl-C or the time limit stopped.
  func finishTurn(failed: Bool, tellsObservers: Bool = true) -> [any Error] {
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
  /// Does nothing if an observer calls it, or during a save, because the current run, or the end of the save, reports
  /// these changes.
  ///
  /// - Throws: EndlessRounds.
  func runTurn() throws {
    if !isWriting { try turn.run() }
  }

  /// Whether a save or a batch insert is running.
  var isWriting: Bool {
    openStores.contains { store in store.isInBatch || store.contexts.contains { $0.objectContext.isSaving } }
  }

  /// Releases contexts and stores that scripts have dropped and that nothing else needs.
  ///
  /// It does nothing during a save, which iterates over the contexts.
  func forgetDropped() {
    guard !lua.isClosed, !isWriting else { return }
    for store in openStores { store.forgetDroppedContexts() }
    closeDropped()
    for index in closedStores.indices.reversed()
    where closedStores[index].hasOnlyDroppedContexts && isKnownUniquelyReferenced(&closedStores[index]) {
      closedStores.remove(at: index)
    }
  }

  /// Closes the stores that only the list of open ones retains: each has files open, or a connection.
  ///
  /// A dry run shows what all stores would have become, and needs them to its end.
  private func closeDropped() {
    guard !options.isDryRun else { return }
    for index in openStores.indices.reversed()
    where openStores[index].isIdle && isKnownUniquelyReferenced(&openStores[index]) {
      let store = openStores[index]
      store.end()
    }
  }

  /// Collects what scripts dropped where many stores are open: to Lua, a store is a few bytes.
  func makeRoomForStore() {
    guard storeWeight >= storeSweepCount else { return }
    lua.collectGarbage()
    forgetDropped()
    storeSweepCount = max(16, storeWeight * 2)
  }

  /// How many stores are open; one on a server counts four times, as it has several connections, of which a server grants few.
  private var storeWeight: Int { openStores.reduce(0) { $0 + ($1.sqliteStore == nil ? 4 : 1) } }

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
        // The run that the error stops reports it.
        if stoppedCallback == nil { stoppedCallback = error }
      } else if let onCallbackErrors = host.onCallbackErrors {
        onCallbackErrors([error])
      } else {
        callbackErrors.append(error)
      }
      return false
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
      let contexts = openStores.flatMap(\.contexts).filter { !failed.contains(ObjectIdentifier($0)) }
      guard contexts.contains(where: \.wantsAutosave) else { return }
      // A child saves into its parent, which then has changes to save.
      for context in contexts.sorted(by: { $0.objectContext.depth > $1.objectContext.depth }) {
        do { try followingWrites(context.autosave) } catch {
          failed.insert(ObjectIdentifier(context))
          // Ctrl-C and the time limit are reported as such, and endless rounds of observers occur after the save.
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

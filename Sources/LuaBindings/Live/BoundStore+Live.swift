internal import LiveQueries
internal import LuaRuntime
internal import ObjectGraph
internal import Reactive
internal import Stores

extension BoundStore {
  /// The object that follows the store's changes, created on first use: stores without observers pay nothing.
  var live: LiveStore {
    if let liveStore { return liveStore }
    let live = shared?.live ?? newLiveStore()
    liveStore = live
    liveSource = engine.loop.add(
      LoopSource(
        descriptor: { [weak live] in live?.commitWatch?.descriptor },
        interval: { [weak live] in live?.presentWatch?.pollInterval },
        restsUntil: { [weak live] in live?.restsUntil },
        run: { [weak live, weak self] in
          guard let watch = live?.presentWatch else { return }
          watch.drain()
          if watch.mayBeReplaced { self?.warnOfMove() }
          // The turn after this reads the commits; `check` waits for a commit that is in progress.
          _ = watch.check()
        }))
    return live
  }

  private func newLiveStore() -> LiveStore {
    let live = LiveStore(objectStore, turn: engine.turn)
    live.isHeld = { [weak self] in self?.holdsTransaction ?? false }
    live.onError = { [unowned(unsafe) engine] error in engine.turns.runCallback { throw error } }
    return live
  }

  /// Whether SQL of a script has begun a transaction and written in it. Nothing is reported before its end, because it may
  /// be rolled back.
  private var holdsTransaction: Bool {
    !isClosed && !isBeingMigrated && !objectStore.isDryRun && objectStore.showsUncommittedRows
  }

  /// Warns once that changes of other programs are no longer visible, because the programs use another file.
  private func warnOfMove() {
    guard !isMoveTold, objectStore.isMoved else { return }
    isMoveTold = true
    engine.warn("'\(objectStore.path)' is no longer followed: \(ErrorReport.movedSentence)")
  }
}

extension BoundContext {
  /// The live results and observers of the context.
  var live: LiveContext {
    if let liveContext { return liveContext }
    let live = store.live.context(objectContext)
    liveContext = live
    return live
  }
}

internal import Storage

extension BoundStore {
  /// Whether something was written, committed or taken back that objects and observers have not followed.
  var owesTurn: Bool { wasSaved || objectStore.writeCount != followedWriteCount }

  /// Has objects follow what was written; contexts find out whether there is anything.
  func followWrites() {
    noteWritesAsFollowed()
    noticeForeignWrites()
    noteUncommittedRows()
  }

  /// Owes nothing for what was written so far.
  func noteWritesAsFollowed() {
    followedWriteCount = objectStore.writeCount
    wasSaved = false
  }

  /// Rereads live results in a dry run, which has no commit that reports the written rows, and whose end restores all
  /// rows.
  private func noteUncommittedRows() {
    let written = objectStore.isDryRun ? changeCount : nil
    guard written != uncommittedCount else { return }
    uncommittedCount = written
    var touched = TouchedRows()
    touched.isComplete = false
    liveStore?.note(touched)
  }
}

// The one place that has objects and observers follow what scripts and programs write.
extension Engine {
  /// Runs a function that a script or the program called. What it wrote has objects follow, and then observers are told,
  /// before it returns.
  ///
  /// Writing marks the turn as due by itself: a row that was written, a commit, something taken back (`writeCount`), a save
  /// of a context. Within a save or a batch insert it stays due until that returns. What a function wrote that ended in an
  /// error is told at the end of the turn.
  ///
  /// - Throws: what `body` throws; EndlessRounds, when observers go on changing what they observe. What was written stays.
  @inline(__always)
  func followingWrites<Result>(_ body: () throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try body()
    } catch {
      if owesTurn, !isWriting { for store in openStores { store.noteWritesAsFollowed() } }
      throw error
    }
    if owesTurn { try followWrites() }
    return result
  }

  /// Has objects follow what was written, and then tells observers; nothing in the middle of a save.
  ///
  /// - Throws: EndlessRounds.
  func followWrites() throws {
    guard !isWriting else { return }
    for store in openStores where store.owesTurn { store.followWrites() }
    try runTurn()
  }

  private var owesTurn: Bool {
    for store in openStores where store.owesTurn { return true }
    return false
  }
}

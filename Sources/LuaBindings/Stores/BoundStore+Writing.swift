internal import Stores

extension BoundStore {
  /// Whether a write, commit or rollback happened that objects and observers have not followed.
  var owesTurn: Bool { wasSaved || objectStore.writeCount != followedWriteCount }

  /// Brings objects up to date with writes; contexts check whether there are any.
  func followWrites() {
    noteWritesAsFollowed()
    noticeRemoteWrites()
    noteUncommittedRows()
  }

  /// Marks all writes so far as followed.
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

// The only place that brings objects up to date and notifies observers after scripts and programs have written.
extension Engine {
  /// Runs a function that a script or the program called. If it wrote, objects are brought up to date, and then
  /// observers are notified, before it returns.
  ///
  /// Every write makes the turn due: a written row, a commit, a rollback (`writeCount`), a save of a context. Within a
  /// save or a batch insert the turn stays due until that returns. If the function ended in an error, its writes are
  /// reported at the end of the turn.
  ///
  /// - Throws: the errors of `body`; EndlessRounds if observers keep changing what they observe. The writes stay.
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

  /// Brings objects up to date with writes, and then notifies observers; does nothing during a save.
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

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

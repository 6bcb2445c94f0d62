internal import CSQLite

/// Checkpoints the write-ahead log in the background, and not within a save.
///
/// By default, SQLite checkpoints within every commit that makes the log longer than a thousand pages, and waits for
/// the disk twice. A `LogCopier` does it in the background instead. Pages saved meanwhile are not copied yet, so a log
/// that is written without a pause never restarts. A very long log is therefore copied and synced in rounds, each with
/// less left than the one before, while commits wait briefly. When almost nothing is left, the log restarts from its
/// beginning.
package final class WriteAheadLog {
  /// The number of pages that are worth a checkpoint.
  package static let worthwhile = 1000
  /// The number of pages, some 400 MB, after which the log has to restart. A commit checkpoints a log of twice this
  /// length itself.
  package var limit = 100_000

  /// The number of remaining pages that a commit may wait for.
  private static let shortRest = 64
  /// The time in milliseconds that a commit waits for the checkpoint of a log that has to restart.
  private static let pause = 3
  /// The number of rounds after which a commit waits without a limit, because the disk is slow.
  private static let mostRounds = 10

  /// The number of pages after the last commit.
  package private(set) var pages = 0
  /// The number of pages at the start of the last checkpoint; a reader may have blocked a part of it.
  private var triedPages = 0
  /// The number of pages at the last complete checkpoint.
  private var endedPages = 0
  /// The number of rounds to restart the log; zero if it need not restart.
  private var rounds = 0
  private let connection: Connection
  private let copier: LogCopier?

  /// Replaces SQLite's automatic checkpoints.
  package init(_ connection: Connection) {
    self.connection = connection
    copier = connection.fileName.map { LogCopier(path: $0) }
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = sqlite3_wal_hook(
      connection.handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue().committed(Int(pages))
        return SQLITE_OK
      }, context)
  }

  /// Stops the checkpoints.
  package func stop() {
    copier?.wait()
    if connection.handle != nil { _ = sqlite3_wal_hook(connection.handle, nil, nil) }
  }

  /// Starts a checkpoint if the log is long; returns whether it started.
  package func copyIfLong() -> Bool {
    guard connection.handle != nil, pages - triedPages >= Self.worthwhile, copier?.start() == true else { return false }
    triedPages = pages
    return true
  }

  /// Waits until no checkpoint is running.
  package func wait() { copier?.wait() }

  private func committed(_ pages: Int) {
    self.pages = pages
    // The log has restarted.
    if pages < triedPages { (triedPages, endedPages, rounds) = (0, 0, 0) }
    let uncopied = pages - endedPages
    if uncopied < limit {
      _ = copyIfLong()
    } else if uncopied >= 2 * limit {
      copier?.wait()
      copy()
    } else {
      approachEnd()
    }
  }

  /// Starts a checkpoint of the pages saved meanwhile.
  private func approachEnd() {
    // Commits do not wait for the first round, which is long; they wait for the following ones, so that each has less
    // to do.
    guard let copier, copier.wait(milliseconds: rounds > 1 ? Self.pause : 0) else { return }
    if rounds == Self.mostRounds { return copy() }
    let rest = pages - triedPages
    guard copier.start(keeping: true) else { return }
    (triedPages, rounds) = (pages, rounds + 1)
    if rounds > 1, rest <= Self.shortRest, copier.wait(milliseconds: Self.pause) { (endedPages, rounds) = (pages, 0) }
  }

  /// Copies the pages that no reader needs, without waiting.
  private func copy() {
    (triedPages, endedPages, rounds) = (pages, pages, 0)
    let timeout = connection.wait.timeout
    connection.wait.timeout = 0
    defer { connection.wait.timeout = timeout }
    // A failure loses nothing: the log stays valid, and a later commit tries again.
    sqlite3_wal_checkpoint_v2(connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
  }
}

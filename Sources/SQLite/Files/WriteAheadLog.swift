internal import CSQLite

/// Sees to it that the write-ahead log is copied into the file while nobody waits, and not in the middle of a save.
///
/// SQLite would copy it within every commit that makes it longer than a thousand pages, and wait for the disk twice. A
/// `LogCopier` does it meanwhile. What is saved during that is not copied yet, so that a log to which saves are added
/// without a pause never ends. When it is very long, it is copied and the disk waited for in rounds, each of which leaves
/// less to the next, as commits wait a little for it; when next to nothing is left, the log begins at its front again.
package final class WriteAheadLog {
  /// So many pages are worth being copied.
  package static let worthwhile = 1000
  /// So long it may become, some 400 MB, before it is ended; a commit copies it itself when it is twice as long.
  package var limit = 100_000

  /// What is left is short enough to be copied while a commit waits.
  private static let shortRest = 64
  /// So many milliseconds a commit waits for the copying of a log that is to end.
  private static let pause = 3
  /// After so many rounds a commit waits as long as it takes: the disk is slow.
  private static let mostRounds = 10

  /// How many pages it had after the last commit.
  package private(set) var pages = 0
  /// How many it had when copying began the last time: a reader may have been in the way of a part.
  private var triedPages = 0
  /// How many it had when it was copied whole the last time.
  private var endedPages = 0
  /// How often it was copied in order to end; zero as long as it need not.
  private var rounds = 0
  private let connection: Connection
  private let copier: LogCopier?

  /// Takes over from SQLite.
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

  /// Leaves it to itself.
  package func stop() {
    copier?.wait()
    if connection.handle != nil { _ = sqlite3_wal_hook(connection.handle, nil, nil) }
  }

  /// Has it copied if there is enough to copy; returns whether that has begun.
  package func copyIfLong() -> Bool {
    guard connection.handle != nil, pages - triedPages >= Self.worthwhile, copier?.start() == true else { return false }
    triedPages = pages
    return true
  }

  /// Waits until it is not being copied.
  package func wait() { copier?.wait() }

  private func committed(_ pages: Int) {
    self.pages = pages
    // It has begun anew.
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

  /// Has the rest copied that saves have left meanwhile.
  private func approachEnd() {
    // The first round is long: nobody waits for it, but for those that follow, so that there is less to do in each.
    guard let copier, copier.wait(milliseconds: rounds > 1 ? Self.pause : 0) else { return }
    if rounds == Self.mostRounds { return copy() }
    let rest = pages - triedPages
    guard copier.start(keeping: true) else { return }
    (triedPages, rounds) = (pages, rounds + 1)
    if rounds > 1, rest <= Self.shortRest, copier.wait(milliseconds: Self.pause) { (endedPages, rounds) = (pages, 0) }
  }

  /// Copies as much as no reader needs, without waiting for anybody.
  private func copy() {
    (triedPages, endedPages, rounds) = (pages, pages, 0)
    let timeout = connection.wait.timeout
    connection.wait.timeout = 0
    defer { connection.wait.timeout = timeout }
    // Where it fails, nothing is lost: the log is read as before, and a later commit tries again.
    sqlite3_wal_checkpoint_v2(connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
  }
}

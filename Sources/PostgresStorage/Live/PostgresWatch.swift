import Modeling
import Postgres
import StoreErrors
import Stores

/// Notices remote commits: by notifications, on a connection of its own, and by asking at intervals.
///
/// The server sends a notification once a transaction, without content. It only wakes: the writes are read from the record.
/// The next look makes up for a lost notification.
final class PostgresWatch: CommitWatch {
  /// The seconds between two questions to the server.
  static let interval = 0.25
  /// The same if notifications come, too.
  static let intervalWhileListening = 2.0
  /// The seconds before a broken connection is made anew.
  private static let pause = 1.0

  private unowned let store: PostgresStore
  private var listener: PostgresConnection?
  /// When to try again to listen, by the monotonic clock.
  private var nextTry = 0.0
  /// Whether a notification has come since the last check.
  private var isWoken = false

  init(_ store: PostgresStore) { self.store = store }

  var isListening: Bool {
    listen()
    return listener != nil
  }

  var descriptor: Int32? {
    listen()
    return listener?.descriptor
  }

  var pollInterval: Double? {
    if store.pool.isClosed { return nil }
    if isWoken { return 0 }
    let isTold = isListening && store.recording?.isComplete == true
    return isTold ? Self.intervalWhileListening : Self.interval
  }

  var mayBeReplaced: Bool { false }

  func drain() {
    guard let listener else { return }
    do {
      let own = store.pool.main.processID
      // Our own commits are known.
      if try listener.notifications().contains(where: { $0.pid != own }) { isWoken = true }
    } catch {
      stop()
      isWoken = true
    }
  }

  func check() -> Bool {
    if store.pool.isClosed || store.transactions.depth > 0 || store.pool.pins > 0 { return false }
    // The next reader of the record asks the same.
    if isWoken {
      isWoken = false
      return true
    }
    // What is made on the nodes would stay.
    if !store.isDryRun { store.nodeRecord?.record(isReadOnly: store.isReadOnly) }
    guard (try? store.lookForOthers()) != nil else { return false }
    return store.foreign.isUntold
  }

  func follow(table: String, wholly: Bool) {}
  func unfollow(table: String) {}

  /// Ends the connection.
  func stop() {
    listener?.close()
    listener = nil
    nextTry = monotonicSeconds() + Self.pause
  }

  private func listen() {
    if let listener, !listener.isBroken { return }
    guard store.recording != nil, store.pool.profile.has(.notifications), !store.pool.isClosed, !store.isReplica,
      monotonicSeconds() >= nextTry
    else { return }
    listener?.close()
    listener = nil
    nextTry = monotonicSeconds() + Self.pause
    guard let connection = try? PostgresConnection(store.pool.address, isInterrupted: store.isInterrupted) else {
      return
    }
    do {
      _ = try connection.run("LISTEN \(quoted(RecordingBooks.channel))")
      listener = connection
      // A commit before it listened would wait for the next look.
      isWoken = true
    } catch {
      connection.close()
    }
  }
}

import Modeling
import Postgres
import Storage
import StoreErrors

/// Notices that others have committed: by notifications, on a connection of its own, and by asking at intervals.
///
/// A notification is sent once a transaction and says nothing. It only wakes: what was written is read from the record, and a
/// notification that is lost is made up for by the next look.
final class PostgresWatch: CommitWatch {
  /// How often the server is asked whether others have written, in seconds.
  static let interval = 0.25
  /// How often where notifications come, too.
  static let intervalWhileListening = 2.0
  /// How long to wait before a connection that broke is made anew, in seconds.
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
      // What came before it listened would wait for the next look.
      isWoken = true
    } catch {
      connection.close()
    }
  }
}

internal import Synchronization

/// The clients to which a pause may give the prompt, and the pause that is under way.
final class Pauses: Sendable {
  private struct State {
    var clients: [ObjectIdentifier: WakePipe] = [:]
    var current: Pause?
  }

  private let state = Mutex(State())

  /// The pause that is under way; nil between pauses.
  var current: Pause? { state.withLock { $0.current } }
  /// Whether a client is there that may have the prompt.
  var hasClients: Bool { state.withLock { !$0.clients.isEmpty } }

  func add(_ attachment: Attachment) {
    state.withLock { $0.clients[ObjectIdentifier(attachment)] = attachment.waker }
  }

  /// Forgets a client that leaves, which the thread of a pause notices.
  func remove(_ attachment: Attachment) {
    state.withLock { state in
      state.clients[ObjectIdentifier(attachment)] = nil
      state.current?.waker.wake()
    }
  }

  /// Begins a pause, and wakes the clients.
  func begin(_ pause: Pause) {
    state.withLock { state in
      state.current = pause
      for waker in state.clients.values { waker.wake() }
    }
  }

  func end() { state.withLock { $0.current = nil } }
}

internal import Modeling
internal import RemoteConsole
internal import Synchronization

/// The clients of a listener, and the sessions that wait for a client whose connection was lost.
final class Clients: Sendable {
  /// A client that has said who it is.
  struct Arrival: Sendable {
    let attachment: Attachment
    let hello: ClientRequest.Hello
  }

  /// A session to which its client may come back.
  private struct Resumable {
    /// The connection; the lost one while the session waits.
    var attachment: Attachment
    /// The client that has come back, until the session's thread takes it.
    var returned: Arrival?
  }

  private struct State {
    var isClosed = false
    var attached: Set<ObjectIdentifier> = []
    var sessions: [String: Resumable] = [:]
    /// The tokens of the sessions that wait, the first the longest.
    var waiting: [String] = []
  }

  /// The most clients at a time, and the most sessions that wait.
  static let most = 16
  /// How long a session waits, in seconds.
  private static let patience = 600.0

  private let state = Mutex(State())

  /// The number of clients.
  var count: Int { state.withLock { $0.attached.count } }

  /// Counts a client; false if there are too many.
  func add(_ attachment: Attachment) -> Bool {
    state.withLock { state in
      guard state.attached.count < Self.most else { return false }
      state.attached.insert(ObjectIdentifier(attachment))
      return true
    }
  }

  func remove(_ attachment: Attachment) {
    state.withLock { _ = $0.attached.remove(ObjectIdentifier(attachment)) }
  }

  // MARK: Lost connections

  /// Lets a client come back to its session, and returns the token for that.
  func keepSession(of attachment: Attachment) -> String {
    let token = (0..<2).map { _ in String(OutsideWorld.current.random(), radix: 36) }.joined()
    state.withLock { $0.sessions[token] = Resumable(attachment: attachment) }
    return token
  }

  /// Lets no client come back to a session; one that is on its way is cut off.
  func endSession(_ token: String) {
    guard let session = state.withLock({ $0.sessions.removeValue(forKey: token) }) else { return }
    session.attachment.waker.wake()
    guard let returned = session.returned?.attachment else { return }
    remove(returned)
    returned.close()
  }

  /// Gives a client its session, if the connection of that is lost; false if there is none.
  func resume(_ arrival: Arrival) -> Bool {
    state.withLock { state in
      let token = arrival.hello.tokens.first { token in
        guard let session = state.sessions[token], session.returned == nil else { return false }
        return session.attachment.isLost && !session.attachment.hasLeft
          && session.attachment.peer.user == arrival.attachment.peer.user
      }
      guard let token, let lost = state.sessions[token]?.attachment else { return false }
      state.sessions[token] = Resumable(attachment: arrival.attachment, returned: arrival)
      state.waiting.removeAll { $0 == token }
      lost.waker.wake()
      return true
    }
  }

  /// Waits until a client comes back, on the thread of its session; nil if it does not.
  func awaitReturn(_ token: String, of lost: Attachment) -> Arrival? {
    remove(lost)
    beginWait(token)
    defer { state.withLock { $0.waiting.removeAll { $0 == token } } }
    let deadline = monotonicSeconds() + Self.patience
    while true {
      lost.waker.drain()
      if let arrival = takeReturned(token) { return arrival }
      let rest = deadline - monotonicSeconds()
      let isAwaited = state.withLock { !$0.isClosed && $0.sessions[token] != nil } && !lost.hasLeft
      guard isAwaited, rest > 0 else { return nil }
      _ = DescriptorWait.wait(for: [lost.waker.descriptor], seconds: rest)
    }
  }

  private func takeReturned(_ token: String) -> Arrival? {
    state.withLock { state in
      defer { state.sessions[token]?.returned = nil }
      return state.sessions[token]?.returned
    }
  }

  /// Ends the session that has waited the longest, if too many wait.
  private func beginWait(_ token: String) {
    let ended = state.withLock { state -> String? in
      guard state.sessions[token]?.returned == nil else { return nil }
      state.waiting.append(token)
      return state.waiting.count > Self.most ? state.waiting.removeFirst() : nil
    }
    if let ended { endSession(ended) }
  }

  /// Lets no session wait any more.
  func close() {
    state.withLock { state in
      state.isClosed = true
      for session in state.sessions.values { session.attachment.waker.wake() }
    }
  }
}

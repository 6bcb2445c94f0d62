internal import Glibc
internal import Modeling

/// Waiting for a socket in slices, between which it is asked whether to go on.
enum SocketWait {
  case ready
  case interrupted
  case timedOut

  /// The longest wait without asking.
  private static let slice = 0.05

  /// Waits for events of `poll`; a socket that is closed or has failed is ready, so that the next call finds out.
  ///
  /// If the socket is ready at once, there is no question about an interruption: a quick statement, such as the end of an
  /// interrupted transaction, is not interrupted again.
  static func wait(_ descriptor: Int32, _ events: Int32, until deadline: Double?, _ isInterrupted: () -> Bool) -> Self {
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
      let left = deadline.map { max(0, $0 - monotonicSeconds()) } ?? slice
      let count = poll(&polled, 1, Int32(min(left, slice) * 1000) + (left < slice ? 1 : 0))
      if count > 0 || count < 0 && errno != EINTR { return .ready }
      if isInterrupted() { return .interrupted }
      if let deadline, monotonicSeconds() >= deadline { return .timedOut }
    }
  }

  /// Whether a socket has input, or its end.
  static func hasInput(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }
}

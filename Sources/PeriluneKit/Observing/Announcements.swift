/// The streams to which changes are announced.
final class Announcements {
  private var continuations: [AsyncStream<Void>.Continuation] = []

  deinit { for continuation in continuations { continuation.finish() } }

  /// Announces a change to the streams that are still read.
  func send() {
    continuations.removeAll { continuation in
      if case .terminated = continuation.yield() { true } else { false }
    }
  }

  /// Returns a stream of the announcements from now on; with `isDue` the first comes at once.
  func stream(isDue: Bool = false) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    if isDue { continuation.yield() }
    continuations.append(continuation)
    return stream
  }
}

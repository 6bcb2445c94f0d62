internal import Reactive
internal import Synchronization

extension LiveQuery {
  /// The changes from now on, in order, for `for await`. The stream ends when the query is closed or the loop ends.
  ///
  /// The writing thread makes the changes, in its turns; the consumer may run on another thread and receives values.
  public var changes: AsyncStream<ResultsChange> {
    let (stream, finish) = AsyncStream.changes { onChange($0) }
    if isClosed { finish() } else { endings.append(finish) }
    return stream
  }
}

extension AsyncStream<ResultsChange> {
  /// Returns a stream of the changes that `observe` reports, with a function that ends it.
  static func changes(
    _ observe: (@escaping (ResultsChange) -> Void) -> ObservationToken
  ) -> (stream: Self, finish: () -> Void) {
    let (stream, continuation) = makeStream()
    let end = StreamEnd()
    continuation.onTermination = { _ in end.flag.store(true, ordering: .relaxed) }
    var token: ObservationToken?
    // The closure holds the token, and the observation the closure: without this, both would stay after the end.
    func leave() {
      token?.cancel()
      token = nil
    }
    token = observe { change in
      if end.flag.load(ordering: .relaxed) {
        leave()
      } else {
        continuation.yield(change)
      }
    }
    return (
      stream,
      {
        leave()
        continuation.finish()
      }
    )
  }
}

/// Whether a stream has lost its consumer. May be used from any thread.
private final class StreamEnd: Sendable {
  let flag = Atomic(false)
}

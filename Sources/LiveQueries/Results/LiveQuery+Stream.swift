internal import Reactive
internal import Synchronization

extension LiveQuery {
  /// The changes, for `for await`: each from now on, in order, until it is closed or the loop ends.
  ///
  /// They are made by the thread that writes, in its turns; whoever awaits them may run elsewhere and is sent values.
  public var changes: AsyncStream<ResultsChange> {
    let (stream, finish) = AsyncStream.changes { onChange($0) }
    if isClosed { finish() } else { endings.append(finish) }
    return stream
  }
}

extension AsyncStream<ResultsChange> {
  /// A stream of what `observe` has an observer told, with what ends it.
  static func changes(
    _ observe: (@escaping (ResultsChange) -> Void) -> ObservationToken
  ) -> (stream: Self, finish: () -> Void) {
    let (stream, continuation) = makeStream()
    let end = StreamEnd()
    continuation.onTermination = { _ in end.flag.store(true, ordering: .relaxed) }
    var token: ObservationToken?
    token = observe { change in
      if end.flag.load(ordering: .relaxed) {
        token?.cancel()
      } else {
        continuation.yield(change)
      }
    }
    return (stream, { continuation.finish() })
  }
}

/// Whether a stream has no consumer any more. It may end on any thread.
private final class StreamEnd: Sendable {
  let flag = Atomic(false)
}

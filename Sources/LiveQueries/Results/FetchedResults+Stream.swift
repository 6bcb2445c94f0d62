internal import Reactive
internal import Synchronization

extension FetchedResults {
  /// The changes, for `for await`: each from now on, in order, until the results are closed or the loop ends.
  ///
  /// They are made by the thread that writes, in its turns; whoever awaits them may run elsewhere and is sent values.
  public var changes: AsyncStream<ResultsChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: ResultsChange.self)
    let end = StreamEnd()
    continuation.onTermination = { _ in end.flag.store(true, ordering: .relaxed) }
    var token: ObservationToken?
    token = onChange { change in
      if end.flag.load(ordering: .relaxed) {
        token?.cancel()
      } else {
        continuation.yield(change)
      }
    }
    if isClosed { continuation.finish() } else { endings.append { continuation.finish() } }
    return stream
  }
}

/// Whether nobody awaits a stream any more: it may end on any thread.
private final class StreamEnd: Sendable {
  let flag = Atomic(false)
}

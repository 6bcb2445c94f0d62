public import Reactive

extension LiveProperty {
  /// Calls `body` for each change, after the commit or at the end of the turn that made it, including changes due to
  /// another context in the environment or another configuration.
  public func onChange(_ body: @escaping (ResultsChange) -> Void) -> ObservationToken {
    _ = results
    return isClosed ? ObservationToken {} : observers.add(body)
  }

  /// The changes from now on, in order, for `for await`. The stream ends when the property is closed or deallocated or
  /// the loop ends.
  public var changes: AsyncStream<ResultsChange> {
    _ = results
    let stream = observers.stream()
    if isClosed { observers.close() }
    return stream
  }
}

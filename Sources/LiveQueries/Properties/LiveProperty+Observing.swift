public import Reactive

extension LiveProperty {
  /// Has `body` told of each change, after the commit or at the end of the turn that made it, also of those that another
  /// context in the environment or another configuration makes.
  public func onChange(_ body: @escaping (ResultsChange) -> Void) -> ObservationToken {
    _ = results
    return isClosed ? ObservationToken {} : observers.add(body)
  }

  /// The changes, for `for await`: each from now on, in order, until the property is closed or gone or the loop ends.
  public var changes: AsyncStream<ResultsChange> {
    _ = results
    let stream = observers.stream()
    if isClosed { observers.close() }
    return stream
  }
}

/// A wish to be told of every commit, until it is cancelled.
public final class CommitSubscription {
  private var cancelBody: (() -> Void)?

  init(_ cancel: @escaping () -> Void) { cancelBody = cancel }

  /// Ends it; harmless when done twice.
  public func cancel() {
    cancelBody?()
    cancelBody = nil
  }
}

/// A subscription to commits, which lasts until it is cancelled.
public final class CommitSubscription {
  private var cancelBody: (() -> Void)?

  /// Creates a subscription that `cancel` ends.
  package init(_ cancel: @escaping () -> Void) { cancelBody = cancel }

  /// Ends the subscription. Calling it again has no effect.
  public func cancel() {
    cancelBody?()
    cancelBody = nil
  }
}

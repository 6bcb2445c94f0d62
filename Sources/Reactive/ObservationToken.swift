/// A registered observation, which lasts until it is cancelled; releasing the token does not cancel it.
public final class ObservationToken {
  private var onCancel: (() -> Void)?

  /// Creates the token of an observation that `onCancel` ends.
  public init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  /// Whether the observation is still active.
  public var isActive: Bool { onCancel != nil }

  /// Ends the observation; may be called twice.
  public func cancel() {
    let body = onCancel
    onCancel = nil
    body?()
  }
}

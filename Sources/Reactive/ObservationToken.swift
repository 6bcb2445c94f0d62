/// A wish to be told of something, until it is cancelled; dropping it cancels nothing.
public final class ObservationToken {
  private var onCancel: (() -> Void)?

  /// Makes the token of an observation that `onCancel` ends.
  public init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  /// Whether the observation goes on.
  public var isActive: Bool { onCancel != nil }

  /// Ends it; harmless when done twice.
  public func cancel() {
    let body = onCancel
    onCancel = nil
    body?()
  }
}

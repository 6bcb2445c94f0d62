/// An error that kept live results, or an observer, from following their store. They keep their state, and try again in
/// each turn.
public struct UpdateFailure: Error {
  /// The results' or observer's name in messages.
  public let name: String
  /// The reason.
  public let reason: any Error
}

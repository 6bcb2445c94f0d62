/// What kept live results, or an observer, from following their store: they stay as they are, and try again in each turn.
public struct UpdateFailure: Error {
  /// What could not follow, as messages call it.
  public let name: String
  /// Why.
  public let reason: any Error
}

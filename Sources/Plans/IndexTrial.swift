/// What indexes would do for a request, found out by making them for a moment.
public struct IndexTrial: Sendable {
  /// The indexes that were tried together.
  public var indexes: [IndexAdvice]
  /// The statements that make them.
  public var statements: [String]
  /// The plan without them, in words.
  public var wordsBefore: [(depth: Int, text: String)]
  /// The plan with them.
  public var wordsAfter: [(depth: Int, text: String)]
  /// Whether SQLite uses each of them.
  public var isUsed: Bool
  /// How long the request takes without them: the median of several runs.
  public var secondsBefore: Double
  /// How long it takes with them.
  public var secondsAfter: Double
  /// How large they are.
  public var bytes: Int
  /// How long it took to make them.
  public var secondsToBuild: Double
  /// Whether they were made in a copy, because the store could not be written.
  public var isOnCopy: Bool
}

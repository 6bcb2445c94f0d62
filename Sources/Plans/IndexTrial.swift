/// The measured effect of indexes on a request, found by creating them temporarily.
public struct IndexTrial: Sendable {
  /// The indexes, tried together.
  public var indexes: [IndexAdvice]
  /// The statements that create them.
  public var statements: [String]
  /// The plan without them, in words.
  public var wordsBefore: [(depth: Int, text: String)]
  /// The plan with them.
  public var wordsAfter: [(depth: Int, text: String)]
  /// Whether SQLite uses each of them.
  public var isUsed: Bool
  /// The time of the request without them: the median of several runs.
  public var secondsBefore: Double
  /// The time with them.
  public var secondsAfter: Double
  /// Their size in bytes.
  public var bytes: Int
  /// The time to build them.
  public var secondsToBuild: Double
  /// Whether they were created in a copy, because the store could not be written.
  public var isOnCopy: Bool
}

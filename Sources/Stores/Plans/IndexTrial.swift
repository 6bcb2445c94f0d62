import Modeling

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
  /// Whether the store uses each of them.
  public var isUsed: Bool
  /// The time of the request without them: the median of several runs.
  public var secondsBefore: Double
  /// The time with them.
  public var secondsAfter: Double
  /// Their size in bytes.
  public var bytes: Int
  /// The time to build them.
  public var secondsToBuild: Double
  /// Whether they were created in a copy, where the store could not be written.
  public var isOnCopy = false

  package init(
    indexes: [IndexAdvice], statements: [String], wordsBefore: [(depth: Int, text: String)],
    wordsAfter: [(depth: Int, text: String)], isUsed: Bool, secondsBefore: Double, secondsAfter: Double, bytes: Int,
    secondsToBuild: Double
  ) {
    (self.indexes, self.statements, self.isUsed) = (indexes, statements, isUsed)
    (self.wordsBefore, self.wordsAfter) = (wordsBefore, wordsAfter)
    (self.secondsBefore, self.secondsAfter) = (secondsBefore, secondsAfter)
    (self.bytes, self.secondsToBuild) = (bytes, secondsToBuild)
  }

  private static let mostRuns = 7
  private static let longestSeconds = 0.5

  /// Runs `body` several times, or once if it takes long; returns the median of its durations after the first, which fills the
  /// cache.
  package static func medianSeconds(of body: () throws -> Void) rethrows -> Double {
    func once() throws -> Double {
      let start = monotonicSeconds()
      try body()
      return monotonicSeconds() - start
    }
    let first = try once()
    // A run of that length is not much faster the second time.
    if first >= longestSeconds { return first }
    var times: [Double] = []
    while times.count < mostRuns, first * Double(times.count) < longestSeconds { times.append(try once()) }
    times.sort()
    return times[times.count / 2]
  }
}

/// A request to stop long work, because of Ctrl-C, a time limit or a lack of memory.
///
///     try Interruption.asking({ lua.isInterrupted }) {
///       try predicate.matches(object)               // throws EvaluationInterrupted
///     }
///
/// Work that may take more than some milliseconds asks repeatedly. On other threads there is no request, and work is
/// not stopped.
public enum Interruption {
  private struct Question: @unchecked Sendable {
    let isRequested: () -> Bool
  }

  private static let question = TaskLocal<Question?>(wrappedValue: nil)

  /// Whether the running work should stop.
  public static func isRequested() -> Bool { question.get()?.isRequested() ?? false }

  /// Throws if the running work should stop.
  public static func check() throws(EvaluationInterrupted) {
    if isRequested() { throw EvaluationInterrupted() }
  }

  /// Runs `body`; work within it that asks is stopped once `isRequested` returns true.
  public static func asking<Result>(
    _ isRequested: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    try question.withValue(Question(isRequested: isRequested), operation: body)
  }
}

/// Asks periodically, in a loop, whether to stop.
///
///     var poll = InterruptionPoll()
///     for object in objects {
///       try poll.step()
///       ...
///     }
public struct InterruptionPoll {
  private var steps: UInt = 0
  private var bytes = 0

  /// Creates a poll that asks at the first step.
  public init() {}

  /// Counts an iteration of the loop, some microseconds of work, and asks at every 256th.
  @inline(__always)
  public mutating func step() throws(EvaluationInterrupted) {
    if steps & 0xFF == 0 { try Interruption.check() }
    steps &+= 1
  }

  /// Counts an iteration that works on so many bytes, for texts of any length: asks at every 256th, and every 256 KB.
  public mutating func step(over bytes: Int) throws(EvaluationInterrupted) {
    self.bytes &+= bytes
    if self.bytes >= 1 << 18 {
      self.bytes = 0
      try Interruption.check()
    }
    try step()
  }
}

/// An evaluation was stopped because of an `Interruption`.
public struct EvaluationInterrupted: Error {
  /// Creates the error.
  public init() {}
}

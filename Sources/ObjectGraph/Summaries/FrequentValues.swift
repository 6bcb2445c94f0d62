public import Modeling

/// The most frequent values of an expression among the objects that a request selects, and how often each comes.
public struct FrequentValues {
  /// The values, the most frequent first, equally frequent ones in their order; no value, if any object has none, last.
  public internal(set) var values: [(value: Value, count: Int)] = []
  /// Whether there are more values than these.
  public internal(set) var isCut = false
  /// Whether unsaved changes were left out, because there are too many values to count them in memory.
  public internal(set) var leavesOutUnsaved = false
}

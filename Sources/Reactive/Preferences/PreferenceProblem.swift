/// A problem with a preference file; values are then kept in memory.
public enum PreferenceProblem: Hashable, Sendable {
  /// The file has another format or is damaged, and was renamed.
  case damaged(path: String, movedTo: String)
  /// The file cannot be read.
  case unreadable(path: String, reason: String)
  /// The file cannot be written.
  case unwritable(path: String, reason: String)
  /// A value has another type than expected; the default is used.
  case otherType(name: String, expected: String, found: String)
}

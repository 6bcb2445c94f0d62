/// What went wrong with a preference file; values are kept in memory then.
public enum PreferenceProblem: Hashable, Sendable {
  /// The file has another format or is damaged, and was moved aside.
  case damaged(path: String, movedTo: String)
  /// The file cannot be read.
  case unreadable(path: String, reason: String)
  /// The file cannot be written.
  case unwritable(path: String, reason: String)
  /// A value is of another type than it should be; the default counts.
  case otherType(name: String, expected: String, found: String)
}

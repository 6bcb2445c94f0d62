/// How a store learns of remote commits, if that differs from table to table.
public enum ChangeSource: Hashable, Sendable {
  /// A record says which rows were written, and a notification wakes followers.
  case historyAndNotifications
  /// A record says which rows were written; it is looked at after so many seconds.
  case historyAndPolling(seconds: Double)
  /// The server is asked at intervals, in seconds, whether others have written; which rows is not known.
  case polling(seconds: Double)
}

/// Which way a save is gone: back, or forth again.
public enum SaveDirection: Hashable, Sendable {
  /// What a save wrote is taken back.
  case undo
  /// What was taken back is written again.
  case redo
}

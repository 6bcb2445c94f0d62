/// The direction: undo or redo.
public enum SaveDirection: Hashable, Sendable {
  /// Reverts a save.
  case undo
  /// Applies a reverted save again.
  case redo
}

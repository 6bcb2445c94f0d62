/// A way in which changes are reverted or made again.
public enum TakenBack: String, Sendable {
  case undone, redone
  case rolledBack = "rolled back"
}

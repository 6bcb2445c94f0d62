/// A way in which changes are taken back or made again.
public enum TakenBack: String, Sendable {
  case undone, redone
  case rolledBack = "rolled back"
}

/// The version of perilune.
public enum PeriluneVersion {
  /// The version as people read it.
  public static let text = "0.1.0"
}

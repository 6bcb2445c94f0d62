/// The version of perilune.
public enum PeriluneVersion {
  /// The version as text.
  public static let text = "0.1.0"
}

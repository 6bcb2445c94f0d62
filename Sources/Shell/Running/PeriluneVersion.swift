/// The version of perilune.
public enum PeriluneVersion {
  public static let text = "0.1.0"
}

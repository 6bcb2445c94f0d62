/// The version of perilune.
package enum PeriluneVersion {
  /// The version as text.
  package static let text = "0.1.0"
}

import Foundation

/// How long random tests run: `PERILUNE_LONG_TESTS=1` lets them run for minutes.
public enum Effort {
  /// Whether PERILUNE_LONG_TESTS is set.
  public static let isLong = ProcessInfo.processInfo.environment["PERILUNE_LONG_TESTS"] != nil

  /// The usual number of rounds; many times as many in the long form.
  public static func rounds(_ usual: Int) -> Int { isLong ? usual * 50 : usual }
}

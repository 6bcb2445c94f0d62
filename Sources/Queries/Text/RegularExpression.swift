internal import Foundation

/// The regular expressions of MATCHES.
enum RegularExpression {
  /// Why `pattern` cannot be used, or nil if it can.
  static func problem(in pattern: String) -> String? {
    do {
      _ = try NSRegularExpression(pattern: pattern)
      _ = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
      return nil
    } catch {
      return "\(error)"
    }
  }
}

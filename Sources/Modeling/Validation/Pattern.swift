internal import Synchronization

internal import struct Foundation.NSRange
internal import class Foundation.NSRegularExpression

/// A regular expression that a whole text must match, compiled once per pattern.
struct Pattern: Sendable {
  /// Nil if the pattern is not a valid regular expression.
  private let expression: NSRegularExpression?

  private static let known = Mutex<[String: Pattern]>([:])

  /// Returns the compiled pattern from a cache, which never evicts: models have few patterns.
  static func named(_ pattern: String) -> Pattern {
    known.withLock { known in
      if let pattern = known[pattern] { return pattern }
      let compiled = Pattern(pattern)
      known[pattern] = compiled
      return compiled
    }
  }

  private init(_ pattern: String) {
    // Compiled alone first: `a)(b` would become valid within a group.
    guard (try? NSRegularExpression(pattern: pattern)) != nil else {
      expression = nil
      return
    }
    expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
  }

  /// Whether the pattern is valid.
  var isValid: Bool { expression != nil }

  /// Whether the whole of `text` matches; an invalid pattern matches nothing.
  func matchesWhole(_ text: String) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression?.firstMatch(in: text, range: range) != nil
  }
}

internal import Synchronization

internal import struct Foundation.NSRange
internal import class Foundation.NSRegularExpression

/// A regular expression that a whole text must match, compiled once for each spelling.
struct Pattern: Sendable {
  /// Nil where the spelling is no regular expression.
  private let expression: NSRegularExpression?

  private static let known = Mutex<[String: Pattern]>([:])

  /// The compiled `pattern`; models are few, so none is ever forgotten.
  static func named(_ pattern: String) -> Pattern {
    known.withLock { known in
      if let pattern = known[pattern] { return pattern }
      let compiled = Pattern(pattern)
      known[pattern] = compiled
      return compiled
    }
  }

  private init(_ pattern: String) {
    // Compiled by itself first: `a)(b` would become valid by the group around it.
    guard (try? NSRegularExpression(pattern: pattern)) != nil else {
      expression = nil
      return
    }
    expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
  }

  /// Whether the spelling is a regular expression.
  var isValid: Bool { expression != nil }

  /// Whether the whole of `text` matches; nothing matches an invalid pattern.
  func matchesWhole(_ text: String) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression?.firstMatch(in: text, range: range) != nil
  }
}

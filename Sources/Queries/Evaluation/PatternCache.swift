/// A cache of the last pattern that was not constant; usually the next object has the same.
final class PatternCache {
  private let comparator: Comparator
  private let options: ComparisonOptions
  private var last: (text: String, pattern: TextPattern)?

  init(_ comparator: Comparator, _ options: ComparisonOptions) {
    self.comparator = comparator
    self.options = options
  }

  func pattern(_ text: String) throws -> TextPattern {
    if let last, compareBytes(last.text, text) == 0 { return last.pattern }
    let pattern = try TextPattern(comparator, text, options)
    last = (text, pattern)
    return pattern
  }
}

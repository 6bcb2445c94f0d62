internal import Foundation
internal import Modeling

/// The regular expression of MATCHES, which must match the whole text, in ICU's syntax.
struct RegularExpression {
  private let expression: NSRegularExpression
  /// The differences to fold away before matching.
  private let folding: ComparisonOptions

  /// Compiles `pattern`; `c` ignores case, `d` ignores diacritics, `l` treats equivalent spellings of a character as
  /// equal.
  init(_ pattern: String, _ options: ComparisonOptions) throws(PredicateError) {
    if let reason = Self.problem(in: pattern) {
      throw PredicateError(.invalidRegularExpression(pattern, reason: reason))
    }
    folding = options.applied.subtracting(.caseInsensitive)
    do {
      expression = try NSRegularExpression(
        pattern: Self.anchored(folded(pattern, folding)),
        options: options.applied.contains(.caseInsensitive) ? .caseInsensitive : [])
    } catch {
      throw PredicateError(.invalidRegularExpression(pattern, reason: Self.unknownReason))
    }
  }

  /// Whether the whole text matches.
  func matches(_ text: String) throws -> Bool {
    let text = try foldedInParts(text, folding)
    var (isFound, isStopped) = (false, false)
    let range = NSRange(location: 0, length: text.utf16.count)
    expression.enumerateMatches(in: text, options: .reportProgress, range: range) { match, _, stop in
      if match != nil { isFound = true }
      if match == nil, Interruption.isRequested() { isStopped = true }
      if isFound || isStopped { stop.pointee = true }
    }
    if isStopped { throw EvaluationInterrupted() }
    return isFound
  }

  private static func anchored(_ pattern: String) -> String { "\\A(?:\(pattern))\\z" }

  // MARK: What is wrong

  private static let unknownReason = "ICU does not accept it"

  /// The reason why `pattern` is invalid; nil if it is valid.
  static func problem(in pattern: String) -> String? {
    // The pattern alone as well: `a)|(b` would be valid between the anchors. Foundation rejects an empty pattern.
    let isValid = [pattern, anchored(pattern)].allSatisfy {
      $0.isEmpty || (try? NSRegularExpression(pattern: $0)) != nil
    }
    return isValid ? nil : reason(pattern)
  }

  /// Foundation reports only that a pattern is invalid; this function finds the usual causes.
  private static func reason(_ pattern: String) -> String {
    var (open, isInSet, isEscaped) = (0, false, false)
    var previous: Character?
    for character in pattern {
      if isEscaped {
        (isEscaped, previous) = (false, "\\")
        continue
      }
      if character == "\\" {
        isEscaped = true
      } else if isInSet {
        isInSet = character != "]"
      } else {
        switch character {
        case "[": isInSet = true
        case "(": open += 1
        case ")":
          open -= 1
          if open < 0 { return ") without (" }
        case "*", "+", "?":
          if previous == nil || previous == "(" || previous == "|" { return "nothing before \(character) to repeat" }
        default: break
        }
      }
      previous = character
    }
    if isEscaped { return "a backslash at the end" }
    if isInSet { return "[ without ]" }
    return open > 0 ? "( without )" : unknownReason
  }
}

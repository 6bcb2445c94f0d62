internal import Modeling
internal import Queries

// Rules for texts that have no special meaning where they stand, although one was probably intended.
extension RefusalRule {
  static let texts = [placeholderInQuotes, wildcardsOfSQL]

  private static let placeholderInQuotes = RefusalRule(
    id: "placeholder-in-quotes", severity: .wrong, stores: [.sqlite, .memory, .swiftData],
    summary: "A placeholder in quotes, as '%@', is a text of these characters and takes no argument.",
    advice: "write the placeholder without quotes"
  ) { subject in
    subject.expressions { expression, _ in
      guard case .constant(let value) = expression else { return false }
      return switch value {
      case .string(let text): isPlaceholder(text)
      case .list(let values): values.contains { if case .string(let text) = $0 { isPlaceholder(text) } else { false } }
      default: false
      }
    }
  }

  private static func isPlaceholder(_ text: String) -> Bool {
    ["%@", "%K", "%d", "%i", "%u", "%f", "%s", "%ld", "%lu", "%lf", "%lld", "%llu"].contains(text)
      || ["*%@", "%@*", "*%@*"].contains(text)
  }

  private static let wildcardsOfSQL = RefusalRule(
    id: "sql-wildcards", severity: .wrong, stores: [.sqlite, .memory, .swiftData],
    summary: "LIKE has a percent sign at an end, which is the wildcard of SQL and stands for itself here.",
    advice: "write * for any text and ? for any one character"
  ) { subject in
    subject.comparisons { comparison, _ in
      guard comparison.comparator == .like, case .string(let pattern)? = comparison.right.constantValue,
        !isPlaceholder(pattern)
      else { return false }
      return (pattern.hasPrefix("%") || pattern.hasSuffix("%")) && !pattern.contains("*")
    }
  }
}

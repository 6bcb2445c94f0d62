internal import Modeling
internal import ObjectGraph
internal import Queries

/// The changes that would make an object satisfy a predicate, as text.
struct RemedyText {
  let context: ObjectContext

  func sentence(_ remedy: Remedy?) -> String {
    guard let remedy else { return "no change of its values was found that would make it match" }
    return "would match if " + remedy.changes.map { words($0) }.joined(separator: " and ")
  }

  /// One change: `magnitude was at least 5 (is 4.9)`.
  func words(_ change: Remedy.Change) -> String {
    guard let reason = change.reason else {
      let isNow = " (is \(words(change.current)))"
      return "\(change.attribute?.name ?? "it") was \(change.value.map { words($0) } ?? "another")\(isNow)"
    }
    guard case .comparison(let comparison) = reason.clause, let text = words(comparison, change.wanted) else {
      return "\(reason.clause) was \(change.wanted)" + (change.attribute.map { isNow($0, change) } ?? "")
    }
    if reason.elements == nil, reason.operands.count == 1, reason.operands[0].expression == comparison.left {
      return "\(text) (is \(words(reason.operands[0].value)))"
    }
    return text + (change.attribute.map { isNow($0, change) } ?? "")
  }

  private func isNow(_ attribute: Attribute, _ change: Remedy.Change) -> String {
    " (\(attribute.name) is \(words(change.current)))"
  }

  private func words(_ value: Value) -> String { ReasonText(context: context).words(value) }

  private func words(_ expression: Queries.Expression) -> String {
    if case .constant(let value) = expression { return words(value) }
    return expression.description
  }

  // MARK: Comparisons

  /// `place contained "Chile"`; nil for a comparison that is shown unchanged.
  private func words(_ comparison: Comparison, _ wanted: Bool) -> String? {
    // A constant on the left side reads better unchanged.
    if case .constant = comparison.left { return nil }
    let left =
      switch comparison.modifier {
      case .direct: comparison.left.description
      case .any: wanted ? "any of \(comparison.left)" : "none of \(comparison.left)"
      case .all: wanted ? "each of \(comparison.left)" : "one of \(comparison.left)"
      case .none: wanted ? "none of \(comparison.left)" : "any of \(comparison.left)"
      }
    // For NONE, and for an ANY that must be false, the text is that of the comparison itself.
    let isSaidAsIs = comparison.modifier == .any || comparison.modifier == .none
    return verb(comparison, isSaidAsIs || wanted).map { "\(left) \($0)" }
  }

  private func verb(_ comparison: Comparison, _ wanted: Bool) -> String? {
    let right = words(comparison.right)
    let isNil = comparison.right == .constant(.null)
    switch comparison.comparator {
    case .equal where isNil: return wanted ? "was nil" : "had a value"
    case .notEqual where isNil: return wanted ? "had a value" : "was nil"
    case .equal: return wanted ? "was \(right)" : "was other than \(right)"
    case .notEqual: return wanted ? "was other than \(right)" : "was \(right)"
    case .less: return wanted ? "was less than \(right)" : "was at least \(right)"
    case .lessOrEqual: return wanted ? "was at most \(right)" : "was greater than \(right)"
    case .greater: return wanted ? "was greater than \(right)" : "was at most \(right)"
    case .greaterOrEqual: return wanted ? "was at least \(right)" : "was less than \(right)"
    case .between:
      guard let ends = comparison.right.bounds else { return nil }
      return (wanted ? "was from " : "was outside of ") + "\(words(ends.low)) to \(words(ends.high))"
    case .in: return wanted ? "was in \(right)" : "was not in \(right)"
    case .contains: return wanted ? "contained \(right)" : "did not contain \(right)"
    case .beginsWith: return wanted ? "began with \(right)" : "did not begin with \(right)"
    case .endsWith: return wanted ? "ended with \(right)" : "did not end with \(right)"
    case .like: return wanted ? "was like \(right)" : "was not like \(right)"
    case .matches: return wanted ? "matched \(right)" : "did not match \(right)"
    }
  }
}

extension Queries.Expression {
  /// The two ends of a BETWEEN.
  fileprivate var bounds: (low: Queries.Expression, high: Queries.Expression)? {
    switch self {
    case .aggregate(let ends) where ends.count == 2: (ends[0], ends[1])
    case .constant(.list(let ends)) where ends.count == 2: (.constant(ends[0]), .constant(ends[1]))
    default: nil
    }
  }
}

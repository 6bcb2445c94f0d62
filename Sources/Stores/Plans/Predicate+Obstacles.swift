import Modeling
package import Queries

extension Queries.Predicate {
  /// The clauses that no index can serve, with the reasons.
  package var obstacles: [ExplanationWarning] {
    switch self {
    case .and(let terms), .or(let terms): terms.flatMap(\.obstacles)
    case .not(let inner): inner.obstacles
    case .comparison(let comparison): comparison.obstacle.map { [.unindexable(clause: description, $0)] } ?? []
    case .expression, .constant: []
    }
  }
}

extension Comparison {
  /// The reason why no index can serve the comparison; nil if one can, or if it does not concern a value of the object
  /// itself.
  fileprivate var obstacle: ExplanationWarning.Obstacle? {
    guard modifier == .direct else { return nil }
    if case .function(let function, let arguments, _) = left, right.paths.isEmpty, left.paths.count == 1,
      arguments.contains(where: { !$0.paths.isEmpty })
    {
      return .function(function.rawValue, of: left.paths[0].text)
    }
    guard case .path = left else { return nil }
    if !options.intersection([.caseInsensitive, .diacriticInsensitive]).isEmpty {
      let letters =
        (options.contains(.caseInsensitive) ? "c" : "") + (options.contains(.diacriticInsensitive) ? "d" : "")
      return .folding("[\(letters)]")
    }
    switch comparator {
    case .contains, .endsWith, .matches: return .anywhere
    case .like: return beginsWithWildcard ? .anywhere : nil
    case .notEqual: return right == .constant(.null) ? nil : .difference
    default: return nil
    }
  }

  private var beginsWithWildcard: Bool {
    guard case .constant(.string(let pattern)) = right else { return false }
    return pattern.hasPrefix("*") || pattern.hasPrefix("?")
  }
}

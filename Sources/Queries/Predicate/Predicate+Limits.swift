internal import Modeling

extension Predicate {
  /// The maximum number of comparisons.
  static let sizeLimit = 100_000

  /// Returns the predicate, or throws if it is too deep or too large.
  ///
  /// The parser bounds parsed predicates; this bounds composed ones, which can double with every step.
  public func limited() throws(PredicateError) -> Predicate {
    if nesting() > Nesting.predicates { throw PredicateError(.tooDeep(limit: Nesting.predicates)) }
    if size > Self.sizeLimit { throw PredicateError(.tooLarge(limit: Self.sizeLimit)) }
    return self
  }

  /// The nesting depth of brackets and NOT in the printed predicate; in brackets itself if `level` binds tighter.
  private func nesting(within level: Int = 0) -> Int {
    func deepest(_ terms: [Predicate], own: Int) -> Int {
      guard terms.count > 1 else { return terms.first?.nesting(within: level) ?? 0 }
      return (level > own ? 1 : 0) + (terms.lazy.map { $0.nesting(within: own + 1) }.max() ?? 0)
    }
    switch self {
    case .constant, .comparison, .expression: return 0
    case .or(let terms): return deepest(terms, own: 1)
    case .and(let terms): return deepest(terms, own: 2)
    case .not(let inner): return 1 + inner.nesting(within: 3)
    }
  }

  /// The number of conditions that are not composed of others.
  private var size: Int {
    switch self {
    case .constant, .comparison, .expression: 1
    case .or(let terms), .and(let terms): terms.reduce(0) { $0 + $1.size }
    case .not(let inner): inner.size
    }
  }
}

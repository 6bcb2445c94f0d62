internal import Modeling

extension Predicate {
  /// How many comparisons it may have.
  static let sizeLimit = 100_000

  /// The predicate itself, unless it is too deep or too large to be worked with.
  ///
  /// Reading bounds what is read; this bounds what is put together from it, which can double with every step.
  public func limited() throws(PredicateError) -> Predicate {
    if nesting() > Nesting.predicates { throw PredicateError(.tooDeep(limit: Nesting.predicates)) }
    if size > Self.sizeLimit { throw PredicateError(.tooLarge(limit: Self.sizeLimit)) }
    return self
  }

  /// How deep brackets and NOT nest when the predicate is printed; in brackets itself where `level` binds tighter.
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

  /// How many conditions there are that are not put together from others.
  private var size: Int {
    switch self {
    case .constant, .comparison, .expression: 1
    case .or(let terms), .and(let terms): terms.reduce(0) { $0 + $1.size }
    case .not(let inner): inner.size
    }
  }
}

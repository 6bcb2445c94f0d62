internal import Modeling

extension Predicate {
  /// The maximum number of comparisons.
  static let sizeLimit = 100_000

  /// Returns the predicate, or throws if it is too deep or too large.
  ///
  /// The parser bounds parsed predicates; this bounds composed ones, which can double with every step.
  public func limited() throws(PredicateError) -> Predicate {
    try extent.checkLimits()
    return self
  }

  /// The number of the predicate's conditions, and the depth of their nesting.
  public var extent: PredicateExtent {
    // Terms of a conjunction join another one without brackets.
    PredicateExtent(size: size, nesting: nesting(), joinedNesting: nesting(within: 2))
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

/// The size and the depth of a predicate, which are known of a conjunction without looking through it again.
public struct PredicateExtent: Hashable, Sendable {
  /// The number of conditions that are not composed of others.
  fileprivate let size: Int
  /// The nesting depth of brackets and NOT in the printed predicate.
  fileprivate let nesting: Int
  /// The same where the predicate is a part of a conjunction.
  fileprivate let joinedNesting: Int

  /// The extent of `predicate & other`, in constant time.
  public func joined(with other: PredicateExtent) -> PredicateExtent {
    let deepest = max(joinedNesting, other.joinedNesting)
    return PredicateExtent(size: size + other.size, nesting: deepest, joinedNesting: deepest)
  }

  /// Throws if the predicate is too deep or too large.
  public func checkLimits() throws(PredicateError) {
    if nesting > Nesting.predicates { throw PredicateError(.tooDeep(limit: Nesting.predicates)) }
    if size > Predicate.sizeLimit { throw PredicateError(.tooLarge(limit: Predicate.sizeLimit)) }
  }
}

internal import Modeling
public import Queries

/// The top-level clauses of a predicate, and how they are joined.
///
///     a > 1 AND NOT (b == 2 OR c == 3)     // all of: a > 1, NOT b == 2, NOT c == 3
public struct ClauseList: Hashable, Sendable {
  /// How the clauses are joined.
  public enum Joint: String, Hashable, Sendable {
    case all = "AND"
    case any = "OR"
  }

  /// The clauses, in their order.
  public var clauses: [Predicate]
  /// How they are joined.
  public var joint: Joint

  /// A predicate with more clauses is kept as one clause: a statement has a limited number of columns.
  private static let mostClauses = 200

  /// Splits a predicate into its clauses.
  public init(_ predicate: Predicate) {
    let (joint, clauses) = Self.parts(predicate, isNegated: false)
    if clauses.isEmpty || clauses.count > Self.mostClauses {
      self.clauses = [predicate]
      self.joint = .all
    } else {
      self.clauses = clauses
      self.joint = joint ?? .all
    }
  }

  private static func parts(_ predicate: Predicate, isNegated: Bool) -> (Joint?, [Predicate]) {
    switch predicate {
    case .not(let inner): return parts(inner, isNegated: !isNegated)
    case .and(let terms): return join(terms, isNegated ? .any : .all, isNegated)
    case .or(let terms): return join(terms, isNegated ? .all : .any, isNegated)
    default: return (nil, [isNegated ? .not(predicate) : predicate])
    }
  }

  /// Returns the joint of terms, and whether they can be split into clauses.
  private static func join(_ terms: [Predicate], _ joint: Joint, _ isNegated: Bool) -> (Joint?, [Predicate]) {
    let clauses = terms.flatMap { term -> [Predicate] in
      let (inner, clauses) = parts(term, isNegated: isNegated)
      return inner == nil || inner == joint ? clauses : [isNegated ? .not(term) : term]
    }
    return (joint, clauses)
  }

  /// Returns the predicate's answer for the given answers of its clauses.
  public func whole(_ answers: some Sequence<Bool?>) -> Bool? {
    var isKnown = true
    for answer in answers {
      if answer == (joint == .any) { return joint == .any }
      if answer == nil { isKnown = false }
    }
    return isKnown ? joint == .all : nil
  }
}

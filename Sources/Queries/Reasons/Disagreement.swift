internal import Modeling

/// A clause with different results in memory and in a store for an object, with the cause.
///
///     try Predicate.parse("place != \"x\"").disagreement(for: quake)?.cause     // .nilCompared(place)
public struct Disagreement: Hashable, Sendable {
  /// The clause, without a NOT around it.
  public var clause: Predicate
  /// Foundation's result in memory.
  public var inMemory: Bool
  /// The store's result; nil for neither.
  public var inStore: Bool?
  /// Whether the clause is within a NOT, which turns false into true and keeps neither.
  public var isNegated: Bool
  /// The cause.
  public var cause: Cause

  /// The causes of disagreements.
  public enum Cause: Hashable, Sendable {
    /// A side is nil, and in memory a value is unequal to nil.
    case nilCompared(Expression)
    /// Both sides are nil, which are equal in memory.
    case nilsCompared
    /// The list of IN contains nil.
    case nilInList
    /// Values of different types are compared.
    case differentClasses(String, String)
    /// An element of the collection is nil.
    case nilElement(Expression)
    /// A SUBQUERY selects other elements.
    case selection(Expression)
    case other
  }
}

extension Predicate {
  /// Returns the clause on which memory and a store disagree for an object; nil if they agree.
  public func disagreement(for subject: any PredicateSubject) throws -> Disagreement? {
    let memory = try reason(for: subject, semantics: .memory)
    let store = try reason(for: subject, semantics: .store)
    return Disagreement.find(memory, store, isNegated: false)
  }
}

extension Disagreement {
  /// The first leaf with two results, below clauses with two results.
  fileprivate static func find(_ memory: Reason, _ store: Reason, isNegated: Bool) -> Disagreement? {
    guard memory.answer != store.answer else { return nil }
    if case .not = memory.clause { return inner(memory, store, isNegated: !isNegated) }
    if !memory.clauses.isEmpty { return inner(memory, store, isNegated: isNegated) }
    return Disagreement(
      clause: memory.clause, inMemory: memory.answer == true, inStore: store.answer, isNegated: isNegated,
      cause: cause(store))
  }

  private static func inner(_ memory: Reason, _ store: Reason, isNegated: Bool) -> Disagreement? {
    zip(memory.clauses, store.clauses).firstResult { find($0.0, $0.1, isNegated: isNegated) }
  }

  private static func cause(_ reason: Reason) -> Cause {
    guard case .comparison(let comparison) = reason.clause else {
      return reason.operands.first.map { .nilCompared($0.expression) } ?? .other
    }
    if let elements = reason.elements { return .nilElement(elements.collection) }
    if let selection = reason.operands.flatMap(\.selections).first { return .selection(selection.collection) }
    let missing = reason.operands.filter(\.value.isNull)
    if comparison.right.listElements?.contains(where: { $0.constantValue == .null }) == true { return .nilInList }
    if missing.count == 2 { return .nilsCompared }
    if let operand = missing.first { return .nilCompared(operand.expression) }
    let kinds = [comparison.left, comparison.right].map { side in
      reason.operands.first { $0.expression == side }?.value.kindName ?? side.constantValue?.kindName ?? "nil"
    }
    return kinds[0] == kinds[1] ? .other : .differentClasses(kinds[0], kinds[1])
  }
}

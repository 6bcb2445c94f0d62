internal import Modeling
internal import Queries

extension SourceReader {
  /// `NSCompoundPredicate(type: .and, subpredicates: [...])`
  mutating func compound(_ type: SwiftSyntax, _ list: SwiftSyntax) -> SourcePredicate? {
    switch type.kind {
    case .member(_, "and"): return compound(list) { .and($0) }
    case .member(_, "or"): return compound(list) { .or($0) }
    case .member(_, "not"):
      guard case .array(let elements) = list.kind, elements.count == 1 else { return notAConstant(list) }
      return negation(elements[0])
    default: return notAConstant(type)
    }
  }

  mutating func compound(_ list: SwiftSyntax, _ join: ([Predicate]) -> Predicate) -> SourcePredicate? {
    guard case .array(let elements) = list.kind else { return notAConstant(list) }
    var parts: [SourcePredicate] = []
    for element in elements {
      guard let part = required(element) else { return nil }
      parts.append(part)
    }
    // An empty conjunction is true, an empty disjunction false, as in Foundation.
    if parts.isEmpty { return SourcePredicate(predicate: join([]) == .and([]) ? .constant(true) : .constant(false)) }
    let isConjunction = if case .and = join([]) { true } else { false }
    let joined = parts.dropFirst().reduce(parts[0].predicate) { isConjunction ? $0 & $1.predicate : $0 | $1.predicate }
    return joining(parts, joined, list)
  }

  mutating func negation(_ syntax: SwiftSyntax) -> SourcePredicate? {
    guard let part = required(syntax) else { return nil }
    return joining([part], .not(part.predicate), syntax)
  }

  /// The predicate that a value must be. Reports an error if it is not one, unless its own errors were reported.
  private mutating func required(_ syntax: SwiftSyntax) -> SourcePredicate? {
    let count = issues.found.count
    if let found = predicate(from: syntax) { return found }
    return issues.found.count == count ? notAConstant(syntax) : nil
  }

  private mutating func joining(
    _ parts: [SourcePredicate], _ predicate: Predicate, _ syntax: SwiftSyntax
  ) -> SourcePredicate? {
    var whole = SourcePredicate(predicate: predicate, entity: parts.firstResult(\.entity))
    whole.weight = parts.reduce(1) { $0 + $1.weight }
    whole.depth = 1 + (parts.map(\.depth).max() ?? 0)
    guard whole.weight <= SourcePredicate.mostWeight, whole.depth <= Nesting.swiftPredicates else {
      issues.report(.tooDeep, at: syntax.range)
      return nil
    }
    return whole
  }
}

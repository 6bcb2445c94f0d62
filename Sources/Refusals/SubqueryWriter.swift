internal import Modeling
internal import Queries

/// Writes ANY, ALL and NONE over a to-many relationship as a SUBQUERY that is counted.
///
///     ANY reports.score > 5      SUBQUERY(reports, $x, $x.score > 5).@count > 0
///     NONE reports.score > 5     SUBQUERY(reports, $x, $x.score > 5).@count == 0
///     ALL reports.score > 5      SUBQUERY(reports, $x, NOT $x.score > 5 OR $x.score == nil).@count == 0
///
/// The nil is asked for where there may be one: ALL does not hold of it, and NOT does not either.
struct SubqueryWriter {
  private let scope: RefusalScope

  init(_ scope: RefusalScope) { self.scope = scope }

  /// The comparison as a count; nil for one without a to-many, and for an ALL that cannot be expressed exactly.
  func counted(_ comparison: Comparison) -> Predicate? {
    guard comparison.modifier != .direct, let (collection, rest) = split(comparison.left) else { return nil }
    let variable = scope.freshVariable(for: comparison)
    var element = comparison
    element.left = rest.isEmpty ? .variable(variable) : .variablePath(variable, PropertyPath(rest))
    element.modifier = .direct
    element.origin = nil
    let inner = scope.entering(collection, variable: variable)
    let condition: Predicate
    if inner.isToMany(element.left) {
      element.modifier = comparison.modifier == .all ? .all : .any
      guard let nested = SubqueryWriter(inner).counted(element) else { return nil }
      condition = comparison.modifier == .all ? .not(nested) : nested
    } else if comparison.modifier == .all {
      guard let failing = failure(of: element, inner) else { return nil }
      condition = failing
    } else {
      condition = .comparison(element)
    }
    let count = Expression.collection(
      .count, of: .subquery(collection, variable: variable, condition), key: nil)
    return .comparison(Comparison(count, comparison.modifier == .any ? .greater : .equal, .constant(.int(0))))
  }

  /// The condition that an element does not fulfil a comparison; nil if neither cannot be distinguished from false.
  private func failure(of comparison: Comparison, _ scope: RefusalScope) -> Predicate? {
    let isAboutNil =
      comparison.right.constantValue == .null && [.equal, .notEqual].contains(comparison.comparator)
    let negation = Predicate.not(.comparison(comparison))
    if isAboutNil { return negation }
    let constants = comparison.right.listElements ?? [comparison.right]
    guard constants.allSatisfy({ $0.constantValue.map { !$0.isNull } ?? false }) else { return nil }
    guard let path = scope.resolve(comparison.left) else { return negation }
    let mayBeNil = path.finalAttribute?.isOptional != false || !path.hops.isEmpty || path.hasCasts
    return mayBeNil
      ? .or([negation, .comparison(Comparison(comparison.left, .equal, .constant(.null)))]) : negation
  }

  /// The path up to its first to-many relationship, and what follows.
  private func split(_ expression: Expression) -> (collection: Expression, rest: [PropertyPath.Component])? {
    guard let resolved = scope.resolve(expression), let position = resolved.hops.firstIndex(where: \.isToMany) else {
      return nil
    }
    switch expression {
    case .path(let path):
      let collection = PropertyPath(Array(path.components.prefix(position + 1)))
      return (.path(collection), Array(path.components.dropFirst(position + 1)))
    case .variablePath(let name, let path):
      let collection = PropertyPath(Array(path.components.prefix(position + 1)))
      return (.variablePath(name, collection), Array(path.components.dropFirst(position + 1)))
    default: return nil
    }
  }
}

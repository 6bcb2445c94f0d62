internal import Modeling
internal import Queries
internal import SwiftParsing

extension PredicateLowering {
  mutating func call(
    _ method: String, _ base: Lowered, _ source: SwiftSyntax, _ closure: ClosureSyntax, _ syntax: SwiftSyntax
  ) -> Lowered {
    switch method {
    case "flatMap":
      guard let presence = base.presence else { return expected("an optional", source) }
      var bound = base
      bound.optionals = []
      (bound.isOptional, bound.isChained) = (false, false)
      return body(of: closure, [bound]).optional(base.optionals + [presence])
    case "contains", "filter", "allSatisfy": break
    default: return expected("a text", syntax)
    }
    if case .value = base.type { return expected("a collection", source) }
    if case .object = base.type { return expected("a collection", source) }
    let collection = value(base, at: source.range)
    let optionals = base.optionals.filter { !$0.isOf(collection) }
    let isForAll = method == "allSatisfy"
    let (variable, condition) = elementCondition(closure, of: base, isExact: isForAll)
    if method == "filter" {
      return Lowered.value(.subquery(collection, variable: variable, condition), base.type).optional(optionals)
    }
    if !isForAll, !isExact, let any = Self.any(collection, variable, condition) {
      return Lowered.condition(any).optional(optionals)
    }
    let subquery = Expression.subquery(collection, variable: variable, isForAll ? condition.negated : condition)
    let count = Expression.collection(.count, of: subquery, key: nil)
    let exists = Predicate.comparing(count, isForAll ? .equal : .notEqual, .constant(.int(0)))
    return Lowered.condition(exists).optional(optionals)
  }

  /// ANY, where it means the same: one comparison of an attribute of the element with something else.
  private static func any(_ collection: Expression, _ variable: String, _ condition: Predicate) -> Predicate? {
    guard case .path(let path) = collection, case .comparison(var comparison) = condition,
      comparison.modifier == .direct, case .variablePath(variable, let key) = comparison.left,
      !comparison.right.variables.contains(variable)
    else { return nil }
    comparison.left = .path(PropertyPath(path.components + key.components, origin: key.origin))
    comparison.modifier = .any
    return .comparison(comparison)
  }

  /// The least or greatest of the elements.
  mutating func extreme(_ function: CollectionOperator, of base: Lowered, _ source: SwiftSyntax) -> Lowered {
    guard base.isCollection || base.type == .unknown, let expression = base.expression else {
      return expected("a collection", source)
    }
    var type = ExpressionType.unknown
    if case .collection(let element) = base.type { type = element }
    if case .object = type { return expected("a collection of values", source) }
    // The elements of a list that is written out are the arguments of a function.
    if case .array(let elements) = source.unwrapped.kind, !elements.isEmpty {
      let arguments = elements.map { value(lower($0), at: $0.range) }
      return .value(.function(function == .minimum ? .min : .max, arguments), type)
    }
    return Lowered.value(.collection(function, of: expression, key: nil), type).optional(base.optionals)
  }
}

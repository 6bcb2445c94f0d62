internal import Modeling
internal import Queries

/// The one text that a condition or an expression of a model has, however it was spelled or archived.
enum CanonicalFormat {
  /// Reads a predicate and prints it.
  static func predicate(_ text: String, arguments: [PredicateArgument] = []) throws(PredicateError) -> String {
    try Predicate.parse(text, arguments: arguments).inlined.withoutNone.format
  }

  /// Reads an expression and prints it; an aggregate of a path as a key path has it, `pages.@count`.
  static func expression(_ text: String, arguments: [PredicateArgument] = []) throws(PredicateError) -> String {
    try Expression.parse(text, arguments: arguments).inlined.withKeyPathOperators.format
  }
}

extension Predicate {
  /// NONE as NOT ANY, which it is in archives.
  fileprivate var withoutNone: Predicate {
    switch self {
    case .constant, .expression: return self
    case .and(let terms): return .and(terms.map(\.withoutNone))
    case .or(let terms): return .or(terms.map(\.withoutNone))
    case .not(let inner): return .not(inner.withoutNone)
    case .comparison(var comparison):
      guard comparison.modifier == .none else { return self }
      comparison.modifier = .any
      return .not(.comparison(comparison))
    }
  }
}

extension Expression {
  /// `count(pages)` as `pages.@count`, and `sum(pages.number)` as `pages.@sum.number`.
  fileprivate var withKeyPathOperators: Expression {
    guard case .function(let function, let arguments, _) = self, arguments.count == 1,
      case .path(let path) = arguments[0]
    else { return self }
    let operators: [ExpressionFunction: CollectionOperator] = [
      .sum: .sum, .average: .average, .min: .minimum, .max: .maximum,
    ]
    if function == .count { return .collection(.count, of: arguments[0], key: nil) }
    guard let found = operators[function], path.components.count == 2 else { return self }
    let (collection, key) = (PropertyPath([path.components[0]]), PropertyPath([path.components[1]]))
    return .collection(found, of: .path(collection), key: key)
  }
}

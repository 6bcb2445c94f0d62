internal import Queries

/// A request taken apart, for rules to look through.
struct RefusalSubject {
  let request: FetchRequest
  /// Every condition of the predicate, outer ones first.
  private(set) var conditions: [(predicate: Predicate, scope: RefusalScope)] = []
  /// Every expression of the predicate, outer ones first, and the place of the comparison it is part of.
  private(set) var expressions: [(expression: Expression, scope: RefusalScope, origin: Origin?)] = []

  init(_ request: FetchRequest) {
    self.request = request
    if let predicate = request.predicate { add(predicate, RefusalScope(entity: request.entity)) }
  }

  private mutating func add(_ predicate: Predicate, _ scope: RefusalScope) {
    conditions.append((predicate, scope))
    let inside = scope.entering(predicate)
    switch predicate {
    case .constant: break
    case .and(let terms), .or(let terms): for term in terms { add(term, inside) }
    case .not(let inner): add(inner, inside)
    case .comparison(let comparison):
      add(comparison.left, scope, comparison.origin)
      add(comparison.right, scope, comparison.origin)
    case .expression(let expression): add(expression, scope, nil)
    }
  }

  private mutating func add(_ expression: Expression, _ scope: RefusalScope, _ origin: Origin?) {
    expressions.append((expression, scope, expression.origin ?? origin))
    for child in expression.children { add(child, scope, origin) }
    switch expression {
    case .subquery(let source, let variable, let predicate): add(predicate, scope.entering(source, variable: variable))
    case .ternary(let condition, _, _): add(condition, scope.asCondition)
    default: break
    }
  }

  // MARK: Places

  /// The comparisons for which `isBroken`.
  func comparisons(where isBroken: (Comparison, RefusalScope) -> Bool) -> [RefusalPlace] {
    conditions.compactMap { predicate, scope in
      guard case .comparison(let comparison) = predicate, isBroken(comparison, scope) else { return nil }
      return RefusalPlace(part: predicate.description, origin: comparison.origin)
    }
  }

  /// The expressions for which `isBroken`.
  func expressions(where isBroken: (Expression, RefusalScope) -> Bool) -> [RefusalPlace] {
    expressions.compactMap { expression, scope, origin in
      isBroken(expression, scope) ? RefusalPlace(part: expression.description, origin: origin) : nil
    }
  }

  /// The request itself, if `isBroken`.
  func request(_ part: String, where isBroken: Bool, at origin: Origin? = nil) -> [RefusalPlace] {
    isBroken ? [RefusalPlace(part: part, origin: origin, isInPredicate: false)] : []
  }

  // MARK: Ways round

  /// The predicate with every condition mended that can be; nil where none is.
  func mended(by mend: RefusalMending) -> Predicate? {
    guard let predicate = request.predicate?.inlined else { return nil }
    let mended = Self.mended(predicate, RefusalScope(entity: request.entity), mend)
    return mended == predicate ? nil : mended
  }

  private static func mended(_ predicate: Predicate, _ scope: RefusalScope, _ mend: RefusalMending) -> Predicate {
    if let whole = mend(predicate, scope) { return whole }
    let inside = scope.entering(predicate)
    switch predicate {
    case .constant: return predicate
    case .and(let terms): return conjoined(terms.map { mended($0, inside, mend) })
    case .or(let terms): return disjoined(terms.map { mended($0, inside, mend) })
    case .not(let inner): return .not(mended(inner, inside, mend))
    case .comparison(var comparison):
      comparison.left = mended(comparison.left, scope, mend)
      comparison.right = mended(comparison.right, scope, mend)
      return .comparison(comparison)
    case .expression(let expression): return .expression(mended(expression, scope, mend))
    }
  }

  /// Conjunctions within a conjunction are part of it, as in trees that were read.
  private static func conjoined(_ terms: [Predicate]) -> Predicate {
    .and(terms.flatMap { term in if case .and(let inner) = term { inner } else { [term] } })
  }

  private static func disjoined(_ terms: [Predicate]) -> Predicate {
    .or(terms.flatMap { term in if case .or(let inner) = term { inner } else { [term] } })
  }

  private static func mended(_ expression: Expression, _ scope: RefusalScope, _ mend: RefusalMending) -> Expression {
    func inner(_ part: Expression) -> Expression { mended(part, scope, mend) }
    switch expression {
    case .subquery(let source, let variable, let predicate):
      return .subquery(
        inner(source), variable: variable, mended(predicate, scope.entering(source, variable: variable), mend))
    case .ternary(let condition, let first, let second):
      return .ternary(mended(condition, scope.asCondition, mend), inner(first), inner(second))
    case .aggregate(let elements): return .aggregate(elements.map(inner))
    case .function(let function, let arguments, let origin):
      return .function(function, arguments.map(inner), origin)
    case .collection(let function, let source, let key): return .collection(function, of: inner(source), key: key)
    case .subscripted(let source, .index(let position)):
      return .subscripted(inner(source), .index(inner(position)))
    case .subscripted(let source, let position): return .subscripted(inner(source), position)
    case .cast(let operand, let type): return .cast(inner(operand), to: type)
    case .constant, .argument, .object, .path, .variable, .variablePath: return expression
    }
  }
}

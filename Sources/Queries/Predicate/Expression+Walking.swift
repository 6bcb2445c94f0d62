public import Modeling

extension Expression {
  /// The direct subexpressions, without those of conditions within.
  public var children: [Expression] {
    switch self {
    case .constant, .argument, .object, .path, .variable, .variablePath: []
    case .aggregate(let elements): elements
    case .function(_, let arguments, _): arguments
    case .collection(_, let source, _): [source]
    case .subscripted(let source, .index(let position)): [source, position]
    case .subscripted(let source, _): [source]
    case .subquery(let source, _, _): [source]
    case .ternary(_, let first, let second): [first, second]
    case .cast(let operand, _): [operand]
    }
  }

  /// The value of a constant or an argument.
  public var constantValue: Value? {
    switch self {
    case .constant(let value), .argument(let value, _): value
    default: nil
    }
  }

  /// The elements of a list, literal or constant.
  public var listElements: [Expression]? {
    switch self {
    case .aggregate(let elements): elements
    case .constant(.list(let values)), .argument(.list(let values), _): values.map { .constant($0) }
    default: nil
    }
  }

  /// The expression with arguments replaced by constants.
  public var inlined: Expression {
    replacing { (part, _) -> Expression? in
      switch part {
      case .argument(let value, _): .constant(value)
      case .aggregate(let elements): Expression.list(elements)
      default: nil
      }
    }
  }

  /// The condition directly within this expression.
  public var condition: Predicate? {
    switch self {
    case .subquery(_, _, let predicate), .ternary(let predicate, _, _): predicate
    default: nil
    }
  }

  /// The place of an error in this expression: its own, or that of its first part that has one.
  public var origin: Origin? {
    switch self {
    case .path(let path), .variablePath(_, let path): return path.origin
    case .variable(_, let origin): return origin
    case .function(_, let arguments, let origin): return origin ?? arguments.firstResult(\.origin)
    default: return children.firstResult(\.origin)
    }
  }

  /// Returns the expression with every part replaced by the result of `transform`, inner parts first; nil keeps a part.
  ///
  /// Variables in `bound` are those of a SUBQUERY around the part.
  public func replacing<Failure>(
    bound: Set<String> = [],
    _ transform: (Expression, _ bound: Set<String>) throws(Failure) -> Expression?
  ) throws(Failure) -> Expression {
    func inner(_ part: Expression) throws(Failure) -> Expression { try part.replacing(bound: bound, transform) }
    let rebuilt: Expression
    switch self {
    case .constant, .argument, .object, .path, .variable, .variablePath: rebuilt = self
    case .aggregate(let elements): rebuilt = Expression.list(try Self.map(elements, inner))
    case .function(let function, let arguments, let origin):
      rebuilt = .function(function, try Self.map(arguments, inner), origin)
    case .collection(let function, let source, let key):
      rebuilt = .collection(function, of: try inner(source), key: key)
    case .subscripted(let source, .index(let position)):
      rebuilt = .subscripted(try inner(source), .index(try inner(position)))
    case .subscripted(let source, let position): rebuilt = .subscripted(try inner(source), position)
    case .subquery(let source, let name, let predicate):
      let scope = bound.union([name])
      rebuilt = .subquery(try inner(source), variable: name, try predicate.replacing(bound: scope, transform))
    case .ternary(let predicate, let first, let second):
      rebuilt = .ternary(try predicate.replacing(bound: bound, transform), try inner(first), try inner(second))
    case .cast(let operand, let type): rebuilt = .cast(try inner(operand), to: type)
    }
    return try transform(rebuilt, bound) ?? rebuilt
  }

  private static func map<Failure>(
    _ parts: [Expression], _ transform: (Expression) throws(Failure) -> Expression
  ) throws(Failure) -> [Expression] {
    var result: [Expression] = []
    for part in parts { result.append(try transform(part)) }
    return result
  }
}

extension Predicate {
  /// The predicate with arguments replaced by constants, which is the form for checking and evaluation.
  public var inlined: Predicate {
    replacing { (part, _) -> Expression? in
      switch part {
      case .argument(let value, _): .constant(value)
      case .aggregate(let elements): Expression.list(elements)
      default: nil
      }
    }
  }

  /// Returns the predicate with every part of its expressions replaced by the result of `transform`, inner parts first;
  /// nil keeps a part.
  ///
  /// `bound` are the variables of the SUBQUERYs around the part.
  public func replacing<Failure>(
    bound: Set<String> = [],
    _ transform: (Expression, _ bound: Set<String>) throws(Failure) -> Expression?
  ) throws(Failure) -> Predicate {
    func all(_ terms: [Predicate]) throws(Failure) -> [Predicate] {
      var result: [Predicate] = []
      for term in terms { result.append(try term.replacing(bound: bound, transform)) }
      return result
    }
    switch self {
    case .constant: return self
    case .and(let terms): return .and(try all(terms))
    case .or(let terms): return .or(try all(terms))
    case .not(let inner): return .not(try inner.replacing(bound: bound, transform))
    case .comparison(var comparison):
      comparison.left = try comparison.left.replacing(bound: bound, transform)
      comparison.right = try comparison.right.replacing(bound: bound, transform)
      return .comparison(comparison)
    case .expression(let expression): return .expression(try expression.replacing(bound: bound, transform))
    }
  }
}

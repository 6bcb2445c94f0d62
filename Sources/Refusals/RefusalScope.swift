internal import Modeling
internal import Queries

/// What names stand for around a part of a predicate.
struct RefusalScope {
  var entity: Entity
  /// The entities of the variables of the SUBQUERYs around; nil for elements that are no objects.
  var variables: [String: Entity?] = [:]
  /// Whether the part stands within an odd number of NOTs.
  var isNegated = false
  /// What conditions beside the part ask about being nil.
  var askedForNil: [Expression] = []

  /// Where a key path leads, from the object or a variable; nil for other expressions and wrong names.
  func resolve(_ expression: Expression) -> ResolvedPath? {
    switch expression {
    case .path(let path): try? path.resolve(in: entity)
    case .variablePath(let name, let path): (variables[name] ?? nil).flatMap { try? path.resolve(in: $0) }
    default: nil
    }
  }

  /// The attribute type of a single value; nil where it is an object, a collection or not known.
  func attributeType(of expression: Expression) -> AttributeType? {
    if let path = resolve(expression) {
      guard let attribute = path.finalAttribute else { return nil }
      return path.elements.isEmpty ? attribute.type : path.finalElement?.type
    }
    if let value = expression.constantValue { return ExpressionType(of: value).attributeType }
    guard expression.variables.isEmpty else { return nil }
    return (try? expression.check(in: entity, for: .evaluation, overGroup: true))?.attributeType
  }

  /// Whether an expression is a collection of objects, or of their values, by a to-many relationship.
  func isToMany(_ expression: Expression) -> Bool { resolve(expression)?.isToMany == true }

  /// The entity of the elements of a collection, if they are objects.
  func elementEntity(of collection: Expression) -> Entity? {
    switch collection {
    case .path, .variablePath: resolve(collection).flatMap { $0.attribute == nil ? $0.end : nil }
    case .subquery(let source, _, _), .subscripted(let source, _): elementEntity(of: source)
    default: nil
    }
  }

  /// The scope inside a SUBQUERY over `collection`.
  func entering(_ collection: Expression, variable: String) -> RefusalScope {
    var inner = asCondition
    inner.variables[variable] = .some(elementEntity(of: collection))
    return inner
  }

  /// The scope of a condition of its own, such as that of a TERNARY.
  var asCondition: RefusalScope {
    var inner = self
    (inner.isNegated, inner.askedForNil) = (false, [])
    return inner
  }

  /// The scope of the parts of a condition.
  func entering(_ predicate: Predicate) -> RefusalScope {
    var inner = self
    switch predicate {
    case .not: inner.isNegated.toggle()
    case .and(let terms): inner.askedForNil += terms.compactMap { $0.operand(ofNilWith: .notEqual) }
    case .or(let terms): inner.askedForNil += terms.compactMap { $0.operand(ofNilWith: .equal) }
    case .constant, .comparison, .expression: break
    }
    return inner
  }

  /// A name for a variable that nothing around or in the comparison has.
  func freshVariable(for comparison: Comparison) -> String {
    let taken = Set(variables.keys).union(Predicate.comparison(comparison).variables)
    return ["x", "y", "z"].first { !taken.contains($0) }
      ?? (1...).lazy.map { "x\($0)" }.first { !taken.contains($0) } ?? "x"
  }
}

extension Predicate {
  /// The operand that this operator compares with nil; nil if the condition is not such a comparison.
  fileprivate func operand(ofNilWith comparator: Comparator) -> Expression? {
    guard case .comparison(let comparison) = self, comparison.comparator == comparator,
      comparison.modifier == .direct, comparison.right.constantValue == .null
    else { return nil }
    return comparison.left
  }
}

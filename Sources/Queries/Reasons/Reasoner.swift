internal import Modeling

/// Evaluates a checked predicate clause by clause for one object, and records the reason of each result.
///
/// Every result comes from the compiler that evaluates predicates, so that a reason never contradicts the evaluation.
struct Reasoner {
  var compiler: PredicateCompiler
  let frame: Frame

  func reason(_ predicate: Predicate) throws -> Reason {
    switch predicate {
    case .and(let terms): return try compound(predicate, terms, decisive: false)
    case .or(let terms): return try compound(predicate, terms, decisive: true)
    case .not(let inner):
      let inner = try self.reason(inner)
      var reason = Reason(clause: predicate, answer: inner.answer.map { !$0 })
      reason.clauses = [inner]
      return reason
    case .constant, .comparison, .expression:
      var reason = Reason(clause: predicate, answer: try answer(predicate))
      if case .comparison(let comparison) = predicate { try explain(comparison, &reason) }
      if case .expression(let expression) = predicate { reason.operands = [try operand(expression)] }
      return reason
    }
  }

  /// Derives the result from the clauses' results, so that each clause is evaluated once, however deep it is nested:
  /// one clause with the `decisive` result is enough, otherwise neither prevails.
  private func compound(_ predicate: Predicate, _ terms: [Predicate], decisive: Bool) throws -> Reason {
    let clauses = try terms.map { try self.reason($0) }
    let answers = clauses.map(\.answer)
    let answer: Bool? = answers.contains(decisive) ? decisive : answers.contains(nil) ? nil : !decisive
    var reason = Reason(clause: predicate, answer: answer)
    reason.clauses = clauses
    return reason
  }

  func answer(_ predicate: Predicate) throws -> Bool? {
    var compiler = compiler
    return try compiler.condition(predicate)(frame)
  }

  func value(_ expression: Expression) throws -> Value {
    var compiler = compiler
    return try compiler.valueOrList(expression)(frame)
  }

  private func explain(_ comparison: Comparison, _ reason: inout Reason) throws {
    var sides = [comparison.left, comparison.right]
    if let counted = try counted(comparison) {
      reason.elements = counted
      sides.removeAll { $0 == counted.collection }
    }
    reason.operands = try sides.filter { !$0.isFixed }.map { try operand($0) }
    if !comparison.options.isPlain { try noteFolding(comparison, &reason) }
  }

  /// Records the folded texts if the comparison has another result without its options.
  private func noteFolding(_ comparison: Comparison, _ reason: inout Reason) throws {
    var plain = comparison
    plain.options = []
    guard reason.elements == nil, try answer(.comparison(plain)) != reason.answer else { return }
    for index in reason.operands.indices {
      guard let text = reason.operands[index].value.text else { continue }
      reason.operands[index].foldedText = folded(text, comparison.options)
    }
  }

  // MARK: Sides

  private static let mostParts = 4

  func operand(_ expression: Expression) throws -> OperandReason {
    var reason = OperandReason(expression: expression, value: try value(expression))
    switch expression {
    case .path(let path): try noteMissing(path, from: frame.subject, in: compiler.entity, &reason)
    case .variablePath(let name, let path):
      guard let variable = compiler.scope[name], let entity = variable.entity,
        case .object(let object) = frame.elements[variable.index]
      else { break }
      try noteMissing(path, from: object, in: entity, &reason)
    default:
      let parts = Array(expression.singlePaths.prefix(Self.mostParts))
      reason.parts = try parts.filter { !isCollection($0) }.map { try operand($0) }
    }
    for part in expression.conditionalParts {
      if case .ternary(let condition, _, _) = part { reason.branches.append(try self.reason(condition)) }
      if case .subquery(let source, let name, let predicate) = part {
        reason.selections.append(try selection(source, name, predicate))
      }
    }
    return reason
  }

  private func isCollection(_ expression: Expression) -> Bool {
    if case .collection = compiler.type(of: expression) { true } else { false }
  }

  /// Records the to-one relationship that is nil, or the object of another entity, that ends a path early.
  private func noteMissing(
    _ path: PropertyPath, from start: any PredicateSubject, in entity: Entity, _ reason: inout OperandReason
  ) throws {
    guard reason.value.isNull else { return }
    let resolved = try path.resolve(in: entity)
    var object = start
    for (position, hop) in resolved.hops.enumerated() {
      guard !hop.isToMany else { return }
      guard hop.starts(at: object.entity) else {
        reason.miscast = Miscast(object: PropertyPath(Array(path.components.prefix(position))), entity: object.entity)
        return
      }
      if resolved.attribute == nil, position == resolved.hops.count - 1 { return }
      guard let next = try object.toOne(at: hop.index) else {
        reason.missing = PropertyPath(Array(path.components.prefix(position + 1)))
        reason.isDangling = try object.reference(at: hop.index) != nil
        return
      }
      object = next
    }
    if resolved.endsInCast, !object.entity.isKind(of: resolved.end) {
      let owner = PropertyPath(Array(path.components.prefix(resolved.hops.count)))
      reason.miscast = Miscast(object: owner, entity: object.entity)
    }
  }
}

extension Expression {
  /// Whether the value is the same for every object.
  var isFixed: Bool { constantValue != nil || listElements?.allSatisfy { $0.constantValue != nil } == true }

  /// The paths within, without those of conditions and collections.
  fileprivate var singlePaths: [Expression] {
    switch self {
    case .path, .variablePath: [self]
    case .collection, .subquery, .subscripted: []
    default: children.flatMap(\.singlePaths)
    }
  }

  /// The TERNARYs and SUBQUERYs within, without those inside their conditions.
  fileprivate var conditionalParts: [Expression] {
    (condition == nil ? [] : [self]) + children.flatMap(\.conditionalParts)
  }
}

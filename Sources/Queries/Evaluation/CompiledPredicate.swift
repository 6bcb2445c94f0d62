public import Modeling

/// A predicate made ready to be evaluated for many objects of one entity.
///
///     let isMajor = try CompiledPredicate(Predicate.parse("magnitude >= 7"), entity: quake)
///     try objects.filter { try isMajor.evaluate($0) == true }
///
/// Names are looked up, constants folded and patterns compiled once, when it is made.
public struct CompiledPredicate {
  private let condition: AttributeCondition

  /// Checks the predicate and makes it ready.
  ///
  /// - Throws: all mistakes, among them variables that `variables` gives no value.
  public init(
    _ predicate: Predicate, entity: Entity, semantics: EvaluationSemantics = .store, variables: [String: Value] = [:]
  ) throws(PredicateError) {
    let bound = (variables.isEmpty ? predicate : try predicate.bind(variables)).inlined
    try bound.check(in: entity, for: .evaluation)
    var compiler = PredicateCompiler(entity: entity, semantics: semantics)
    condition = try compiler.attributeCondition(bound)
  }

  /// Whether the object matches: true, false, or nil for neither.
  public func evaluate(_ subject: some PredicateSubject) throws -> Bool? { try condition.answer(subject) }
}

/// An expression made ready to be evaluated for many objects of one entity.
public struct CompiledExpression {
  private let value: Evaluator

  /// Checks the expression and makes it ready.
  public init(_ expression: Expression, entity: Entity, variables: [String: Value] = [:]) throws(PredicateError) {
    let bound = (variables.isEmpty ? expression : try expression.bind(variables)).inlined
    try bound.check(in: entity, for: .evaluation)
    var compiler = PredicateCompiler(entity: entity, semantics: .store)
    value = try compiler.valueOrList(bound)
  }

  /// The value for the object; a list where the expression is a collection.
  public func value(of subject: any PredicateSubject) throws -> Value { try value(Frame(subject: subject)) }
}

extension Predicate {
  /// Whether the object matches: true, false, or nil for neither; `.memory` is never nil.
  ///
  /// Where many objects are evaluated, a `CompiledPredicate` is faster.
  public func evaluate(
    _ subject: any PredicateSubject, semantics: EvaluationSemantics = .store, variables: [String: Value] = [:]
  ) throws -> Bool? {
    try CompiledPredicate(self, entity: subject.entity, semantics: semantics, variables: variables).evaluate(subject)
  }
}

extension Expression {
  /// The value for the object; a list where the expression is a collection.
  public func evaluate(_ subject: any PredicateSubject, variables: [String: Value] = [:]) throws -> Value {
    try CompiledExpression(self, entity: subject.entity, variables: variables).value(of: subject)
  }
}

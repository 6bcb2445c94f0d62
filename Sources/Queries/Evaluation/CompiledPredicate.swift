public import Modeling

/// A predicate compiled for evaluation with many objects of one entity.
///
///     let isMajor = try CompiledPredicate(Predicate.parse("magnitude >= 7"), entity: quake)
///     try objects.filter { try isMajor.evaluate($0) == true }
///
/// Compiling looks up names, folds constants and compiles patterns once.
public struct CompiledPredicate {
  private let condition: AttributeCondition

  /// Checks and compiles the predicate.
  ///
  /// - Throws: all errors, among them variables without a value in `variables`.
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

  /// Ranges of values: an object that matches has values within all of them. An attribute occurs once.
  package var ranges: [ValueRange] { condition.ranges }
}

/// An expression compiled for evaluation with many objects of one entity.
public struct CompiledExpression {
  private let value: Evaluator

  /// Checks and compiles the expression.
  public init(_ expression: Expression, entity: Entity, variables: [String: Value] = [:]) throws(PredicateError) {
    let bound = (variables.isEmpty ? expression : try expression.bind(variables)).inlined
    try bound.check(in: entity, for: .evaluation)
    var compiler = PredicateCompiler(entity: entity, semantics: .store)
    value = try compiler.valueOrList(bound)
  }

  /// The value for the object; a list if the expression is a collection.
  public func value(of subject: any PredicateSubject) throws -> Value { try value(Frame(subject: subject)) }
}

extension Predicate {
  /// Whether the object matches: true, false, or nil for neither; never nil with `.memory`.
  ///
  /// For many objects a `CompiledPredicate` is faster.
  public func evaluate(
    _ subject: any PredicateSubject, semantics: EvaluationSemantics = .store, variables: [String: Value] = [:]
  ) throws -> Bool? {
    try CompiledPredicate(self, entity: subject.entity, semantics: semantics, variables: variables).evaluate(subject)
  }
}

extension Expression {
  /// The value for the object; a list if the expression is a collection.
  public func evaluate(_ subject: any PredicateSubject, variables: [String: Value] = [:]) throws -> Value {
    try CompiledExpression(self, entity: subject.entity, variables: variables).value(of: subject)
  }
}

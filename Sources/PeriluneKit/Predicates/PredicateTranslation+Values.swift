internal import Foundation
internal import Modeling
internal import Queries

extension PredicateExpressions.Variable: TranslatableValue, VariablePart {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression {
    if key == translation.root { return .object }
    guard let expression = translation.variables[key] else { throw PredicateTranslation.untranslatable(self) }
    return expression
  }
}

extension PredicateExpressions.Value: TranslatableValue {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression {
    guard let constant = value as? any PredicateValue else {
      throw PeriluneError(.untranslatable("\(Output.self)"))
    }
    return .argument(constant.predicateValue)
  }
}

extension PredicateExpressions.NilLiteral: TranslatableValue {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression { .constant(.null) }
}

extension PredicateExpressions.KeyPath: TranslatableValue, TranslatableCondition {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression {
    let (owner, entity) = try translation.object(root)
    if let type = Root.Output.self as? ManagedObject.Type {
      return try owner.member(type.propertyName(of: keyPath), takenAs: entity, of: self)
    }
    if let type = Root.Output.self as? any CompositeValue.Type {
      guard let name = type.propertyNames[keyPath] else { throw notAProperty }
      return try owner.member(name, of: self)
    }
    if keyPath == \String.count { return .function(.length, [owner]) }
    if (Root.Output.self as? any ObjectList.Type)?.isCount(keyPath) == true {
      return .collection(.count, of: owner, key: nil)
    }
    throw notAProperty
  }

  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    if keyPath == \String.isEmpty {
      return .comparison(
        Queries.Comparison(.function(.length, [try translation.value(root)]), .equal, .constant(.int(0))))
    }
    if (Root.Output.self as? any ObjectList.Type)?.isEmptiness(keyPath) == true {
      let count = Queries.Expression.collection(.count, of: try translation.value(root), key: nil)
      return .comparison(Queries.Comparison(count, .equal, .constant(.int(0))))
    }
    return .comparison(Queries.Comparison(try value(in: translation), .equal, .constant(.bool(true))))
  }

  private var notAProperty: PeriluneError {
    PeriluneError(.notAProperty(keyPath: "\(keyPath)", entity: "\(Root.Output.self)"))
  }
}

/// A list of objects, with the key paths that have a meaning in a store.
private protocol ObjectList {
  static func isCount(_ keyPath: AnyKeyPath) -> Bool
  static func isEmptiness(_ keyPath: AnyKeyPath) -> Bool
}

extension Array: ObjectList where Element: ManagedObject {
  fileprivate static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \[Element].count }
  fileprivate static func isEmptiness(_ keyPath: AnyKeyPath) -> Bool { keyPath == \[Element].isEmpty }
}

extension Queries.Expression {
  /// The property `name` of an expression, optionally cast to `entity`.
  fileprivate func member(_ name: String, takenAs entity: String? = nil, of part: Any) throws -> Queries.Expression {
    let component = PropertyPath.Component(name, of: entity)
    return switch self {
    case .object: .path(PropertyPath([component]))
    case .path(let path): .path(PropertyPath(path.components + [component]))
    case .variable(let variable, _): .variablePath(variable, PropertyPath([component]))
    case .variablePath(let variable, let path): .variablePath(variable, PropertyPath(path.components + [component]))
    default: throw PredicateTranslation.untranslatable(part)
    }
  }
}

extension PredicateTranslation {
  /// The members of a to-many relationship for which a condition is true.
  func members(
    of sequence: any PredicateExpression, _ variable: PredicateExpressions.VariableID,
    where condition: (PredicateTranslation) throws -> Queries.Predicate
  ) throws -> Queries.Expression {
    let name = newName()
    let test = try condition(with(variable, .variable(name)))
    return .subquery(try value(sequence), variable: name, test)
  }
}

extension PredicateExpressions.Filter: TranslatableValue {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression {
    try translation.members(of: sequence, variable.key) { try $0.condition(filter) }
  }
}

// MARK: What may be nothing

extension PredicateExpressions.OptionalFlatMap: TranslatableValue, TranslatableCondition, OptionalCondition {
  var isCondition: Bool { Result.self == Bool.self }

  func value(in translation: PredicateTranslation) throws -> Queries.Expression {
    try translation.with(variable.key, wrapped: wrapped).value(transform)
  }

  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    try translation.with(variable.key, wrapped: wrapped).condition(transform)
  }
}

extension PredicateExpressions.ConditionalCast: CastPart {
  var castInput: any PredicateExpression { input }
  var entityName: String? { (Desired.self as? ManagedObject.Type)?.entityName }
}

extension PredicateExpressions.ForceCast: CastPart {
  var castInput: any PredicateExpression { input }
  var entityName: String? { (Desired.self as? ManagedObject.Type)?.entityName }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableValue {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression { try translation.value(inner) }
}

extension PredicateExpressions.NilCoalesce: TranslatableValue, TranslatableCondition {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression {
    let value = try translation.value(lhs)
    return .ternary(
      .comparison(Queries.Comparison(value, .equal, .constant(.null))), try translation.value(rhs), value)
  }

  /// An explicit default is kept: with `?? false`, a missing value is false.
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate {
    guard let other = (rhs as? any ConstantCondition)?.constant else {
      return .comparison(Queries.Comparison(try value(in: translation), .equal, .constant(.bool(true))))
    }
    let part = (lhs as? any OptionalSubject)?.subject ?? lhs
    let condition = try translation.condition(lhs)
    if part is any CastPart { return condition.isTrue(otherwise: other) }
    let subject = try translation.value(part)
    return other
      ? .or([.comparison(Queries.Comparison(subject, .equal, .constant(.null))), condition])
      : .and([.comparison(Queries.Comparison(subject, .notEqual, .constant(.null))), condition])
  }
}

extension Queries.Predicate {
  /// The condition with a result in place of neither.
  fileprivate func isTrue(otherwise: Bool) -> Queries.Predicate {
    let (yes, no) = (Queries.Expression.constant(.bool(true)), Queries.Expression.constant(.bool(false)))
    let answer = Queries.Expression.ternary(self, yes, otherwise ? .ternary(.not(self), no, yes) : no)
    return .comparison(Queries.Comparison(answer, .equal, yes))
  }
}

/// A part that is nil if another one is.
private protocol OptionalSubject {
  var subject: any PredicateExpression { get }
}

extension PredicateExpressions.OptionalFlatMap: OptionalSubject {
  fileprivate var subject: any PredicateExpression { wrapped }
}

// MARK: Numbers

extension PredicateExpressions.Arithmetic: TranslatableValue {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression {
    let function: ExpressionFunction =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: throw PredicateTranslation.untranslatable(self)
      }
    return .function(function, [try translation.value(lhs), try translation.value(rhs)])
  }
}

extension PredicateExpressions.FloatDivision: TranslatableValue {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression {
    .function(.divide, [try translation.value(lhs), try translation.value(rhs)])
  }
}

extension PredicateExpressions.IntRemainder: TranslatableValue {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression {
    .function(.modulus, [try translation.value(lhs), try translation.value(rhs)])
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableValue {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression {
    .function(.negate, [try translation.value(wrapped)])
  }
}

extension PredicateExpressions.Conditional: TranslatableValue {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression {
    .ternary(try translation.condition(test), try translation.value(trueBranch), try translation.value(falseBranch))
  }
}

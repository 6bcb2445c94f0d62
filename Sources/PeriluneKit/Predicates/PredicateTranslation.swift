internal import Foundation
internal import Modeling
internal import Queries

/// A `#Predicate` on its way into a condition of the store.
///
/// It means there what SwiftData makes of it: where a value is nothing, a comparison is neither true nor false.
struct PredicateTranslation {
  let root: PredicateExpressions.VariableID
  /// What stands for the variables of `flatMap`, and the names of those of inner closures.
  var variables: [PredicateExpressions.VariableID: Queries.Expression] = [:]
  /// The entities that the objects behind variables of `flatMap` are taken as.
  private var casts: [PredicateExpressions.VariableID: String] = [:]
  private let body: any StandardPredicateExpression<Bool>

  init<Object: ManagedObject>(of predicate: Foundation.Predicate<Object>) throws {
    guard let variable = predicate.variable as? PredicateExpressions.Variable<Object> else {
      throw PeriluneError(.untranslatable("\(predicate)"))
    }
    root = variable.key
    body = predicate.expression
  }

  /// The condition.
  func condition() throws -> Queries.Predicate { try condition(body) }

  /// A part as a condition.
  func condition(_ part: any PredicateExpression) throws -> Queries.Predicate {
    if let part = part as? any TranslatableCondition { return try part.condition(in: self) }
    return .comparison(Comparison(try value(part), .equal, .constant(.bool(true))))
  }

  /// A part as a value.
  func value(_ part: any PredicateExpression) throws -> Queries.Expression {
    if let part = part as? any TranslatableValue { return try part.value(in: self) }
    if part is any TranslatableCondition {
      return .ternary(try condition(part), .constant(.bool(true)), .constant(.bool(false)))
    }
    throw Self.untranslatable(part)
  }

  /// With a variable that stands for `expression`.
  func with(_ variable: PredicateExpressions.VariableID, _ expression: Queries.Expression) -> PredicateTranslation {
    var copy = self
    copy.variables[variable] = expression
    return copy
  }

  /// With a variable that stands for what is wrapped: an object, perhaps taken as one of a subclass.
  func with(_ variable: PredicateExpressions.VariableID, wrapped part: any PredicateExpression) throws
    -> PredicateTranslation
  {
    let (expression, entity) = try object(part)
    var copy = with(variable, expression)
    copy.casts[variable] = entity
    return copy
  }

  /// A part whose members are asked for, and the entity that it is taken as: `$0 as? Gadget`.
  func object(_ part: any PredicateExpression) throws -> (expression: Queries.Expression, entity: String?) {
    if let cast = part as? any CastPart {
      guard let entity = cast.entityName else { throw Self.untranslatable(part) }
      return (try value(cast.castInput), entity)
    }
    return (try value(part), (part as? any VariablePart).flatMap { casts[$0.key] })
  }

  /// A name for the variable of an inner closure.
  func newName() -> String { "inner\(variables.count + 1)" }

  static func untranslatable(_ part: Any) -> PeriluneError {
    let type = "\(type(of: part))"
    return PeriluneError(.untranslatable(String(type.prefix { $0 != "<" })))
  }
}

/// A part of a `#Predicate` that is true or false.
protocol TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate
}

/// A part of a `#Predicate` that has a value.
protocol TranslatableValue {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression
}

/// A part that is an object taken as one of a subclass.
protocol CastPart {
  var castInput: any PredicateExpression { get }
  /// The name of the subclass' entity; nil where it is no class of objects.
  var entityName: String? { get }
}

/// A part that is a variable.
protocol VariablePart {
  var key: PredicateExpressions.VariableID { get }
}

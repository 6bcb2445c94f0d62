internal import Foundation
internal import Modeling
internal import Queries

/// Translates a `#Predicate` into a condition of the store.
///
/// It has the same meaning as in SwiftData: a comparison with nil is neither true nor false.
struct PredicateTranslation {
  let root: PredicateExpressions.VariableID
  /// The expressions of `flatMap`'s variables, and the names of inner closures' variables.
  var variables: [PredicateExpressions.VariableID: Queries.Expression] = [:]
  /// The entities to which the variables of `flatMap` are cast.
  private var casts: [PredicateExpressions.VariableID: String] = [:]
  private let body: any StandardPredicateExpression<Bool>

  init<Object: ManagedObject>(of predicate: Foundation.Predicate<Object>) throws {
    guard let variable = predicate.variable as? PredicateExpressions.Variable<Object> else {
      throw PeriluneError(.untranslatable("\(predicate)"))
    }
    root = variable.key
    body = predicate.expression
  }

  /// Returns the condition.
  func condition() throws -> Queries.Predicate { try condition(body) }

  /// Translates a part as a condition.
  func condition(_ part: any PredicateExpression) throws -> Queries.Predicate {
    if let part = part as? any TranslatableCondition { return try part.condition(in: self) }
    return .comparison(Comparison(try value(part), .equal, .constant(.bool(true))))
  }

  /// Translates a part as a value.
  func value(_ part: any PredicateExpression) throws -> Queries.Expression {
    if let part = part as? any TranslatableValue { return try part.value(in: self) }
    if part is any TranslatableCondition {
      return .ternary(try condition(part), .constant(.bool(true)), .constant(.bool(false)))
    }
    throw Self.untranslatable(part)
  }

  /// Returns a translation in which a variable means `expression`.
  func with(_ variable: PredicateExpressions.VariableID, _ expression: Queries.Expression) -> PredicateTranslation {
    var copy = self
    copy.variables[variable] = expression
    return copy
  }

  /// Returns a translation in which a variable means the wrapped object, optionally cast to a subclass.
  func with(_ variable: PredicateExpressions.VariableID, wrapped part: any PredicateExpression) throws
    -> PredicateTranslation
  {
    let (expression, entity) = try object(part)
    var copy = with(variable, expression)
    copy.casts[variable] = entity
    return copy
  }

  /// Translates a part whose members are accessed, and the entity to which it is cast: `$0 as? Gadget`.
  func object(_ part: any PredicateExpression) throws -> (expression: Queries.Expression, entity: String?) {
    if let cast = part as? any CastPart {
      guard let entity = cast.entityName else { throw Self.untranslatable(part) }
      return (try value(cast.castInput), entity)
    }
    return (try value(part), (part as? any VariablePart).flatMap { casts[$0.key] })
  }

  /// Returns a name for the variable of an inner closure.
  func newName() -> String { "inner\(variables.count + 1)" }

  static func untranslatable(_ part: Any) -> PeriluneError {
    let type = "\(type(of: part))"
    return PeriluneError(.untranslatable(String(type.prefix { $0 != "<" })))
  }
}

/// A part of a `#Predicate` that can be a condition.
protocol TranslatableCondition {
  func condition(in translation: PredicateTranslation) throws -> Queries.Predicate
}

/// A part of a `#Predicate` that can be a value.
protocol TranslatableValue {
  func value(in translation: PredicateTranslation) throws -> Queries.Expression
}

/// A part that casts an object to a subclass.
protocol CastPart {
  var castInput: any PredicateExpression { get }
  /// The name of the subclass's entity; nil if it is not a class of objects.
  var entityName: String? { get }
}

/// A part that is a variable.
protocol VariablePart {
  var key: PredicateExpressions.VariableID { get }
}

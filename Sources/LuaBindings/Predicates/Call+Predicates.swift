internal import LuaRuntime
internal import Modeling
internal import Queries
internal import SwiftReading

// Arguments that are predicates, expressions and the values of their variables.
extension Call {
  /// The predicate in the arguments from `argument` on: a string with arguments, a table of both, or a Predicate.
  ///
  /// With an `entity`, the error for a text that cannot be parsed also lists the wrong names in it.
  func predicate(_ argument: Int32, in entity: Entity? = nil) throws -> Queries.Predicate {
    try predicate(argument, upTo: count, in: entity)
  }

  /// The predicate in the arguments from `argument` to `last`.
  func predicate(_ argument: Int32, upTo last: Int32, in entity: Entity? = nil) throws -> Queries.Predicate {
    if type(argument) == .string {
      let format = try string(argument, "a predicate in valid UTF-8")
      if SwiftOpening.isSource(format) {
        if last > argument { throw fail(.swiftTakesNoArguments) }
        return try engine.predicates.predicate(swift: format, in: entity)
      }
      let arguments = try (argument + 1..<max(last, argument) + 1).map {
        try predicateArgument(at: index($0), number: $0 - argument)
      }
      return try engine.predicates.predicate(reading: format, arguments, in: entity)
    }
    guard let predicate = try engine.predicates.predicate(at: index(argument), on: stack, place: place, in: entity)
    else {
      throw expected("a predicate (string, table or Predicate)", argument)
    }
    if last > argument { try refuseMore(than: argument) }
    return predicate
  }

  /// The same as `predicate(_:)`, or nil if the argument is missing.
  func optionalPredicate(_ argument: Int32, in entity: Entity? = nil) throws -> Queries.Predicate? {
    count < argument || (count == argument && isMissing(argument)) ? nil : try predicate(argument, in: entity)
  }

  private func predicateArgument(at index: Int32, number: Int32) throws -> PredicateArgument {
    if stack.isNoneOrNil(at: index) { throw fail("argument \(number) is nil; an explicit nil is written null") }
    return .value(try engine.predicates.argument(at: index, on: stack, place: place))
  }

  /// The values in a table.
  func variables(_ argument: Int32) throws -> PredicateVariables {
    var variables = PredicateVariables()
    try stack.forEachPair(at: index(argument)) { stack in
      guard stack.type(at: -2) == .string, let name = stack.string(at: -2) else {
        throw fail("expected values by the names of variables, got a key of type \(stack.typeName(at: -2))")
      }
      variables.values[name] = try engine.predicates.argument(at: stack.count, on: stack, place: place)
      variables.objects[name] = engine.values.object(at: stack.count, on: stack)
    }
    return variables
  }

  /// The text of the expression in an argument.
  func expressionText(_ argument: Int32, _ what: String = "a key path") throws -> String {
    if let bound = engine.classes.object(BoundExpression.self, at: index(argument), on: stack) {
      return bound.expression.format
    }
    return try engine.predicates.expressionText(try string(argument, what))
  }
}

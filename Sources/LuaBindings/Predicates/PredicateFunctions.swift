internal import LuaRuntime
internal import Modeling
internal import Queries
internal import SwiftInterchange

/// The functions that make predicates and sort descriptors.
enum PredicateFunctions {
  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "Predicate", "Predicate(format, ...) -> predicate",
      "A condition in the format language of NSPredicate, with its arguments, or as Swift source.", sandbox: .allowed,
      example: #"Predicate("magnitude >= %@ AND place CONTAINS[cd] %@", 3, "japan")"#
    ) { call in
      .object(BoundPredicate(try call.predicate(1)))
    },
    GlobalFunction(
      "Expression", "Expression(text) -> expression",
      "An expression over objects in the format language, or Swift's `#Expression`, to sort, group, section and compare by.",
      sandbox: .allowed, example: #"Quake:sorted(Expression "magnitude * 2")"#
    ) { call in
      let text = try call.string(1, "an expression in valid UTF-8")
      try call.refuseMore(than: 1)
      let expression = try Queries.Expression.parse(try call.engine.predicates.expressionText(text))
      return .object(BoundExpression(expression))
    },
    GlobalFunction(
      "SortDescriptor", "SortDescriptor(keyPath [, \"forward\" | \"reverse\"] [, { comparator = ... }])",
      "A key that results are sorted by.", sandbox: .allowed,
      example: #"Quake:sorted(SortDescriptor("place", "forward", { comparator = "localized" }))"#
    ) { call in
      .object(BoundSortDescriptor(try SortDescriptorFunctions.make(call)))
    },
  ]
}

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
}

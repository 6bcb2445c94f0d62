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
      let expression = try Queries.Expression.parse(try call.engine.expressionText(text))
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
        return try engine.predicate(swift: format, in: entity)
      }
      let arguments = try (argument + 1..<max(last, argument) + 1).map {
        try predicateArgument(at: index($0), number: $0 - argument)
      }
      return try engine.predicate(reading: format, arguments, in: entity)
    }
    guard let predicate = try engine.predicate(at: index(argument), on: stack, place: place, in: entity) else {
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
    return .value(try engine.argument(at: index, on: stack, place: place))
  }
}

extension Engine {
  /// The predicate in one value: a Predicate, a format string, or a table `{ "format", arguments... }`; nil for other
  /// values.
  func predicate(
    at index: Int32, on stack: LuaStack, place: String, in entity: Entity? = nil
  ) throws -> Queries.Predicate? {
    if let bound = classes.object(BoundPredicate.self, at: index, on: stack) { return bound.predicate }
    if stack.type(at: index) == .string, let format = stack.string(at: index) {
      if SwiftOpening.isSource(format) { return try predicate(swift: format, in: entity) }
      return try predicate(reading: format, [], in: entity)
    }
    guard stack.type(at: index) == .table else { return nil }
    stack.reserve(6)
    stack.rawGet(element: 1, at: index)
    let format = stack.string(at: -1)
    stack.pop()
    guard let format else { throw ScriptError(place, .other("a predicate in a table begins with its format string")) }
    if SwiftOpening.isSource(format) {
      if stack.rawLength(at: index) > 1 { throw ScriptError(place, .swiftTakesNoArguments) }
      return try predicate(swift: format, in: entity)
    }
    let arguments = try stack.elements(at: index) { element -> PredicateArgument in
      .value(try argument(at: element, on: stack, place: place))
    }
    return try predicate(reading: format, Array((arguments ?? []).dropFirst()), in: entity)
  }

  /// Parses a format string. If the text can be parsed, the request reports wrong names, together with those of its
  /// other parts.
  func predicate(
    reading format: String, _ arguments: [PredicateArgument], in entity: Entity?
  ) throws -> Queries.Predicate {
    guard let entity else { return try Queries.Predicate.parse(format, arguments: arguments) }
    if let predicate = try? Queries.Predicate.parse(format, arguments: arguments) { return predicate }
    throw PredicateError(issues: Queries.Predicate.diagnose(format, arguments: arguments, in: entity).issues)
  }

  /// The value at `index` as an argument of a predicate: tables are lists, those with names JSON.
  func argument(at index: Int32, on stack: LuaStack, place: String, depth: Int = 0) throws -> Value {
    if stack.type(at: index) == .table {
      guard depth < Nesting.tables else { throw ScriptError(place, .nestedTooDeeply) }
      if stack.rawLength(at: index) == 0,
        case .json(.object(let members))? = try value(
          at: index, on: stack, place: place), !members.isEmpty
      {
        return .json(.object(members))
      }
      let list = try stack.elements(at: index) { try argument(at: $0, on: stack, place: place, depth: depth + 1) }
      return .list(list ?? [])
    }
    if let list = try argumentList(at: index, on: stack) { return .list(list) }
    guard let value = try value(at: index, on: stack, place: place) else {
      throw ScriptError(
        place, .other("\(ErrorReport.article(stack.typeName(at: index))) cannot be an argument of a predicate"))
    }
    return value
  }

  /// The predicate in Swift source; `entity` is its entity, if known.
  fileprivate func predicate(swift text: String, in entity: Entity?) throws -> Queries.Predicate {
    try Queries.Predicate(swift: text, in: mainStore?.objectStore.model, of: entity)
  }
}

internal import LuaRuntime
internal import Modeling
internal import Queries

/// A predicate in Lua.
final class BoundPredicate: Bound {
  static let luaName = "Predicate"
  var place: String { "Predicate" }

  let predicate: Queries.Predicate

  init(_ predicate: Queries.Predicate) { self.predicate = predicate }

  func summary() -> String { predicate.format }

  static let members: [Member<BoundPredicate>] = [
    .property("format", "predicate.format -> string", "The predicate in the format language, with the fewest parentheses.") { call, predicate in
      call.stack.push(predicate.predicate.format)
      return 1
    },
    .method("bind", "predicate:bind { name = value, ... } -> predicate", "The predicate with values for its `$variables`.") { call, predicate in
      guard call.type(1) == .table else { throw call.expected("a table of values by variable", 1) }
      let values = try call.variables(1)
      call.engine.predicates.push(BoundPredicate(try predicate.predicate.bind(values)), on: call.stack)
      return 1
    },
    .method("evaluate", "predicate:evaluate(object [, \"memory\"]) -> true, false or nil", "Whether the object fulfils it; nil for neither, as in the store.") { call, predicate in
      guard let object = call.engine.object(at: call.index(1), on: call.stack) else { throw call.expected("an object", 1) }
      try call.refuseMore(than: 2)
      let semantics = try call.choice(2, EvaluationSemantics.self) ?? .store
      guard let answer = try predicate.predicate.evaluate(object, semantics: semantics) else {
        call.stack.pushNil()
        return 1
      }
      call.stack.push(answer)
      return 1
    },
    .method("explain", "predicate:explain(Entity) -> explanation", "How the store finds the objects that fulfil it: `request:explain`.") { call, predicate in
      guard let entity = call.engine.entities.object(at: call.index(1), on: call.stack) else { throw call.expected("an entity", 1) }
      return try entity.request(predicate.predicate).explain(call)
    },
  ]
}

/// The functions that make predicates and sort descriptors.
enum PredicateBinding {
  static let functions: [GlobalFunction] = [
    GlobalFunction("Predicate", "Predicate(format, ...) -> predicate", "A condition in the format language of NSPredicate, with its arguments.") { call in
      call.engine.predicates.push(BoundPredicate(try call.predicate(1)), on: call.stack)
      return 1
    },
    GlobalFunction("SortDescriptor", "SortDescriptor(keyPath [, \"forward\" | \"reverse\"] [, { comparator = ... }])", "A key that results are sorted by.") { call in
      call.engine.sortDescriptors.push(BoundSortDescriptor(try SortDescriptorBinding.make(call)), on: call.stack)
      return 1
    },
  ]
}

extension Call {
  /// The predicate that the arguments from `argument` on give: a string with arguments, a table of both, or a Predicate.
  func predicate(_ argument: Int32) throws -> Queries.Predicate {
    if type(argument) == .string {
      let format = try string(argument, "a predicate in valid UTF-8")
      let arguments = try (argument + 1..<max(count, argument) + 1).map { try predicateArgument(at: index($0), number: $0 - argument) }
      return try Queries.Predicate.parse(format, arguments: arguments)
    }
    guard let predicate = try engine.predicate(at: index(argument), on: stack, place: place) else {
      throw expected("a predicate (string, table or Predicate)", argument)
    }
    try refuseMore(than: argument)
    return predicate
  }

  /// As `predicate(_:)`, or nil when nothing was given.
  func optionalPredicate(_ argument: Int32) throws -> Queries.Predicate? {
    count < argument || (count == argument && isMissing(argument)) ? nil : try predicate(argument)
  }

  private func predicateArgument(at index: Int32, number: Int32) throws -> PredicateArgument {
    if stack.isNoneOrNil(at: index) { throw fail("argument \(number) is nil; an explicit nil is written null") }
    return .value(try engine.argument(at: index, on: stack, place: place))
  }
}

extension Engine {
  func makePredicateClass() -> LuaClass<BoundPredicate> {
    makeClass(BoundPredicate.self) { definition in
      for (event, symbol, combine) in Self.combinations {
        definition.metamethod(event) { [unowned self] stack in
          let left = try operand(1, symbol, stack)
          let right = try operand(2, symbol, stack)
          predicates.push(BoundPredicate(combine(left, right)), on: stack)
          return 1
        }
      }
      definition.metamethod(.bitNot) { [unowned self] stack in
        predicates.push(BoundPredicate(~(try operand(1, "~", stack))), on: stack)
        return 1
      }
      definition.metamethod(.equal) { [unowned self] stack in
        let (left, right) = (predicates.object(at: 1, on: stack), predicates.object(at: 2, on: stack))
        stack.push(left != nil && left?.predicate == right?.predicate)
        return 1
      }
    }
  }

  private static let combinations: [(LuaMetamethod, String, @Sendable (Queries.Predicate, Queries.Predicate) -> Queries.Predicate)] = [
    (.bitAnd, "&", { $0 & $1 }), (.bitOr, "|", { $0 | $1 }),
  ]

  private func operand(_ index: Int32, _ symbol: String, _ stack: LuaStack) throws -> Queries.Predicate {
    guard let predicate = try predicate(at: index, on: stack, place: symbol) else {
      throw ScriptError(symbol, .expected("a predicate (string, table or Predicate)", found: stack.typeName(at: index)))
    }
    return predicate
  }

  /// The predicate that one value gives: a Predicate, a format string, or a table `{ "format", arguments... }`; nil for
  /// anything else.
  func predicate(at index: Int32, on stack: LuaStack, place: String) throws -> Queries.Predicate? {
    if let bound = predicates.object(at: index, on: stack) { return bound.predicate }
    if stack.type(at: index) == .string, let format = stack.string(at: index) { return try Queries.Predicate.parse(format) }
    guard stack.type(at: index) == .table else { return nil }
    stack.reserve(6)
    stack.rawGet(element: 1, at: index)
    let format = stack.string(at: -1)
    stack.pop()
    guard let format else { throw ScriptError(place, .other("a predicate in a table begins with its format string")) }
    let arguments = try stack.elements(at: index) { element -> PredicateArgument in
      .value(try argument(at: element, on: stack, place: place))
    }
    return try Queries.Predicate.parse(format, arguments: Array((arguments ?? []).dropFirst()))
  }

  /// The value at `index` as an argument of a predicate: tables are lists.
  func argument(at index: Int32, on stack: LuaStack, place: String, depth: Int = 0) throws -> Value {
    if stack.type(at: index) == .table {
      guard depth < 100 else { throw ScriptError(place, .other("the table is nested too deeply, or contains itself")) }
      let list = try stack.elements(at: index) { try argument(at: $0, on: stack, place: place, depth: depth + 1) }
      return .list(list ?? [])
    }
    if let list = try argumentList(at: index, on: stack) { return .list(list) }
    guard let value = try value(at: index, on: stack, place: place) else {
      throw ScriptError(place, .other("\(ErrorReport.article(stack.typeName(at: index))) cannot be an argument of a predicate"))
    }
    return value
  }
}

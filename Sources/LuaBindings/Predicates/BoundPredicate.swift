internal import LuaRuntime
internal import Modeling
internal import Queries

/// A predicate in Lua.
final class BoundPredicate: Bound {
  static let luaName = "Predicate"
  var place: String { "Predicate" }
  var display: EngineValue? { .predicate(predicate) }

  let predicate: Queries.Predicate

  init(_ predicate: Queries.Predicate) { self.predicate = predicate }

  func summary() -> String { predicate.format }

  static let members: [Member<BoundPredicate>] = [
    .property(
      "format", "predicate.format -> string", "The predicate in the format language, with the fewest parentheses.",
      sandbox: .allowed
    ) { call, predicate in
      .text(predicate.predicate.format)
    },
    .method(
      "bind", "predicate:bind { name = value, ... } -> predicate", "The predicate with values for its `$variables`.",
      sandbox: .allowed, example: #"Predicate("magnitude > $least"):bind { least = 3 }"#
    ) { call, predicate in
      guard call.type(1) == .table else { throw call.expected("a table of values by variable", 1) }
      let values = try call.variables(1)
      return .object(BoundPredicate(try predicate.predicate.bind(values)))
    },
    .method(
      "evaluate", "predicate:evaluate(object [, \"memory\"]) -> true, false or nil",
      "Whether the object matches; nil if undecided, as in the store.", sandbox: .allowed, example: "(Quake:first())"
    ) { call, predicate in
      guard let object = call.engine.values.object(at: call.index(1), on: call.stack) else {
        throw call.expected("an object", 1)
      }
      let semantics = try call.choice(2, EvaluationSemantics.self) ?? .store
      guard let answer = try predicate.predicate.evaluate(object, semantics: semantics) else { return .luaNil }
      return .boolean(answer)
    },
  ]
}

extension BoundPredicate {
  static func luaClass(of engine: Engine) -> LuaClass<BoundPredicate> {
    engine.classes.make(BoundPredicate.self) { definition in
      for (event, symbol, combine) in combinations {
        definition.metamethod(event) { [unowned engine] stack in
          let left = try operand(1, symbol, stack, of: engine)
          let right = try operand(2, symbol, stack, of: engine)
          engine.classes.push(BoundPredicate(try combine(left, right).limited()), on: stack)
          return 1
        }
      }
      definition.metamethod(.bitNot) { [unowned engine] stack in
        let negation = try (~(try operand(1, "~", stack, of: engine))).limited()
        engine.classes.push(BoundPredicate(negation), on: stack)
        return 1
      }
      definition.metamethod(.equal) { [unowned engine] stack in
        let (left, right) = (
          engine.classes.object(BoundPredicate.self, at: 1, on: stack),
          engine.classes.object(BoundPredicate.self, at: 2, on: stack)
        )
        stack.push(left != nil && left?.predicate == right?.predicate)
        return 1
      }
    }
  }

  private static let combinations:
    [(LuaMetamethod, String, @Sendable (Queries.Predicate, Queries.Predicate) -> Queries.Predicate)] = [
      (.bitAnd, "&", { $0 & $1 }), (.bitOr, "|", { $0 | $1 }),
    ]

  private static func operand(
    _ index: Int32, _ symbol: String, _ stack: LuaStack, of engine: Engine
  ) throws -> Queries.Predicate {
    guard let predicate = try engine.predicates.predicate(at: index, on: stack, place: symbol) else {
      throw ScriptError(symbol, .expected("a predicate (string, table or Predicate)", found: stack.typeName(at: index)))
    }
    return predicate
  }
}

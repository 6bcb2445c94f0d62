internal import LuaRuntime
internal import Modeling
internal import Queries
internal import Refusals

extension BoundPredicate {
  static let checkMembers: [Member<BoundPredicate>] = [
    .method(
      "check", "predicate:check(Entity [, \"sqlite\" | \"memory\" | \"swiftData\"]) -> refusals",
      "The parts that Apple's stores refuse, crash on, answer differently or slowly, each with a workaround.",
      sandbox: .allowed, example: "(Quake)"
    ) { call, predicate in
      let entity = try call.entity(1)
      var request = Queries.FetchRequest(entity.entity)
      request.predicate = predicate.predicate
      return try RefusalTable.answer(request, store: try call.choice(2, AppleStore.self))
    }
  ]
}

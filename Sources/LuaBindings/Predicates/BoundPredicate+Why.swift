internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

extension BoundPredicate {
  static let whyMembers: [Member<BoundPredicate>] = [
    .method(
      "why", "predicate:why(object) -> reason",
      "For the object, the result and values of each clause, and what would have to change.", sandbox: .allowed,
      example: "(Quake:first())"
    ) { call, predicate in
      try ReasonTable.answer(predicate.predicate, call)
    }
  ]
}

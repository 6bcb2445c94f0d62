internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

extension BoundPredicate {
  static let parityMembers: [Member<BoundPredicate>] = [
    .method(
      "parity", "predicate:parity(Entity) -> parity",
      "The objects for which evaluation in memory, by Foundation's rules, differs from the store, with the reason.",
      sandbox: .allowed, example: "(Quake)"
    ) { call, predicate in
      let entity = try call.entity(1)
      return try ParityTable.answer(predicate.predicate, of: entity.entity, in: entity.context, call)
    }
  ]
}

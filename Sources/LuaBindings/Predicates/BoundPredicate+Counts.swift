internal import LuaRuntime
internal import Modeling

// `predicate:counts(Entity)`
extension BoundPredicate {
  static let countsMembers: [Member<BoundPredicate>] = [
    .method(
      "counts", "predicate:counts(Entity) -> counts",
      "How many objects the predicate and each clause match, reject or leave undecided, with near misses and samples."
    ) { call, predicate in
      let entity = try call.entity(1)
      return try entity.request(predicate.predicate).counts(call)
    }
  ]
}

// Questions to a predicate that a request of it answers.
extension BoundPredicate {
  static let requestMembers: [Member<BoundPredicate>] = [
    .method(
      "explain", "predicate:explain(Entity) -> explanation",
      "How the store finds the objects that match: `request:explain`.", sandbox: .allowed, example: "(Quake)"
    ) { call, predicate in
      let entity = try call.entity(1)
      return try entity.request(predicate.predicate).explain(call)
    },
    .method(
      "counts", "predicate:counts(Entity) -> counts",
      "How many objects the predicate and each clause match, reject or leave undecided, with near misses and samples.",
      sandbox: .allowed, example: "(Quake)"
    ) { call, predicate in
      let entity = try call.entity(1)
      return try entity.request(predicate.predicate).counts(call)
    },
  ]
}

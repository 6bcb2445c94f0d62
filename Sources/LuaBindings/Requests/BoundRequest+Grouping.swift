internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries
internal import Stores

// Rows by group: in the store, or in memory if a function of the script makes the groups.
extension BoundRequest {
  static let groupingMembers: [Member<BoundRequest>] = [
    .method(
      "groupBy",
      "request:groupBy(keys [, { name = aggregate, ... } [, { having = , sort = , limit = , offset = }]]) -> rows",
      "Rows by group, which are counted unless aggregates are named; keys are key paths, expressions or functions.",
      sandbox: .allowed, example: #"("place", { n = "count", biggest = "max(magnitude)" })"#
    ) { call, request in
      let grouping = try Grouping(call, request)
      return try grouping.hasFunctions ? grouping.rows(call) : grouping.request(call).fetch(call)
    },
    .method(
      "grouped",
      "request:grouped(keys [, { name = aggregate, ... } [, { having = , sort = , limit = , offset = }]]) -> request",
      "A request for rows by group, to be fetched, kept live or explained.", sandbox: .allowed,
      example: #"("place", { n = "count" })"#
    ) { call, request in
      let grouping = try Grouping(call, request)
      if grouping.hasFunctions {
        throw call.fail("the store cannot ask a function of the script; groupBy asks it in memory")
      }
      return .object(try grouping.request(call))
    },
    .method(
      "aggregate", "request:aggregate(\"sum(keyPath)\" or { name = aggregate, ... }) -> request",
      "A request for aggregates over all objects: one row, to be fetched or kept live.", sandbox: .allowed,
      example: #"({ n = "count", biggest = "max(magnitude)" })"#
    ) { call, request in
      let columns = try Grouping.aggregates(call, 1, request)
      if request.request.fetchOffset > 0 || (request.request.fetchLimit ?? 0) > 0 {
        throw call.fail("aggregates are over all objects; take the limit and the offset away")
      }
      return .object(
        try request.with {
          $0.resultType = .dictionaries
          $0.propertiesToFetch = columns
          $0.sortDescriptors = []
        })
    },
    .method(
      "having", "request:having(predicate, ...) -> request", "The same request for groups that match a condition.",
      sandbox: .allowed, example: #"Quake:all():grouped("place", { n = "count" }):having("n > 1")"#
    ) { call, request in
      let predicate = try call.predicate(1, in: nil)
      return .object(
        try request.with {
          $0.havingPredicate = try $0.havingPredicate.map { try ($0 & predicate).limited() } ?? predicate
        })
    },
  ]
}

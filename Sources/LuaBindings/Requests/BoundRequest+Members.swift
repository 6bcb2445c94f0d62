internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

// The members of a request.
extension BoundRequest {
  static let members = chaining + answers

  private static let chaining: [Member<BoundRequest>] = [
    .method(
      "where", "request:where(predicate, ...) -> request", "The same request, with a further condition.",
      sandbox: .allowed, example: #"("magnitude > %@", 3)"#
    ) {
      call, request in
      .object(try request.narrowed(call.predicate(1, in: request.entity)))
    },
    .method(
      "sorted", "request:sorted(keyPath, ...) -> request",
      "The same request in another order: key paths (`-` for reverse) or SortDescriptors.", sandbox: .allowed,
      example: #"("-magnitude", "place")"#
    ) { call, request in
      let descriptors = try (0..<call.count).flatMap { number -> [Queries.SortDescriptor] in
        guard let list = try call.engine.predicates.sortDescriptorList(at: call.index(number + 1), on: call.stack)
        else {
          throw call.expected("a key path or SortDescriptor", number + 1)
        }
        return list
      }
      return .object(try request.with { $0.sortDescriptors = descriptors })
    },
    .method(
      "limit", "request:limit(n) -> request", "The same request for at most this number of results.", sandbox: .allowed,
      example: "(3)"
    ) {
      call, request in
      let limit = try call.integer(1)
      return .object(try request.with { $0.fetchLimit = limit })
    },
    .method(
      "offset", "request:offset(n) -> request", "The same request without this number of first results.",
      sandbox: .allowed, example: "(2)"
    ) {
      call, request in
      let offset = try call.integer(1)
      return .object(try request.with { $0.fetchOffset = offset })
    },
    .method(
      "bind", "request:bind { name = value } -> request",
      "The same request with values for the `$variables` of its predicate.", sandbox: .allowed,
      example: #"Quake:where("magnitude > $least"):bind { least = 3 }"#
    ) { call, request in
      guard call.type(1) == .table else { throw call.expected("a table of values by variable", 1) }
      let values = try call.variables(1)
      return .object(
        try request.with { request in
          guard let predicate = request.predicate else {
            // Without a predicate there is no variable either.
            _ = try Predicate.constant(true).bind(values)
            return
          }
          request.predicate = try predicate.bind(values)
        })
    },
    .method(
      "with", "request:with { fetchLimit = 10, ... } -> request",
      "The same request with some of its properties changed.", sandbox: .allowed, example: "({ fetchLimit = 10 })"
    ) { call, request in
      .object(try request.with { try RequestOptions.apply(call, 1, to: &$0, allowing: RequestOptions.names) })
    },
  ]

  private static let answers: [Member<BoundRequest>] = [
    .method(
      "fetch", "request:fetch() -> results", "The results: objects, or the kind that resultType names.",
      sandbox: .allowed, example: "()"
    ) {
      call, request in
      try request.fetch(call)
    },
    .method(
      "count", "request:count([predicate, ...]) -> number",
      "The number of objects it selects, with an optional further condition.", sandbox: .allowed, example: "()"
    ) { call, request in
      .integer(try request.narrowed(call).count(call))
    },
    .method(
      "first", "request:first([predicate, ...]) -> object or nil",
      "The first object it selects, with an optional further condition.", sandbox: .allowed, example: "()"
    ) { call, request in
      try request.narrowed(call).first(call)
    },
    .method(
      "exists", "request:exists([predicate, ...]) -> boolean",
      "Whether it selects any object, with an optional further condition.", sandbox: .allowed, example: "()"
    ) { call, request in
      .boolean(try request.narrowed(call).exists(call))
    },
    .method(
      "page", "request:page(number, size) -> results", "One page of the results, counted from 1.", sandbox: .allowed,
      example: "(1, 50)"
    ) {
      call, request in
      let number = try call.integer(1, "a page number, from 1,")
      let size = try call.integer(2, "a page size")
      guard number >= 1, size >= 1 else { throw call.fail("pages and their sizes are counted from 1") }
      return try request.page(number, size).fetch(call)
    },
    .method(
      "each", "request:each() -> iterator",
      "Iterates over the results in constant memory: `for q in request:each() do`.", sandbox: .allowed,
      example: #"for q in Quake:where("magnitude > 3"):each() do print(q.code) end"#
    ) { call, request in
      try request.each(call)
    },
    .method(
      "sum", "request:sum(keyPath) -> number", "The sum, computed in the store.", sandbox: .allowed,
      example: #"("magnitude")"#
    ) { try $1.aggregate(.sum, $0) },
    .method(
      "average", "request:average(keyPath) -> number", "The average, computed in the store.", sandbox: .allowed,
      example: #"("magnitude")"#
    ) {
      try $1.aggregate(.average, $0)
    },
    .method(
      "min", "request:min(keyPath) -> value", "The smallest value, found in the store.", sandbox: .allowed,
      example: #"("magnitude")"#
    ) {
      try $1.aggregate(.min, $0)
    },
    .method(
      "max", "request:max(keyPath) -> value", "The largest value, found in the store.", sandbox: .allowed,
      example: #"("magnitude")"#
    ) {
      try $1.aggregate(.max, $0)
    },
    .method(
      "explain", "request:explain() -> explanation", "The SQL with its values, the plan and the cost.",
      sandbox: .allowed, example: "()"
    ) {
      call, request in
      try request.explain(call)
    },
    .method(
      "delete", "request:delete([{ resultType = }]) -> number or objectIDs",
      "Deletes the selected objects directly in the store; delete rules apply.", sandbox: .allowed, example: "()"
    ) { call, request in
      return try request.delete(call, resultType: try BatchResultType.option(1, of: call))
    },
    .method(
      "update", "request:update({ name = value } [, { resultType = }]) -> number or objectIDs",
      "Changes the selected objects directly in the store.", sandbox: .allowed, example: #"({ place = "far" })"#
    ) { call, request in
      return try request.update(call, at: call.index(1), resultType: try BatchResultType.option(2, of: call))
    },
  ]

  /// The request with an additional condition. Only this one is checked, as a chain may have thousands.
  private func narrowed(_ predicate: Queries.Predicate) throws -> BoundRequest {
    try BoundRequest(self, narrowedBy: predicate)
  }

  /// The request with the predicate of a call as an additional condition; the request itself without arguments.
  private func narrowed(_ call: Call) throws -> BoundRequest {
    try call.optionalPredicate(1, in: entity).map(narrowed) ?? self
  }

  /// The request for one page within its own limits.
  private func page(_ number: Int, _ size: Int) throws -> BoundRequest {
    let (skipped, isTooFar) = (number - 1).multipliedReportingOverflow(by: size)
    guard !isTooFar, skipped < 1 << 48 else { return try with { $0.predicate = .constant(false) } }
    return try with { request in
      let left = request.fetchLimit.flatMap { $0 > 0 ? max(0, $0 - skipped) : nil } ?? size
      request.fetchOffset = request.fetchOffset +| skipped
      // A limit of 0 would mean all rows.
      request.fetchLimit = min(left, size)
      if request.fetchLimit == 0 { request.predicate = .constant(false) }
    }
  }
}

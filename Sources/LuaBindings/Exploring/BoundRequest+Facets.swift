internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

// `request:facets(keyPath, ...)`
extension BoundRequest {
  static let facetMembers: [Member<BoundRequest>] = [
    .method(
      "facets", "request:facets(keyPath, ...) -> rows",
      "For each value, nil included, the number of objects that have it and a request for them.", sandbox: .allowed,
      example: #"("place")"#
    ) { call, request in
      try request.checkObjects(call)
      if (request.request.fetchLimit ?? 0) > 0 || request.request.fetchOffset > 0 {
        throw call.fail("it tells of all objects that the predicate selects; this request has a limit or an offset")
      }
      if call.count == 0 { throw call.expected("a key path", 1) }
      let ready = try request.ready(call)
      var facets: [Facet] = []
      for number in 1...call.count {
        facets += try request.facets(of: try call.expressionText(number), ready, call)
      }
      return request.answer(facets, call)
    }
  ]

  /// One value of a property, with its request.
  private struct Facet {
    var property: String
    var value: Value
    var count: Int
    /// The objects that have the value.
    var request: BoundRequest
  }

  private func facets(of text: String, _ ready: Queries.FetchRequest, _ call: Call) throws -> [Facet] {
    let expression = try Queries.Expression.parse(text)
    // Checks the requests even if there are no values.
    _ = try leading(to: .null, of: expression)
    let objects = context.objectContext
    let label = "facets of \(request.entity.name)"
    let found = try call.engine.host.tellingProgress(label, of: ready, in: objects) { progress in
      try objects.facets(ready, of: expression, progress: progress)
    }
    return try found.map { value, count in
      if case .list = value { throw call.fail("'\(text)' has several values of each object") }
      return Facet(property: text, value: value, count: count, request: try leading(to: value, of: expression))
    }
  }

  /// The request for the objects that have a value.
  func leading(to value: Value, of expression: Queries.Expression) throws -> BoundRequest {
    try with { $0 = try $0.leading(to: value, of: expression) }
  }

  private func answer(_ facets: [Facet], _ call: Call) -> ReturnValue {
    let stack = call.stack
    stack.reserve(12)
    stack.pushTable(array: Int32(clamping: facets.count))
    for (number, facet) in facets.enumerated() {
      stack.pushTable(hash: 4)
      stack.push(facet.property)
      stack.rawSet(field: "property", at: -2)
      if !facet.value.isNull, (try? context.push(facet.value, on: stack)) != nil {
        stack.rawSet(field: "value", at: -2)
      }
      stack.push(facet.count)
      stack.rawSet(field: "count", at: -2)
      call.engine.classes.push(facet.request, on: stack)
      stack.rawSet(field: "request", at: -2)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
    let context = context
    let listing = Listing(
      columns: [("property", false), ("value", false), ("count", true)], count: facets.count,
      rowName: facets.count == 1 ? "value" : "values"
    ) { row in
      let facet = facets[row]
      return [.string(facet.property), context.shown(facet.value), .int(Int64(facet.count))]
    }
    call.setListing(listing, columns: ["property", "value", "count"])
    return .pushed(1)
  }
}

extension Queries.FetchRequest {
  /// The request for the objects that have a value.
  func leading(to value: Value, of expression: Queries.Expression) throws -> Queries.FetchRequest {
    let condition = Predicate.comparison(Comparison(expression, .equal, .constant(value)))
    var request = self
    request.predicate = try predicate.map { try ($0 & condition).limited() } ?? condition
    return request
  }
}

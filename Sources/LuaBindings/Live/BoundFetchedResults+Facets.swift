internal import LiveQueries
internal import LuaRuntime
internal import Modeling
internal import ObjectGraph
internal import Queries

// `results:facets(keyPath, ...)`
extension BoundFetchedResults {
  static let facetMembers: [Member<BoundFetchedResults>] = [
    .method(
      "facets", "results:facets(keyPath, ...) -> values, ...",
      "For each key path, a live list of its values with the number of objects that have each; it follows the predicate.",
      sandbox: .allowed, example: #"("place")"#
    ) { call, results in
      try results.context.checkOpen(call.place)
      if results.isClosed { throw call.fail(.closed("live result")) }
      let request = results.results.request
      if (request.fetchLimit ?? 0) > 0 || request.fetchOffset > 0 {
        throw call.fail("they tell of all objects that the predicate selects; these results have a limit or an offset")
      }
      if call.count == 0 { throw call.expected("a key path", 1) }
      for number in 1...call.count {
        let text = try call.expressionText(number)
        let facets = try results.facets(of: text, call)
        results.followers.append(Follower(values: facets))
        call.stack.reserve(4)
        call.engine.classes.push(facets, on: call.stack)
      }
      return .pushed(call.count)
    }
  ]

  /// Facets that take over the predicate whenever it changes, as long as a script holds them.
  struct Follower {
    weak var values: BoundFetchedValues?
  }

  private func facets(of text: String, _ call: Call) throws -> BoundFetchedValues {
    let expression = try Queries.Expression.parse(text)
    // Checks the requests even if there are no values.
    let objects = try results.request.leading(to: .null, of: expression)
    try objects.validate()
    try objects.validate(for: .fetch)
    if case .collection = try expression.check(in: objects.entity, for: .fetch) {
      throw call.fail("'\(text)' has several values of each object")
    }
    let configuration = ResultsConfiguration(request: results.request.facets(of: expression))
    return try BoundFetchedValues(configuration, context, facet: (text, expression))
  }

  /// Has the facets follow the predicate.
  func updateFollowers() throws {
    followers.removeAll { $0.values?.isClosed ?? true }
    for case let facets? in followers.map(\.values) where facets.values.request.predicate != results.request.predicate {
      var configuration = facets.configuration
      configuration.request.predicate = results.request.predicate
      try facets.replace(with: configuration)
      facets.configurationSources.didChange(["predicate"])
    }
  }
}

internal import LuaRuntime
internal import Modeling
internal import Queries

/// `Query { ... }`: live at once, as SwiftData's.
enum QueryFunctions {
  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "Query", "Query { entity = , filter = , sort = , order = , sectionBy = , ... } -> FetchedResults",
      "Live results of objects: a plain list, with its sections beside it."
    ) { call in
      let (configuration, context) = try configuration(call)
      call.engine.fetchedResults.push(
        try BoundFetchedResults(checking: configuration, context, isFlat: true, call), on: call.stack)
      return 1
    }
  ]

  static var entries: [CatalogEntry] {
    let options =
      ResultsConfiguration.options.map { ($0.name, $0.summary) } + [
        ("entity", "The entity whose objects are fetched, or its name.")
      ]
    return options.map { name, summary in
      CatalogEntry(kind: .option, owner: "Query", name: name, signature: "\(name) = ...", summary: summary)
    }
  }

  /// What the table, request or Swift source that is the first argument asks for.
  private static func configuration(_ call: Call) throws -> (ResultsConfiguration, BoundContext) {
    if call.type(1) == .table {
      let options = Options(call: call, index: call.index(1))
      guard let entity = try options.entity("entity") else { throw call.fail(.missing("entity")) }
      var configuration = ResultsConfiguration(request: Queries.FetchRequest(entity.entity))
      try configuration.apply(call, in: entity.context, besides: ["entity"])
      return (configuration, entity.context)
    }
    if call.type(1) == .string {
      let found = try SwiftReading.request(call)
      return (ResultsConfiguration(request: found.request, animation: found.request.animation), found.context)
    }
    guard let request = call.engine.requests.object(at: call.index(1), on: call.stack) else {
      throw call.expected("a table of options, a request or Swift source", 1)
    }
    return (ResultsConfiguration(request: request.request, animation: request.request.animation), request.context)
  }
}

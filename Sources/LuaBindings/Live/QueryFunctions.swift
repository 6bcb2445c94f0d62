internal import LuaRuntime
internal import Modeling
internal import Queries

/// `Query { ... }` and `ResultsObserver { ... }`: results that are live at once, as in SwiftData.
enum QueryFunctions {
  static let functions: [GlobalFunction] = [
    GlobalFunction(
      "Query", "Query { entity = , filter = , sort = , order = , sectionBy = , ... } -> FetchedResults",
      "Live results of objects: a list, and its sections.", sandbox: .allowed,
      example: #"Query { entity = Quake, filter = "magnitude > 3", sort = "time", order = "reverse" }"#
    ) { call in
      try results(call, isObserver: false)
    },
    GlobalFunction(
      "ResultsObserver", "ResultsObserver { entity = , filterBy = , sortBy = , sectionBy = , ... } -> FetchedResults",
      "Live results outside of views, like SwiftData's: `observer.results`, `observer.sections`; all properties can be set.",
      sandbox: .allowed, example: #"ResultsObserver { entity = Quake, filterBy = "magnitude > 3", sortBy = "-time" }"#
    ) { call in
      try results(call, isObserver: true)
    },
  ]

  private static func results(_ call: Call, isObserver: Bool) throws -> ReturnValue {
    let (configuration, context) = try configuration(call, isObserver: isObserver)
    return .object(try BoundFetchedResults(checking: configuration, context, isFlat: true, call))
  }

  static var entries: [CatalogEntry] {
    let options =
      ResultsConfiguration.options.map { ($0.name, $0.summary) } + [
        ("entity", "The entity whose objects are fetched, or its name."),
        ("transaction", "A transaction, whose animation is that of changes: `{ animation = , disablesAnimations = }`."),
      ]
    let observer = options + [("modelContext", "The context of the objects.")]
    return CatalogEntry.options(
      of: "Query", example: #"Query { entity = Quake, filter = "magnitude > 3", sort = "time", order = "reverse" }"#,
      options)
      + CatalogEntry.options(
        of: "ResultsObserver",
        example: #"ResultsObserver { entity = Quake, filterBy = "magnitude > 3", sortBy = "-time" }"#, observer)
  }

  /// The configuration in the first argument: a table, a request or Swift source.
  private static func configuration(
    _ call: Call, isObserver: Bool
  ) throws -> (ResultsConfiguration, BoundContext) {
    if call.type(1) == .table {
      let options = Options(call: call, index: call.index(1))
      guard let entity = try options.entity("entity") else { throw call.fail(.missing("entity")) }
      let context = try isObserver ? options.context("modelContext", of: entity) ?? entity.context : entity.context
      var configuration = ResultsConfiguration(request: Queries.FetchRequest(entity.entity))
      let others = ["entity", "transaction"] + (isObserver ? ["modelContext"] : [])
      try configuration.apply(call, besides: others)
      if options.has("transaction") { configuration.animation = try options.animation()?.name }
      return (configuration, context)
    }
    if call.type(1) == .string {
      let found = try SwiftReading.request(call)
      return (ResultsConfiguration(request: found.request, animation: found.request.animation), found.context)
    }
    guard let request = call.engine.classes.object(BoundRequest.self, at: call.index(1), on: call.stack) else {
      throw call.expected("a table of options, a request or Swift source", 1)
    }
    return (ResultsConfiguration(request: request.request, animation: request.request.animation), request.context)
  }
}

extension Options {
  /// A context of the entity's store.
  fileprivate func context(_ name: String, of entity: BoundEntity) throws -> BoundContext? {
    try with(name) { index in
      guard let context = call.engine.classes.object(BoundContext.self, at: index, on: call.stack) else {
        throw expected("a context", name, index)
      }
      guard context.objectContext.store === entity.context.objectContext.store else {
        throw call.fail("\(entity.entity.name) is not an entity of the context's store")
      }
      return context
    }
  }
}

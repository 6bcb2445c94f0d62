internal import Comparison
internal import LuaRuntime
internal import Modeling
internal import Queries

/// `store:compare` and `request:compare`.
enum CompareFunctions {
  static let storeMembers: [Member<BoundStore>] = [
    .method(
      "compare", "store:compare(other [, { by = , ignore = , where = , tolerance = , entities = }]) -> difference",
      "What distinguishes another store's model and saved objects from this one's.", sandbox: .allowed,
      example: "print(store:compare(store))"
    ) { call, store in
      guard let other = call.engine.classes.object(BoundStore.self, at: call.index(1), on: call.stack) else {
        throw call.expected("a store", 1)
      }
      let options = try call.options(2, ["by", "ignore", "where", "tolerance", "entities"])
      var comparison = try read(options)
      comparison.entities = try entities(options)
      if let predicate = try options.predicate("where") { comparison.predicates = (predicate, predicate) }
      return .object(BoundDifference(try compared(store, other, comparison, call), store, other))
    }
  ]

  static let requestMembers: [Member<BoundRequest>] = [
    .method(
      "compare", "request:compare(other [, { by = , ignore = , tolerance = }]) -> difference",
      "What distinguishes the saved objects of another request, usually of another store, from this one's.",
      sandbox: .allowed, example: "(Quake:all())"
    ) { call, request in
      guard let other = call.engine.classes.object(BoundRequest.self, at: call.index(1), on: call.stack) else {
        throw call.expected("a request", 1)
      }
      for part in [request.request, other.request] where (part.fetchLimit ?? 0) > 0 || part.fetchOffset > 0 {
        throw call.fail("a limit or an offset leaves objects out by their place, which no comparison knows")
      }
      var comparison = try read(try call.options(2, ["by", "ignore", "tolerance"]))
      (comparison.entities, comparison.includesSubentities) = (
        [request.entity.name], request.request.includesSubentities
      )
      comparison.predicates = (request.request.predicate, other.request.predicate)
      let (first, second) = (request.context.store, other.context.store)
      let compared = try compared(first, second, comparison, call)
      for entity in compared.entities where !entity.second.isKind(of: other.entity) {
        throw call.fail(
          "the requests are of \(request.entity.name) and \(other.entity.name), which are different entities")
      }
      return .object(BoundDifference(compared, first, second))
    }
  ]

  private static func read(_ options: Options) throws -> StoreComparison.Options {
    var comparison = StoreComparison.Options()
    comparison.by = try options.names("by")
    comparison.ignore = Set(try options.names("ignore"))
    comparison.tolerance = try options.number("tolerance") ?? 0
    guard comparison.tolerance >= 0 else {
      throw options.call.fail("tolerance: expected a number from 0 on, got \(comparison.tolerance)")
    }
    return comparison
  }

  /// The names of entities, which may be given as entities.
  private static func entities(_ options: Options) throws -> [String] {
    try options.with("entities") { index in
      let call = options.call
      return try call.stack.elements(at: index) { element in
        if let entity = call.engine.classes.object(BoundEntity.self, at: element, on: call.stack) {
          return entity.entity.name
        }
        guard let text = call.stack.string(at: element) else {
          throw options.expected("a list of entities", "entities", element)
        }
        return text
      } ?? { throw options.expected("a list of entities", "entities", index) }()
    } ?? []
  }

  private static func compared(
    _ first: BoundStore, _ second: BoundStore, _ options: StoreComparison.Options, _ call: Call
  ) throws -> StoreComparison {
    try first.checkOpen(call)
    try second.checkOpen(call)
    return try StoreComparison(first.objectStore, second.objectStore, options)
  }
}

internal import LuaRuntime
internal import Modeling

/// A declared fetched property without its name: `FetchedProperty { entity = "Quake", ... }`.
final class FetchedPropertyDraft: Bound {
  static let luaName = "FetchedProperty"
  var place: String { "FetchedProperty" }

  /// The property, with an empty name.
  let property: FetchedProperty

  static let options: [(name: String, summary: String)] = [
    ("entity", "The name of the entity that is fetched."),
    ("predicate", "The condition on objects, as text; `$FETCH_SOURCE` is the object itself."),
    ("sortDescriptors", "The order: key paths, with `-` for reverse."),
    ("fetchLimit", "The maximum number of results."),
    ("fetchOffset", "The number of objects skipped at the start."),
    ("fetchBatchSize", "How many rows are read at once."),
    ("resultType", "The kind of results: objects, objectIDs, dictionaries or count."),
    ("includesSubentities", "false to leave out objects of entities that inherit."),
    ("includesPropertyValues", "false to read no rows along."),
    ("returnsObjectsAsFaults", "false to read values at once."),
    ("returnsDistinctResults", "true for each dictionary once."),
  ]

  static var entries: [CatalogEntry] {
    CatalogEntry.options(
      of: luaName,
      example:
        #"Model { Quake = Entity { magnitude = Double, strong = FetchedProperty { entity = "Quake", predicate = "magnitude > 6" } } }"#,
      options + [("userInfo", "A table of texts for programs.")])
  }

  func summary() -> String { "property fetched from \(property.fetchRequest.entity)" }

  /// Reads `FetchedProperty { ... }`.
  init(_ call: Call) throws {
    guard call.type(1) == .table else { throw call.expected("a table { entity = ..., predicate = ... }", 1) }
    try call.refuseMore(than: 1)
    let options = try call.options(1, Self.options.map(\.name) + ["userInfo"])
    var property = FetchedProperty("", try FetchRequestTemplate(options))
    property.userInfo = try options.texts("userInfo")
    self.property = property
  }
}

extension FetchRequestTemplate {
  /// Reads `{ entity = , predicate = , sortDescriptors = , fetchLimit = }`.
  init(_ options: Options) throws {
    guard let entity = try options.string("entity") else { throw options.call.fail(.missing("entity")) }
    self.init(entity, predicate: try options.string("predicate"))
    let isText = options.with("sortDescriptors") { options.call.stack.type(at: $0) == .string } ?? false
    sortDescriptors =
      try isText ? [options.string("sortDescriptors") ?? ""] : options.strings("sortDescriptors") ?? []
    fetchLimit = try options.integer("fetchLimit")
    fetchOffset = try options.integer("fetchOffset") ?? 0
    fetchBatchSize = try options.integer("fetchBatchSize") ?? 0
    resultType = try options.choice("resultType", FetchResultType.self) ?? .objects
    includesSubentities = try options.bool("includesSubentities") ?? true
    includesPropertyValues = try options.bool("includesPropertyValues") ?? true
    returnsObjectsAsFaults = try options.bool("returnsObjectsAsFaults") ?? true
    returnsDistinctResults = try options.bool("returnsDistinctResults") ?? false
  }
}

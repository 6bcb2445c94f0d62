import Modeling
import Queries
import SQLiteStorage
import Stores

/// Earthquakes with a network, reports and tags: a to-one, its inverse and pairs.
struct QuakeSample {
  let store: SQLiteStore

  init(_ model: Model? = nil) throws {
    var options = StoreOptions(path: ":memory:")
    options.model = try model ?? Self.model()
    store = try SQLiteStore(options)
  }

  func entity(_ name: String) -> Entity { store.model.entity(named: name)! }

  func request(_ name: String, _ format: String? = nil) throws -> FetchRequest {
    var request = FetchRequest(entity(name))
    if let format { request.predicate = try Predicate.parse(format) }
    return request
  }

  private static func model() throws -> Model {
    func attribute(_ name: String, _ type: AttributeType) -> Property { .attribute(Attribute(name, type)) }
    func relationship(_ relationship: Relationship) -> Property { .relationship(relationship) }
    return try Model([
      EntityDescription(
        "Quake",
        properties: [
          attribute("code", .string), attribute("magnitude", .double), attribute("place", .string),
          relationship(Relationship(toOne: "network", "Network", inverse: "quakes")),
          relationship(Relationship(toMany: "reports", "Report", inverse: "quake")),
          relationship(Relationship(toMany: "tags", "Tag", inverse: "quakes")),
        ]),
      EntityDescription(
        "Report",
        properties: [
          attribute("text", .string), attribute("score", .integer64),
          relationship(Relationship(toOne: "quake", "Quake", inverse: "reports")),
        ]),
      EntityDescription(
        "Network",
        properties: [
          attribute("name", .string), relationship(Relationship(toMany: "quakes", "Quake", inverse: "network")),
        ]),
      EntityDescription(
        "Tag",
        properties: [
          attribute("label", .string), relationship(Relationship(toMany: "quakes", "Quake", inverse: "tags")),
        ]),
    ])
  }
}

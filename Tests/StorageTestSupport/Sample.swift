package import Modeling
package import Queries
package import SQLiteStorage
import Stores

/// Earthquakes with reports (ordered), tags (many-to-many), networks, and vehicles in three entities of one table.
package struct Sample {
  package let store: SQLiteStore
  package var model: Model { store.model }

  package static func model() throws -> Model {
    func attribute(_ name: String, _ type: AttributeType, _ change: (inout Attribute) -> Void = { _ in }) -> Property {
      var attribute = Attribute(name, type)
      change(&attribute)
      return .attribute(attribute)
    }
    func relationship(_ relationship: Relationship, _ change: (inout Relationship) -> Void = { _ in }) -> Property {
      var relationship = relationship
      change(&relationship)
      return .relationship(relationship)
    }
    var quake = EntityDescription("Quake")
    quake.properties = [
      attribute("code", .string) { $0.isUnique = true },
      attribute("magnitude", .double) { $0.isIndexed = true },
      attribute("place", .string) { $0.isIndexed = true },
      attribute("time", .date) { $0.isIndexed = true },
      attribute("isFelt", .boolean),
      attribute("depth", .decimal),
      attribute("count", .integer64),
      attribute("uuid", .uuid),
      attribute("raw", .data),
      attribute("info", .transformable),
      attribute("address", .composite) {
        var geo = Attribute("geo", .composite)
        geo.elements = [Attribute("lat", .double), Attribute("lon", .double)]
        $0.elements = [
          Attribute("city", .string), Attribute("zip", .integer32), geo, Attribute("since", .date),
          Attribute("fee", .decimal), Attribute("open", .boolean), Attribute("id", .uuid), Attribute("code", .data),
        ]
      },
      attribute("note", .string) { $0.isTransient = true },
      relationship(Relationship(toOne: "network", "Network", inverse: "quakes")),
      relationship(Relationship(toMany: "reports", "Report", inverse: "quake")) {
        $0.isOrdered = true
        $0.deleteRule = .cascade
      },
      relationship(Relationship(toMany: "tags", "Tag", inverse: "quakes")) { $0.isOrdered = true },
    ]
    let report = EntityDescription(
      "Report",
      properties: [
        attribute("text", .string), attribute("score", .integer64), attribute("price", .decimal),
        relationship(Relationship(toOne: "quake", "Quake", inverse: "reports")),
      ])
    let network = EntityDescription(
      "Network",
      properties: [
        attribute("name", .string) { $0.isUnique = true },
        relationship(Relationship(toMany: "quakes", "Quake", inverse: "network")) { $0.deleteRule = .deny },
      ])
    let tag = EntityDescription(
      "Tag",
      properties: [
        attribute("label", .string), relationship(Relationship(toMany: "quakes", "Quake", inverse: "tags")),
      ])
    let vehicle = EntityDescription("Vehicle", properties: [attribute("name", .string)])
    let car = EntityDescription("Car", parent: "Vehicle", properties: [attribute("doors", .integer16)])
    let truck = EntityDescription("Truck", parent: "Vehicle", properties: [attribute("load", .double)])
    return try Model([quake, report, network, tag, vehicle, car, truck])
  }

  package init(_ model: Model? = nil) throws {
    var options = StoreOptions(path: ":memory:")
    options.model = try model ?? Self.model()
    store = try SQLiteStore(options)
  }

  package func entity(_ name: String) -> Entity { model.entity(named: name)! }
  package func index(_ entity: String, _ property: String) -> Int { self.entity(entity).index(of: property)! }

  /// Inserts an object; to-ones are given by key.
  @discardableResult
  package func insert(_ name: String, _ values: [String: Value]) throws -> Int64 {
    let entity = entity(name)
    let layout = store.layout(of: entity)
    var row = [Value](repeating: .null, count: layout.columns.count)
    for (property, value) in values {
      switch layout.properties[entity.index(of: property)!] {
      case .column(let column): row[column] = value
      case .reference(let columns, _): row[columns[0]] = value
      default: fatalError("\(property) is no column")
      }
    }
    return try store.insert(entity, row)
  }

  package func request(_ name: String, _ format: String? = nil, _ arguments: PredicateArgument...) throws
    -> FetchRequest
  {
    var request = FetchRequest(entity(name))
    if let format { request.predicate = try Predicate.parse(format, arguments: arguments) }
    return request
  }

  /// The keys that a predicate selects.
  package func keys(_ name: String, _ format: String, _ arguments: PredicateArgument...) throws -> [Int64] {
    var request = FetchRequest(entity(name))
    request.predicate = try Predicate.parse(format, arguments: arguments)
    return try store.keys(request).sorted()
  }
}

extension String {
  /// The text as a value.
  package var value: Value { .string(self) }
}

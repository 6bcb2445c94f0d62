import Modeling

/// The model that printed predicates are proven on: every type that Swift and the store share, with and without nil.
enum ProofModel {
  static let model: Model = {
    let quake = EntityDescription(
      "Quake",
      properties: [
        required("code", .string), optional("place", .string), required("magnitude", .double),
        optional("depth", .double), required("count", .integer64), optional("felt", .integer64),
        required("small", .integer16), optional("medium", .integer32), optional("ratio", .float),
        required("confirmed", .boolean), optional("tsunami", .boolean), required("time", .date),
        optional("updated", .date), required("uuid", .uuid), optional("link", .url), optional("bytes", .data),
        optional("price", .decimal), required("in", .integer64),
        .relationship(Relationship(toOne: "station", "Station", inverse: "quakes")),
        .relationship(Relationship(toMany: "reports", "Report", inverse: "quake")),
      ])
    let report = EntityDescription(
      "Report",
      properties: [
        optional("text", .string), required("score", .integer64), optional("rating", .double),
        .relationship(Relationship(toOne: "author", "Person", inverse: "reports")),
        .relationship(Relationship(toOne: "quake", "Quake", inverse: "reports")),
      ])
    let station = EntityDescription(
      "Station",
      properties: [
        required("name", .string), optional("town", .string), optional("height", .integer64),
        .relationship(Relationship(toMany: "quakes", "Quake", inverse: "station")),
      ])
    let person = EntityDescription(
      "Person",
      properties: [
        required("name", .string), optional("age", .integer64),
        .relationship(Relationship(toMany: "reports", "Report", inverse: "author")),
        .relationship(Relationship(toMany: "buoys", "Buoy", inverse: "keeper")),
      ])
    let buoy = EntityDescription(
      "Buoy", parent: "Station",
      properties: [
        optional("drift", .integer64), required("anchored", .boolean),
        .relationship(Relationship(toOne: "keeper", "Person", inverse: "buoys")),
      ])
    do {
      return try Model([
        quake, report, station, person, buoy,
        EntityDescription(
          "Aftershock", parent: "Quake", properties: [required("delay", .double), optional("cause", .string)]),
        EntityDescription("Drifter", parent: "Buoy"),
        EntityDescription("Expert", parent: "Person", properties: [optional("rank", .integer64)]),
      ])
    } catch {
      preconditionFailure("the model of the proof is wrong: \(error)")
    }
  }()

  static var quake: Entity { entity("Quake") }

  static func entity(_ name: String) -> Entity {
    guard let entity = model.entity(named: name) else { preconditionFailure("no entity \(name)") }
    return entity
  }

  private static func optional(_ name: String, _ type: AttributeType) -> Property {
    .attribute(Attribute(name, type))
  }

  private static func required(_ name: String, _ type: AttributeType) -> Property {
    var attribute = Attribute(name, type)
    attribute.isOptional = false
    return .attribute(attribute)
  }
}

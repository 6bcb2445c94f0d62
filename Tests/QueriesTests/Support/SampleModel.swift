import Modeling
import Queries
import Testing

/// The model that most tests use: quakes with reports and a station, every attribute type once.
enum Sample {
  static let model: Model = {
    var magnitudeParts = Attribute("parts", .composite)
    magnitudeParts.elements = [Attribute("richter", .double), Attribute("scale", .string)]
    var note = Attribute("note", .string)
    note.isTransient = true
    let attributes: [Attribute] = [
      Attribute("code", .string), Attribute("place", .string), Attribute("magnitude", .double),
      Attribute("depth", .double), Attribute("count", .integer64), Attribute("small", .integer16),
      Attribute("price", .decimal), Attribute("felt", .boolean), Attribute("time", .date), Attribute("uuid", .uuid),
      Attribute("link", .url), Attribute("bytes", .data), Attribute("info", .transformable), magnitudeParts, note,
      Attribute("anything", .any), Attribute("size", .integer64), Attribute("strange name", .string),
    ]
    var quake = EntityDescription("Quake", properties: attributes.map(Property.attribute))
    quake.properties += [
      .relationship(Relationship(toMany: "reports", "Report", inverse: "quake")),
      .relationship(Relationship(toOne: "station", "Station", inverse: "quakes")),
      .relationship(Relationship(toOne: "cause", "Quake", inverse: "effects")),
      .relationship(Relationship(toMany: "effects", "Quake", inverse: "cause")),
    ]
    let report = EntityDescription(
      "Report",
      properties: [
        .attribute(Attribute("text", .string)), .attribute(Attribute("score", .integer64)),
        .relationship(Relationship(toOne: "quake", "Quake", inverse: "reports")),
        .relationship(Relationship(toOne: "author", "Person", inverse: "reports")),
      ])
    let station = EntityDescription(
      "Station",
      properties: [
        .attribute(Attribute("name", .string)),
        .relationship(Relationship(toMany: "quakes", "Quake", inverse: "station")),
      ])
    let person = EntityDescription(
      "Person",
      properties: [
        .attribute(Attribute("name", .string)), .attribute(Attribute("age", .integer64)),
        .relationship(Relationship(toMany: "reports", "Report", inverse: "author")),
      ])
    do {
      return try Model([quake, report, station, person])
    } catch {
      preconditionFailure("the sample model is wrong: \(error)")
    }
  }()

  static var quake: Entity { entity("Quake") }
  static var report: Entity { entity("Report") }
  static var station: Entity { entity("Station") }
  static var person: Entity { entity("Person") }

  static func entity(_ name: String) -> Entity {
    guard let entity = model.entity(named: name) else { preconditionFailure("no entity \(name)") }
    return entity
  }
}

/// The mistakes of a text, each with the piece of the text it points at.
func mistakes(_ body: () throws -> Void) -> [String] {
  do {
    try body()
    return []
  } catch let error as PredicateError {
    return error.issues.map { issue in
      guard let origin = issue.origin else { return "\(issue.fact)" }
      let bytes = Array(origin.text.utf8)
      #expect(origin.range.upperBound <= bytes.count, "an origin lies outside of its text")
      return "\(issue.fact) at <\(String(decoding: bytes[origin.range], as: UTF8.self))>"
    }
  } catch {
    return ["\(error)"]
  }
}

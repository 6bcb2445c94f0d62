import Modeling
import Queries
import SwiftParsing
import Testing

/// What the tests of reading are about: quakes with reports and a station.
enum ReadingSample {
  static let model: Model = {
    var location = Attribute("location", .composite)
    location.elements = [Attribute("latitude", .double), Attribute("longitude", .double)]
    let attributes: [Attribute] = [
      Attribute("code", .string), Attribute("place", .string), Attribute("magnitude", .double),
      Attribute("felt", .integer64), Attribute("isReviewed", .boolean), Attribute("time", .date),
      Attribute("uuid", .uuid), Attribute("day", .string), location,
    ]
    var quake = EntityDescription("Quake", properties: attributes.map(Property.attribute))
    quake.properties += [
      .relationship(Relationship(toMany: "reports", "Report", inverse: "quake")),
      .relationship(Relationship(toOne: "station", "Station", inverse: "quakes")),
    ]
    let report = EntityDescription(
      "Report",
      properties: [
        .attribute(Attribute("text", .string)), .attribute(Attribute("score", .integer64)),
        .relationship(Relationship(toOne: "quake", "Quake", inverse: "reports")),
      ])
    let station = EntityDescription(
      "Station",
      properties: [
        .attribute(Attribute("name", .string)),
        .relationship(Relationship(toMany: "quakes", "Quake", inverse: "station")),
      ])
    do {
      return try Model([quake, report, station])
    } catch {
      preconditionFailure("the sample model is wrong: \(error)")
    }
  }()

  /// The format of the predicate that Swift source is, or its mistakes.
  static func format(_ text: String, knowsModel: Bool = true) -> String {
    do {
      return try Predicate(swift: text, in: knowsModel ? model : nil).format
    } catch {
      return "\(mistakes(error))"
    }
  }

  /// The mistakes of a text, each with the piece of the text it points at.
  static func mistakes(_ error: SwiftReadingError) -> [String] {
    error.issues.map { issue in
      guard let origin = issue.origin else { return "\(issue.fact)" }
      let bytes = Array(origin.text.utf8)
      return "\(issue.fact) at <\(String(decoding: bytes[origin.range], as: UTF8.self))>"
    }
  }

  static func mistakes(ofPredicate text: String) -> [String] {
    do {
      let predicate = try Predicate(swift: text, in: model)
      return ["none: \(predicate.format)"]
    } catch {
      return mistakes(error)
    }
  }
}

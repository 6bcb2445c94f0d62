import Modeling
import Queries

import struct Foundation.Decimal
import struct Foundation.UUID

/// An object of the proof's model.
final class ProofObject: PredicateSubject {
  let entity: Entity
  let objectID: ObjectID
  var values: [String: Value]
  var ones: [String: ProofObject] = [:]
  var many: [String: [ProofObject]] = [:]

  init(_ entity: String, _ key: Int64, _ values: [String: Value]) {
    self.entity = ProofModel.entity(entity)
    objectID = ObjectID(entity: self.entity, key: key)
    self.values = values
  }

  func attribute(at index: Int) -> Value { values[entity.properties[index].name] ?? .null }
  func toOne(at index: Int) -> (any PredicateSubject)? { ones[entity.properties[index].name] }
  func toMany(at index: Int) -> [any PredicateSubject] { many[entity.properties[index].name] ?? [] }
}

extension ProofObject {
  /// Twelve quakes: each value is there and missing, and some lead to nothing.
  static func quakes() -> [ProofObject] {
    let people = [
      ProofObject("Person", 1, ["name": .string("Ann"), "age": .int(40)]),
      ProofObject("Expert", 2, ["name": .string("Ωmega")]),
    ]
    people[1].values["rank"] = .int(3)
    let stations = [
      ProofObject("Station", 1, ["name": .string("Álamo"), "town": .string("Chile"), "height": .int(120)]),
      ProofObject("Buoy", 2, ["name": .string("Base"), "height": .int(-3)]),
      ProofObject("Drifter", 3, ["name": .string("")]),
    ]
    stations[1].values = stations[1].values.merging(["anchored": .bool(true), "drift": .int(4)]) { $1 }
    stations[1].ones["keeper"] = people[1]
    stations[2].values["anchored"] = .bool(false)
    let places = ["Off the coast of Chile", "Chile", nil, "", "東京", "São Paulo", "a*b", "10% \"near\" \\x"]
    var quakes: [ProofObject] = []
    var reportCount: Int64 = 0
    for number in 0..<12 {
      let whole = Int64(number)
      let quake = ProofObject(
        number % 4 == 1 ? "Aftershock" : "Quake", whole + 1,
        [
          "code": .string(["us1", "us2", "ci3", "", "Chile"][number % 5]),
          "magnitude": .double([5.5, 4.0, 7.25, 0.1, -1][number % 5]),
          "count": .int([0, 1, 7, -3, 1000][number % 5]), "small": .int([0, 5, -200, 32767][number % 4]),
          "confirmed": .bool(number % 2 == 0),
          "time": .date(Timestamp(1_704_067_200 + Double(whole - 4) * 20 * 86_400)),
          "uuid": .uuid(uuid(number % 3)), "in": .int(whole % 3),
        ])
      func set(_ name: String, _ value: Value?) { quake.values[name] = value }
      if number % 4 == 1 {
        set("delay", .double([2.5, 0.5, 9][number % 3]))
        set("cause", number % 3 == 1 ? nil : .string("us\(number % 2)"))
      }
      set("place", places[number % places.count].map { .string($0) })
      set("depth", number % 3 == 0 ? nil : .double([10, 5.5, 33.25, 0][number % 4]))
      set("felt", number % 4 == 1 ? nil : .int([0, 1, 12, -5][number % 4]))
      set("medium", number % 3 == 1 ? nil : .int([70_000, -5, 5][number % 3]))
      set("ratio", number % 5 == 2 ? nil : .double(Double([Float(0.5), 0.1, 3, 1.25][number % 4])))
      set("tsunami", number % 3 == 2 ? nil : .bool(number % 4 == 0))
      set("updated", number % 4 == 2 ? nil : .date(Timestamp(1_704_067_200.5 + Double(whole) * 86_400)))
      set("link", number % 3 == 0 ? nil : .url("https://example.org/\(number % 2)"))
      set("bytes", number % 4 == 3 ? nil : .data([1, UInt8(number % 3)]))
      set("price", number % 3 == 1 ? nil : .decimal([1.5, 10, Decimal(-25)][number % 3]))
      if number % 4 != 3 { quake.ones["station"] = stations[number % 3] }
      quake.many["reports"] = (0..<[0, 1, 3, 2][number % 4]).map { position in
        reportCount += 1
        let report = ProofObject("Report", reportCount, ["score": .int((reportCount * 5) % 11)])
        if position != 1 { report.values["text"] = .string(["felt it", "us1", "Chile"][Int(reportCount) % 3]) }
        if position != 2 { report.values["rating"] = .double(Double(reportCount % 5) + 0.5) }
        if position != 1 { report.ones["author"] = people[Int(reportCount) % 2] }
        return report
      }
      quakes.append(quake)
    }
    return quakes
  }

  static func uuid(_ number: Int) -> UUID {
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number)))
  }
}

import Modeling
import Queries

/// An object of the sample model, made of what a test gives it.
final class SampleObject: PredicateSubject {
  let entity: Entity
  let objectID: ObjectID
  var values: [String: Value]
  var ones: [String: SampleObject] = [:]
  var many: [String: [SampleObject]] = [:]
  /// To-ones that hold a key of an object that is gone.
  var dangling: [String: ObjectID] = [:]

  init(_ entity: Entity, _ key: Int64 = 1, _ values: [String: Value] = [:]) {
    self.entity = entity
    objectID = ObjectID(entity: entity, key: key)
    self.values = values
  }

  func attribute(at index: Int) -> Value { values[entity.properties[index].name] ?? .null }
  func toOne(at index: Int) -> (any PredicateSubject)? { ones[entity.properties[index].name] }
  func toMany(at index: Int) -> [any PredicateSubject] { many[entity.properties[index].name] ?? [] }
  func reference(at index: Int) -> ObjectID? {
    let name = entity.properties[index].name
    return ones[name]?.objectID ?? dangling[name]
  }
}

extension Sample {
  /// A quake with everything in it, three reports, one of them without score and author.
  static func fullQuake() -> SampleObject {
    let quake = SampleObject(
      Sample.quake, 1,
      [
        "code": .string("us1"), "place": .string("Off the coast of Chilé"), "magnitude": .double(5.5), "count": .int(7),
        "small": .int(-3), "price": .decimal(1.10), "felt": .bool(true), "time": .date(Timestamp(1_705_940_772.25)),
        "size": .int(4), "strange name": .string("x"), "link": .url("http://example.org/a"),
        "bytes": .data([1, 2, 255]), "anything": .string("7"),
        "info": .json(.object(["a": .object(["b": .int(5)]), "list": .array([.int(1), .string("x")])])),
        "parts": .json(.object(["richter": .double(4.5), "scale": .string("mb")])),
      ])
    let station = SampleObject(Sample.station, 9, ["name": .string("Álamo")])
    let ann = SampleObject(Sample.person, 1, ["name": .string("Ann"), "age": .int(40)])
    let bob = SampleObject(Sample.person, 2, ["name": .string("Bob")])
    let reports = [
      SampleObject(Sample.report, 1, ["text": .string("felt it"), "score": .int(3)]),
      SampleObject(Sample.report, 2, ["text": .string("strong"), "score": .int(8)]),
      SampleObject(Sample.report, 3, ["text": .string("felt it")]),
    ]
    reports[0].ones["author"] = ann
    reports[1].ones["author"] = bob
    for report in reports { report.ones["quake"] = quake }
    ann.many["reports"] = [reports[0]]
    bob.many["reports"] = [reports[1]]
    quake.many["reports"] = reports
    quake.ones["station"] = station
    station.many["quakes"] = [quake]
    return quake
  }

  /// A quake with nothing in it.
  static func emptyQuake() -> SampleObject { SampleObject(Sample.quake, 2) }
}

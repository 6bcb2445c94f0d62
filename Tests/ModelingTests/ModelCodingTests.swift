import Foundation
import Testing

@testable import Modeling

@Suite struct ModelCodingTests {
  /// Entities that use every field there is.
  static func everything() -> [EntityDescription] {
    var code = Attribute("code", .string)
    code.isOptional = false
    (code.isUnique, code.isIndexed) = (true, true)
    (code.minimumLength, code.maximumLength, code.regularExpression) = (1, 9, "[a-z]+")
    (code.renamingIdentifier, code.userInfo) = ("key", ["label": "Code \"é\""])
    var magnitude = Attribute("magnitude", .double)
    (magnitude.defaultValue, magnitude.minimum, magnitude.maximum) = (.double(0.1), .double(-.infinity), .double(10))
    var time = Attribute("time", .date)
    (time.defaultValue, time.isTransient) = (.date(Timestamp(0.1)), true)
    var day = Attribute("day", .string)
    (day.derivation, day.isReadOnly) = ("day(time)", true)
    var address = Attribute("address", .composite)
    address.elements = [Attribute("city", .string), Attribute("zip", .integer32)]
    var reports = Relationship(toMany: "reports", "Report", inverse: "quake")
    (reports.isOrdered, reports.minimumCount, reports.maximumCount, reports.deleteRule) = (true, 1, 5, .cascade)
    reports.isOptional = false
    (reports.renamingIdentifier, reports.userInfo) = ("notes", ["a": "b"])
    var quake = EntityDescription(
      "Quake", parent: "Event",
      properties: [code, magnitude, time, day, address].map(Property.attribute) + [.relationship(reports)])
    (quake.uniquenessConstraints, quake.indexes) = ([["code", "time"]], [["magnitude", "time"], ["day"]])
    var similar = FetchRequestTemplate("Quake", predicate: "magnitude > $FETCH_SOURCE.magnitude")
    (similar.sortDescriptors, similar.fetchLimit) = (["-time"], 5)
    quake.fetchedProperties = [
      FetchedProperty("similar", similar), FetchedProperty("all", FetchRequestTemplate("View")),
    ]
    quake.fetchedProperties[0].userInfo = ["x": "y"]
    (quake.renamingIdentifier, quake.userInfo) = ("Shock", ["x": "y"])
    var event = EntityDescription("Event", properties: [.attribute(Attribute("note", .any))])
    event.isAbstract = true
    var view = EntityDescription("View")
    view.isReadOnly = true
    let quakeOfReport = Relationship(toOne: "quake", "Quake", inverse: "reports")
    return [quake, event, view, EntityDescription("Report", properties: [.relationship(quakeOfReport)])]
  }

  @Test func aModelReadsBackTheSame() throws {
    var big = FetchRequestTemplate("Quake", predicate: "magnitude > $least")
    big.fetchLimit = 3
    let model = try Model(Self.everything(), fetchRequestTemplates: ["big": big, "all": FetchRequestTemplate("Quake")])
    let text = model.encoded()
    let again = try Model(encoded: text)
    #expect(again.descriptions == model.descriptions)
    #expect(again.fetchRequestTemplates == model.fetchRequestTemplates)
    #expect(again.encoded() == text)
    #expect(again.fingerprint == model.fingerprint)
  }

  @Test func onlyWhatDiffersFromTheDefaultsIsWritten() throws {
    let model = try Model([EntityDescription("Quake", properties: [.attribute(Attribute("magnitude", .double))])])
    #expect(
      model.encoded()
        == #"{"entities":[{"name":"Quake","properties":[{"name":"magnitude","type":"Double"}]}],"version":1}"#)
  }

  @Test func everyKindOfDefaultReadsBackTheSame() throws {
    let values: [Value] = [
      .bool(true), .int(.min), .double(0.1), .double(5), .double(.infinity), .double(-.infinity), .string("x\0é"),
      .decimal(try #require(Decimal(exactly: "-12345678901234567890.123"))), .date(Timestamp(1.5e9 + 0.1)),
      .date(Timestamp(12)), .uuid(UUID()), .url("https://a.b"), .data([0, 255]), .json(.object(["date": .double(1)])),
      .json(.null), .json(.array([.int(1)])), .list([.int(1), .date(Timestamp(0))]), .null,
    ]
    for value in values {
      let text = value.coded.text
      #expect(Value(coded: try JSON.parse(text)) == value, "\(text)")
    }
  }

  @Test func whatALaterPeriluneAddsIsIgnored() throws {
    let text =
      #"{"version":1,"colour":3,"entities":[{"name":"E","new":[],"properties":[{"name":"x","type":"Date","z":1}]}]}"#
    #expect(
      try Model(encoded: text).descriptions == [EntityDescription("E", properties: [.attribute(Attribute("x", .date))])]
    )
  }

  @Test(arguments: [
    (#"{"version":2,"entities":[]}"#, ModelCodingError.unknownVersion(2, newest: 1)),
    ("[]", .invalidField(path: "", expected: "an object")),
    ("{}", .invalidField(path: "version", expected: "a number")),
    (#"{"version":1,"entities":[{}]}"#, .invalidField(path: "entities[0].name", expected: "a string")),
    (
      #"{"version":1,"entities":[{"name":"E","properties":[{"name":"x","type":1}]}]}"#,
      .invalidField(path: "entities[0].properties[0].type", expected: "a string")
    ),
    (
      #"{"version":1,"entities":[{"name":"E","properties":[{"name":"x"}]}]}"#,
      .invalidField(path: "entities[0].properties[0].type", expected: "the name of an attribute type")
    ),
    (
      #"{"version":1,"entities":[{"name":"E","unique":["x"]}]}"#,
      .invalidField(path: "entities[0].unique", expected: "lists of strings")
    ),
    (
      #"{"version":1,"entities":[{"name":"E","properties":[{"name":"x","type":"Date","default":{"date":"1"}}]}]}"#,
      .invalidField(path: "entities[0].properties[0].default", expected: "a value")
    ),
  ])
  func whatIsNoModelIsRefusedWithItsPlace(text: String, fact: ModelCodingError) {
    #expect(throws: fact) { try Model(encoded: text) }
  }

  @Test func textThatIsNoJSONIsRefused() {
    #expect(throws: ModelCodingError.self) { try Model(encoded: "CREATE TABLE") }
    #expect(throws: ModelError.self) { try Model(encoded: #"{"version":1,"entities":[{"name":"E","parent":"X"}]}"#) }
  }

  @Test func theFingerprintKeepsStillForWhatTablesDoNotShow() throws {
    func fingerprint(_ change: (inout Attribute) -> Void) throws -> String {
      var attribute = Attribute("x", .double)
      change(&attribute)
      return try Model([EntityDescription("E", properties: [.attribute(attribute)])]).fingerprint
    }
    let plain = try fingerprint { _ in }
    #expect(plain == "36deea9cc9f4bd02")
    #expect(try fingerprint { $0.defaultValue = .double(1) } == plain)
    #expect(try fingerprint { $0.maximum = .double(1) } == plain)
    #expect(try fingerprint { $0.userInfo = ["a": "b"] } == plain)
    #expect(try fingerprint { $0.renamingIdentifier = "y" } == plain)
    #expect(try fingerprint { $0.isOptional = false } != plain)
    #expect(try fingerprint { $0.isIndexed = true } != plain)
    #expect(try fingerprint { $0.name = "y" } != plain)
  }
}

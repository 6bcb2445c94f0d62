import AppleModels
import Foundation
import Modeling
import TestSupport
import Testing

@Suite(.seeded) struct ModelDocumentWritingTests {
  /// The model that is read from what is written; what is written of that is the same again.
  private func roundTrip(_ model: Model, at place: SourceLocation = #_sourceLocation) throws -> ModelDocument {
    let document = try ModelDocument(model)
    let read = try AppleModel(document: Array(document.text.utf8))
    #expect(read.model.encoded() == document.model.encoded(), sourceLocation: place)
    #expect(read.notes == [], sourceLocation: place)
    let again = try ModelDocument(read.model)
    #expect(again.text == document.text, sourceLocation: place)
    // A name stays what it is.
    #expect(again.notes.allSatisfy { $0.contains("Xcode takes names") }, sourceLocation: place)
    return document
  }

  @Test func everyFactOfAModelIsReadBack() throws {
    var code = Attribute("code", .string)
    (code.isOptional, code.isUnique, code.minimumLength, code.maximumLength) = (false, true, 1, 8)
    (code.regularExpression, code.renamingIdentifier, code.versionHashModifier) = ("[a-z]{1,8}", "id", "2")
    (code.defaultValue, code.userInfo) = (.string("a<b> & \"c\"\n"), [:])
    code.defaultValue = .string("abc")
    var size = Attribute("cost", .decimal)
    (size.minimum, size.maximum) = (.decimal(try #require(Decimal(exactly: "0.10"))), .int(5))
    size.userInfo = ["unit": "m & \"cm\" <\n>"]
    var when = Attribute("time", .date)
    (when.defaultValue, when.isIndexed, when.isTransient) = (.date(Timestamp(978_393_600.5)), true, false)
    var count = Attribute("partCount", .integer64)
    count.derivation = "parts.@count"
    var data = Attribute("blob", .data)
    (data.allowsExternalBinaryDataStorage, data.preservesValueInHistoryOnDeletion) = (true, true)
    var colour = Attribute("colour", .transformable)
    (colour.valueClassName, colour.valueTransformerName) = ("UIColor", "ColourTransformer")
    var place = Attribute("place", .composite)
    place.elements = [Attribute("city", .string), Attribute("zip", .integer32)]
    place.compositeName = "Place"
    var parts = Relationship(toMany: "parts", "Part", inverse: "whole")
    (parts.isOrdered, parts.deleteRule, parts.minimumCount, parts.maximumCount) = (true, .cascade, 1, 9)
    var item = EntityDescription(
      "Item", properties: [code, size, when, count, data, colour, place].map(Property.attribute))
    item.properties.append(.relationship(parts))
    (item.className, item.userInfo, item.renamingIdentifier) = ("CDItem", ["a": "b"], "Thing")
    item.uniquenessConstraints = [["cost", "time"]]
    var area = FetchIndex(["cost", "time"])
    (area.name, area.predicate, area.elements[1].isAscending) = ("area", "cost > 1", false)
    item.indexes = [area, ["code", "cost"]]
    var near = FetchRequestTemplate("Item", predicate: "cost > $FETCH_SOURCE.cost")
    near.fetchLimit = 3
    item.fetchedProperties = [FetchedProperty("near", near)]
    var whole = Relationship(toOne: "whole", "Item", inverse: "parts")
    whole.isOptional = false
    var special = EntityDescription("Special", parent: "Item")
    special.isAbstract = true
    var all = FetchRequestTemplate("Item", predicate: "cost BETWEEN {$low, $high}")
    (all.resultType, all.includesSubentities, all.fetchBatchSize) = (.dictionaries, false, 20)
    let model = try Model(
      [item, EntityDescription("Part", properties: [.relationship(whole)]), special], version: ModelVersion("1.2"),
      fetchRequestTemplates: ["some": all], configurations: ["Cloud": ["Item", "Part"]])

    let document = try roundTrip(model)
    #expect(document.notes == [])
    func properties(_ model: Model) -> [String: [Property]] {
      Dictionary(uniqueKeysWithValues: model.descriptions.map { ($0.name, $0.properties.sorted { $0.name < $1.name }) })
    }
    #expect(properties(document.model) == properties(model))
    #expect(
      document.model.entity(named: "Item")?.description.indexes == model.entity(named: "Item")?.description.indexes)
    #expect(document.model.fetchRequestTemplates == model.fetchRequestTemplates)
  }

  @Test func whatXcodesFormatCannotSayIsNotedAndTheRestIsThere() throws {
    var name = Attribute("name", .string)
    name.validationPredicates = [
      ValidationPredicate("SELF != \"none\""), ValidationPredicate("length >= 2"),
      ValidationPredicate("length <= 9", warning: "It is too long."),
    ]
    var tags = Attribute("tags", .transformable)
    tags.defaultValue = .json(.array([]))
    var request = FetchRequestTemplate("Item")
    request.sortDescriptors = ["name"]
    var index = FetchIndex(["name"])
    index.elements[0].isAscending = false
    var item = EntityDescription("Item", properties: [.attribute(name), .attribute(tags)])
    item.indexes = [index]
    let document = try roundTrip(Model([item], fetchRequestTemplates: ["all": request]))
    #expect(
      document.notes == [
        "Item.name: the condition SELF != \"none\" is left out", "Item.name: the condition length <= 9 is left out",
        "Item.tags: the default is left out", "Item: an index without a name becomes byName",
        "The fetch request all: the order is left out",
      ])
    #expect(document.model.entities[0].attributes[0].minimumLength == 2)
  }

  @Test func whatXMLOrXcodeCannotHaveIsLeftOutByName() throws {
    var name = Attribute("name", .string)
    name.defaultValue = .string("a\u{1}b")
    var code = Attribute("code", .string)
    code.regularExpression = "\u{2}+"
    name.userInfo = ["bad": "\u{FFFF}", "good": "a\tb"]
    var odd = Attribute("a b", .string)
    odd.defaultValue = .string("tab\tline\n")
    let document = try roundTrip(
      Model([
        EntityDescription("Item", properties: [name, code, odd].map(Property.attribute)), EntityDescription("2nd"),
      ]))
    #expect(
      document.notes == [
        "Item.name: a part of its user info is left out: it has characters that XML cannot have",
        "Item.name: the default is left out",
        "Item.code: the pattern is left out: it has characters that XML cannot have",
        "Item.a b: Xcode takes names of letters, digits and _ alone that begin with a letter",
        "2nd: Xcode takes names of letters, digits and _ alone that begin with a letter",
      ])
    #expect(!document.text.contains("&#1;") && !document.text.unicodeScalars.contains("\u{1}"))
    #expect(document.model.entity(named: "Item")?.attributes.first { $0.name == "name" }?.userInfo == ["good": "a\tb"])
  }

  @Test func aDefaultThatBreaksTheBoundsStaysBesideThem() throws {
    var number = Attribute("n", .integer32)
    number.defaultValue = .int(0)
    number.validationPredicates = [ValidationPredicate("SELF >= 1")]
    let document = try roundTrip(Model([EntityDescription("Item", properties: [.attribute(number)])]))
    #expect(document.text.contains(#"minValueString="1" defaultValueString="0""#))
    #expect(document.notes == [])
  }

  @Test(
    .enabled(if: RealModels.areThere, "the real stores are not beside the repository"),
    arguments: [
      "CoreDataPlus/SampleModel/SampleModel.xcdatamodeld/SampleModel.xcdatamodel",
      "CoreDataPlus/SampleModel/SampleModel.xcdatamodeld/SampleModel3.xcdatamodel",
      "BrowserServicesKit/Bookmarks/BookmarksModel.xcdatamodeld/BookmarksModel 6.xcdatamodel",
    ])
  func whatXcodeWroteIsWrittenInTheSameLines(path: String) throws {
    let contents = try String(contentsOfFile: RealModels.path(path + "/contents"), encoding: .utf8)
    let document = try ModelDocument(AppleModel(path: RealModels.path(path)).model)
    func lines(_ text: String) -> [Substring] { text.split(separator: "\n").dropFirst(2).map { $0 } }
    #expect(lines(document.text) == lines(contents))
    #expect(document.notes == [])
  }

  @Test func anyModelIsReadBackAsWhatWasToldOfIt() throws {
    var random = SplitMix(seed: 1)
    for _ in 0..<40 { _ = try roundTrip(RandomModel.make(&random)) }
  }
}

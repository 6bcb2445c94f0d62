import Foundation
import Modeling
import SwiftPrinting
import TestSupport
import Testing

@Suite struct SwiftModelSourceTests {
  /// A model with one of everything, and names that are none in Swift.
  private func shop() throws -> Model {
    var code = Attribute("code", .string)
    (code.isOptional, code.isUnique, code.maximumLength, code.renamingIdentifier) = (false, true, 8, "id")
    var price = Attribute("price", .decimal)
    (price.defaultValue, price.isIndexed) = (.decimal(try #require(Decimal(exactly: "1.50"))), true)
    var image = Attribute("image", .data)
    (image.allowsExternalBinaryDataStorage, image.preservesValueInHistoryOnDeletion) = (true, true)
    var colour = Attribute("colour", .transformable)
    (colour.valueClassName, colour.valueTransformerName) = ("Colour", "ColourTransformer")
    var geo = Attribute("geo", .composite)
    geo.elements = [Attribute("lat", .double), Attribute("lon", .double)]
    var place = Attribute("place", .composite)
    (place.elements, place.compositeName) = ([Attribute("city", .string), geo], "Place")
    var count = Attribute("partCount", .integer64)
    count.derivation = "parts.@count"
    var draft = Attribute("draft", .boolean)
    (draft.isTransient, draft.isOptional) = (true, false)
    var item = EntityDescription("Item")
    item.properties = [
      code, price, image, colour, place, count, draft, Attribute("class", .integer32), Attribute("strange name", .date),
    ]
    .map(Property.attribute)
    var parts = Relationship(toMany: "parts", "Part", inverse: "whole")
    (parts.deleteRule, parts.isOrdered, parts.minimumCount) = (.cascade, true, 1)
    item.properties.append(.relationship(parts))
    item.uniquenessConstraints = [["price", "image"]]
    item.indexes = [["code", "price"]]
    item.fetchedProperties = [FetchedProperty("similar", FetchRequestTemplate("Item"))]
    let whole = Relationship(toOne: "whole", "Item", inverse: "parts")
    var special = EntityDescription(
      "special item", parent: "Item", properties: [.attribute(Attribute("note", .string))])
    special.className = "App.SpecialItem"
    return try Model([
      item, special, EntityDescription("Part", properties: [.relationship(whole)]),
      EntityDescription("Plain", parent: "Item"),
    ])
  }

  /// What the compiler says of the source's syntax; nothing where it has no complaint.
  private func complaints(_ source: String) throws -> String {
    let file = TemporaryFolder.ofThisRun.appending(path: "\(UUID().uuidString).swift")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(source.utf8).write(to: file)
    let output = try OutsideCommand.run(["swiftc", "-frontend", "-parse", file.path])
    return output.status == 0 ? "" : output.text
  }

  @Test func classesOfSwiftDataAreCalledAsTheStoresEntities() throws {
    var quake = EntityDescription("Quake", properties: [.attribute(Attribute("place", .string))])
    quake.className = ".CDQuake"
    let model = try Model([quake, EntityDescription("lower")])
    let source = SwiftModelSource(model, .swiftData)
    #expect(source.text.contains("final class Quake {") && source.text.contains("final class lower {"))
    #expect(
      source.notes == ["Quake is the entity of the class CDQuake; SwiftData calls a class as its entity: Quake"])
    #expect(SwiftModelSource(model, .coreData).text.contains("class CDQuake"))
  }

  @Test(arguments: SwiftModelSource.Framework.allCases)
  func whatIsPrintedIsSwift(framework: SwiftModelSource.Framework) throws {
    let source = try SwiftModelSource(shop(), framework)
    #expect(try complaints(source.text) == "")
    #expect(try complaints(source.text + "\nclass {") != "")
  }

  @Test func attributesSayInSwiftDataWhatTheModelSays() throws {
    let text = try SwiftModelSource(shop(), .swiftData).text
    let lines = [
      "@Model\nclass Item {", "  #Unique<Item>([\\.price, \\.image])",
      "  #Index<Item>([\\.price], [\\.code, \\.price])",
      "  @Attribute(.unique, originalName: \"id\") var code: String",
      "  var price: Decimal? = Decimal(string: \"1.5\")!",
      "  @Attribute(.externalStorage, .preserveValueOnDeletion) var image: Data?",
      "  @Attribute(.transformable(by: \"ColourTransformer\")) var colour: Colour?", "  var place: Place?",
      "  @Transient var draft: Bool = false", "  var `class`: Int32?",
      "  @Attribute(originalName: \"strange name\") var strange_name: Date?",
      "struct Geo: Codable {\n  var lat: Double?\n  var lon: Double?\n}",
      "struct Place: Codable {\n  var city: String?\n  var geo: Geo?\n}",
    ]
    for line in lines { #expect(text.contains(line), "\(line)") }
  }

  @Test func oneSideOfAPairOfRelationshipsNamesTheOther() throws {
    let text = try SwiftModelSource(shop(), .swiftData).text
    #expect(
      text.contains(
        "@Relationship(deleteRule: .cascade, minimumModelCount: 1, inverse: \\Part.whole) var parts: [Part] = []"))
    #expect(text.contains("  var whole: Item?\n"))
  }

  @Test func subentitiesInheritAndInitializeWhatTheyInherit() throws {
    let text = try SwiftModelSource(shop(), .swiftData).text
    #expect(text.contains("final class SpecialItem: Item {\n  var note: String?\n"))
    #expect(text.contains("    self.note = note\n    super.init(code: code, price: price"))
    #expect(text.contains("final class Plain: Item {\n  override init("))
  }

  @Test func whatAFrameworkDoesNotHaveIsNoted() throws {
    let notes = try SwiftModelSource(shop(), .swiftData).notes
    for note in [
      "Item.code: SwiftData checks no values: at most 8 characters",
      "Item.partCount is derived from parts.@count, which SwiftData cannot do",
      "Item.parts is ordered, which SwiftData does not keep",
      "Item: its fetched properties are left out: SwiftData has none",
    ] { #expect(notes.contains(note), "\(note)") }
    #expect(
      try SwiftModelSource(shop(), .coreData).notes
        == [
          "Item.class is called like a member of NSManagedObject: use value(forKey:)",
          "Item.strange name has no name that Swift can have: use value(forKey:)",
        ])
  }

  @Test func subclassesOfNSManagedObjectHaveWhatXcodeGenerates() throws {
    let text = try SwiftModelSource(shop(), .coreData).text
    let lines = [
      "@objc(Item)\npublic class Item: NSManagedObject {",
      "  @nonobjc public class func fetchRequest() -> NSFetchRequest<Item> {\n    NSFetchRequest<Item>(entityName: \"Item\")\n  }",
      "  @NSManaged public var code: String?", "  @NSManaged public var price: NSDecimalNumber?",
      "  @NSManaged public var draft: Bool\n", "  // No property: class",
      "  @NSManaged public var parts: NSOrderedSet?", "  @NSManaged public var similar: [Item]?",
      "  @objc(insertObject:inPartsAtIndex:)\n  @NSManaged public func insertIntoParts(_ value: Part, at index: Int)",
      "  @objc(addPartsObject:)\n  @NSManaged public func addToParts(_ value: Part)",
      "@objc(SpecialItem)\npublic class SpecialItem: Item {",
      "NSFetchRequest<SpecialItem>(entityName: \"special item\")",
      "extension Item: Identifiable {}",
    ]
    for line in lines { #expect(text.contains(line), "\(line)") }
  }
}

import Modeling
import Queries
import SwiftParsing
import SwiftPrinting
import SwiftReading
import TestSupport
import Testing

/// What a class says of its properties.
@Suite struct SwiftDataModelTests {
  @Test func everyOptionOfAttributesAndRelationshipsIsKept() throws {
    let read = try SwiftDataModel(
      swift: #"""
        @Model final class Item {
          #Unique<Item>([\.code, \.count])
          #Index<Item>([\.when], [\Item.count, \.when], [.rtree(\.lat, \.lon)], [.binary(\.code)])
          @Attribute(.unique, .preserveValueOnDeletion, originalName: "id", hashModifier: "2") var code: String
          @Attribute(.externalStorage) public private(set) var image: Data?
          @Attribute(.transformable(by: Colours.self)) var colour: Colour
          @Attribute(.ephemeral) var shown = false
          var count = 1, lat: Double = 1.5, lon = -2.0
          var when: Optional<Date> { didSet { print(when) } }
          var tags: [String] = ["a", "b"], more: [String: Int] = [:], less = [Int]()
          @Relationship(.unique, deleteRule: .deny, minimumModelCount: 1, maximumModelCount: 5, originalName: "p",
            inverse: \Part.whole) var parts: [Part] = []
          @Relationship(deleteRule: .cascade) var label: Part?
          unowned var other: Part
        }
        @Model class Part { var whole: Item? }
        """#)
    let item = try #require(read.model.entity(named: "Item")).description
    #expect(item.uniquenessConstraints == [["code", "count"]])
    #expect(item.indexes.map(\.properties) == [["count", "when"], ["lat", "lon"]])
    #expect(item.indexes.map { $0.elements[0].isRTree } == [false, true])
    func attribute(_ name: String) throws -> Attribute {
      try #require(item.properties.first { $0.name == name }?.attribute)
    }
    var code = Attribute("code", .string)
    (code.isOptional, code.isUnique, code.isIndexed, code.preservesValueInHistoryOnDeletion) = (false, true, true, true)
    (code.renamingIdentifier, code.versionHashModifier) = ("id", "2")
    #expect(try attribute("code") == code)
    #expect(try attribute("image").allowsExternalBinaryDataStorage && attribute("image").isOptional)
    #expect(try attribute("colour").valueTransformerName == "Colours" && attribute("colour").valueClassName == "Colour")
    #expect(try attribute("shown").isTransient && attribute("shown").defaultValue == .bool(false))
    #expect(try attribute("count").defaultValue == .int(1) && attribute("lon").defaultValue == .double(-2))
    #expect(try attribute("when").isOptional && attribute("when").type == .date && attribute("when").isIndexed)
    #expect(try attribute("tags").defaultValue == .json(.array([.string("a"), .string("b")])))
    #expect(try attribute("more").defaultValue == .json(.object([:])) && attribute("less").valueClassName == "[Int]")
    let relationships = item.properties.compactMap(\.relationship)
    var parts = Relationship(toMany: "parts", "Part", inverse: "whole")
    (parts.deleteRule, parts.minimumCount, parts.maximumCount, parts.renamingIdentifier) = (.deny, 1, 5, "p")
    #expect(relationships[0] == parts)
    #expect(relationships[1].isOptional && relationships[1].deleteRule == .cascade && !relationships[2].isOptional)
    #expect(read.notes == ["line 11: Item.parts: .unique is left out; objects are no values that could be compared"])
  }

  @Test func enumerationsAndStructuresAreCompositesAsStoresKeepThem() throws {
    let source = """
      @Model final class Quake {
        var status: Status = .closed
        var level = Level.high
        var place: Place?
        var mood: Mood?
        var raw = Level.low.rawValue, word: String = Status.closed.rawValue
        enum Level: Int, Codable { case low = 3, high; case top = 9 }
      }
      enum Status: String, Codable { case open, closed = "shut" }
      enum Mood: Codable {
        case good(
          Int,  // how good
          of: String), bad
      }
      struct Place: Codable {
        static let zero = 0
        var city: String, status: Status?
        let at: Point
        var text: String { city }
      }
      struct Point: Codable { var x: Double; var y: Double }
      """
    let read = try SwiftDataModel(swift: source)
    let attributes = read.model.entities[0].attributes
    #expect(attributes.prefix(4).allSatisfy { $0.type == .composite })
    #expect(attributes[0].compositeName == "Status" && attributes[0].elements.map(\.name) == ["status"])
    #expect(attributes[0].elements[0].type == .string && !attributes[0].elements[0].isOptional)
    #expect(attributes[0].elements[0].validationPredicates == [ValidationPredicate(#"SELF IN {"open", "shut"}"#)])
    #expect(attributes[0].defaultValue == .json(.object(["status": .string("shut")])))
    #expect(attributes[1].elements.map(\.type) == [.integer64])
    #expect(attributes[1].elements[0].validationPredicates == [ValidationPredicate("SELF IN {3, 4, 9}")])
    #expect(attributes[1].defaultValue == .json(.object(["level": .int(4)])))
    #expect(attributes[2].elements.map(\.name) == ["city", "status", "at"])
    #expect(attributes[2].elements.map(\.isOptional) == [false, true, false])
    #expect(attributes[2].elements[1].elements.map(\.name) == ["status"])
    #expect(attributes[2].elements[2].elements.map(\.type) == [.double, .double])
    #expect(attributes[3].elements.map(\.name) == ["good", "bad"] && attributes[3].elements[0].type == .transformable)
    #expect(attributes[4].type == .integer64 && attributes[4].defaultValue == .int(3))
    #expect(attributes[5].defaultValue == .string("shut"))
    #expect(read.notes == [])
    let printed = SwiftModelSource(read.model, .swiftData)
    #expect(printed.text.contains("enum Status: String, Codable {\n  case open\n  case closed = \"shut\"\n}"))
    #expect(printed.text.contains("enum Level: Int, Codable {\n  case low = 3\n  case high\n  case top = 9\n}"))
    #expect(printed.text.contains("enum Mood: Codable {\n  case good(Int, of: String)\n  case bad\n}"))
    #expect(printed.text.contains("  var status: Status = .closed\n  var level: Level = .high\n"))
    #expect(printed.text.contains("  var status: Status?\n"))
    #expect(printed.notes == ["Quake.mood: the types that cases of Mood carry are the app's"])
    let again = try SwiftDataModel(swift: printed.text).model
    #expect(again.descriptions == read.model.descriptions)
  }

  @Test func aDeclarationInAUserInfoIsPrintedOnlyAsTheEnumerationThatItIs() throws {
    func printed(_ declaration: String, _ elements: [Attribute]) throws -> String {
      var attribute = Attribute("kind", .composite)
      (attribute.compositeName, attribute.elements) = ("Kind", elements)
      attribute.userInfo = ["SwiftDeclaration": declaration]
      let model = try Model([EntityDescription("Item", properties: [.attribute(attribute)])])
      return SwiftModelSource(model, .swiftData).text
    }
    let declaration = "enum Kind: String, Codable {\n  case a\n}"
    #expect(try printed(declaration, [Attribute("kind", .string)]).contains(declaration))
    #expect(try !printed(declaration, [Attribute("other", .string)]).contains("enum"))
    #expect(try !printed("fatalError()", [Attribute("kind", .string)]).contains("fatalError"))
    #expect(try !printed(declaration + "\nfatalError()", [Attribute("kind", .string)]).contains("fatalError"))
  }

  @Test func emptyCollectionsSayTheirTypes() throws {
    let read = try SwiftDataModel(
      swift: """
        @Model final class A {
          var bs = [S.B](), cs = Array<B>(), ds = Set<S.B>()
          var counts = [String: Int](), lists = Array<[String]>(), words = Set<String>(), more: [String: [Int]] = .init()
          var took: Duration?
        }
        enum S { @Model final class B { var a: A? } }
        """)
    let entity = read.model.entities[0]
    #expect(entity.relationships.map(\.name) == ["bs", "cs", "ds"] && entity.relationships.allSatisfy(\.isToMany))
    let attributes = entity.attributes
    #expect(
      attributes.map(\.valueClassName).prefix(4) == ["[String: Int]", "[[String]]", "Set<String>", "[String: [Int]]"])
    #expect(attributes[0].defaultValue == .json(.object([:])) && attributes[1].defaultValue == .json(.array([])))
    #expect(attributes[2].defaultValue == .json(.array([])))
    #expect(attributes[4].name == "took" && attributes[4].type == .transformable)
    #expect(read.notes.allSatisfy { $0.hasPrefix("line 4: A.took: Duration") }, "\(read.notes)")
    let whole = try SwiftDataModel(
      swift: "@Model class Q { @Attribute(.unique) var a = 0; func f() { x.map(\\.self) } }")
    #expect(whole.notes == [])
  }
}

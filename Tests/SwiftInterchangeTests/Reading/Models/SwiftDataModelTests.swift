import Modeling
import Queries
import SwiftInterchange
import TestSupport
import Testing

@Suite(.seeded) struct SwiftDataModelTests {
  /// The facts of the mistakes in a text, with what stands at their places.
  private func mistakes(_ text: String) -> [(SwiftReadingError.Fact, String)] {
    do throws(SwiftReadingError) {
      _ = try SwiftDataModel(swift: text)
      return []
    } catch {
      #expect(error.subject == .model)
      return error.issues.map { issue in
        (issue.fact, issue.origin.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) } ?? "nowhere")
      }
    }
  }

  /// The model that printed source is read as; a mistake is recorded with its line.
  private func read(_ source: String, at location: SourceLocation = #_sourceLocation) -> SwiftDataModel? {
    do throws(SwiftReadingError) {
      return try SwiftDataModel(swift: source)
    } catch {
      for issue in error.issues {
        let place = issue.origin?.range.lowerBound ?? 0
        let bytes = Array(source.utf8)
        let line = bytes[..<place].split(separator: 0x0A, omittingEmptySubsequences: false).count - 1
        Issue.record(
          "\(issue.fact): \(source.split(separator: "\n", omittingEmptySubsequences: false)[line])",
          sourceLocation: location)
      }
      return nil
    }
  }

  // MARK: Round trips

  @Test func aModelThatSwiftDataCanSayIsReadBackEqual() throws {
    var generator = ModelGenerator(seed: 11, isSayable: true)
    for _ in 0..<Effort.rounds(100) {
      let model = try generator.model()
      let source = SwiftModelSource(model, .swiftData)
      #expect(source.notes.allSatisfy { $0.contains(" inherits from ") }, "\(source.notes)")
      guard let read = read(source.text) else { return }
      #expect(read.notes.allSatisfy { $0.contains("is kept as JSON") }, "\(read.notes)")
      #expect(read.model.descriptions == model.descriptions, "\(source.text)")
    }
  }

  @Test func whatIsReadOfAnyModelsSourceIsPrintedTheSameAgain() throws {
    // Comments, and what a class that was abstract is open for, are not read.
    func code(_ text: String) -> String {
      let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      return lines.joined(separator: "\n").replacing("final class", with: "class")
    }
    var generator = ModelGenerator(seed: 12, isSayable: false)
    for _ in 0..<Effort.rounds(100) {
      let model = try generator.model()
      // Of what leads one way an inverse may be found, which a note says.
      guard !model.entities.flatMap(\.relationships).contains(where: \.isUnidirectional) else { continue }
      let source = SwiftModelSource(model, .swiftData)
      guard let read = read(source.text) else { return }
      let (again, first) = (code(SwiftModelSource(read.model, .swiftData).text), code(source.text))
      if again != first {
        Issue.record("\(again.split(separator: "\n").difference(from: first.split(separator: "\n")))")
      }
    }
  }

  @Test func aModelIsReadBackEqualUnlessANoteSaysWhatIsLost() throws {
    var generator = ModelGenerator(seed: 13, isSayable: false)
    for _ in 0..<Effort.rounds(150) {
      let model = try generator.model()
      let source = SwiftModelSource(model, .swiftData)
      guard let read = read(source.text)?.model else { return }
      if model.version != read.version { #expect(source.notes.contains { $0.contains("version") }) }
      for (own, other) in zip(model.descriptions, read.descriptions) where own != other {
        #expect(source.notes.contains { $0.contains(own.name) }, "\(own.name)")
        for (property, found) in zip(own.properties, other.properties) where property != found {
          let place = "\(own.name).\(property.name)"
          let isTold = source.notes.contains { $0.hasPrefix(place) || $0.hasPrefix("\(own.name): the index") }
          #expect(isTold, "\(place): \(property) \(found)")
        }
      }
    }
  }

  // MARK: What Swift says

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

  @Test func enumerationsAreTheirRawValuesAndStructuresAreComposites() throws {
    let read = try SwiftDataModel(
      swift: """
        @Model final class Quake {
          var status: Status = .closed
          var level = Level.high
          var place: Place?
          var mood: Mood?
          enum Level: Int, Codable { case low = 3, high; case top = 9 }
        }
        enum Status: String, Codable { case open, closed = "shut" }
        enum Mood: Codable { case good(Int), bad }
        struct Place: Codable {
          static let zero = 0
          var city: String, status: Status?
          let at: Point
          var text: String { city }
        }
        struct Point: Codable { var x: Double; var y: Double }
        """)
    let attributes = read.model.entities[0].attributes
    #expect(attributes[0].type == .string && attributes[0].defaultValue == .string("shut"))
    #expect(attributes[0].validationPredicates == [ValidationPredicate(#"SELF IN {"open", "shut"}"#)])
    #expect(attributes[1].type == .integer64 && attributes[1].defaultValue == .int(4))
    #expect(attributes[1].validationPredicates == [ValidationPredicate("SELF IN {3, 4, 9}")])
    #expect(attributes[2].type == .composite && attributes[2].elements.map(\.name) == ["city", "status", "at"])
    #expect(attributes[2].elements.map(\.isOptional) == [false, true, false])
    #expect(attributes[2].elements[2].elements.map(\.type) == [.double, .double])
    #expect(attributes[3].type == .transformable && attributes[3].valueClassName == "Mood")
    #expect(
      read.notes == [
        "line 2: Quake.status: Status is kept as its raw values, String",
        "line 3: Quake.level: Level is kept as its raw values, Int",
        "line 12: Quake.place.status: Status is kept as its raw values, String",
        "line 5: Quake.mood: Mood has no raw values and is kept as JSON",
      ])
  }

  @Test func classesWithinASchemaHaveItsVersion() throws {
    let text = """
      import SwiftData
      enum SchemaV2: VersionedSchema {
        static var versionIdentifier: Schema.Version { .init(1, 2, 0) }
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model class Trip: Identifiable { var id: UUID; var stays: [SchemaV2.Stay] = [] }
      }
      extension SchemaV2 {
        @Model final class BusinessTrip: Trip { var perdiem: Double = 0 }
        @Model final class Stay { @Relationship(inverse: \\SchemaV2.Trip.stays) var trip: Trip? }
      }
      """
    let model = try SwiftDataModel(swift: text).model
    #expect(model.entities.map(\.name) == ["Trip", "BusinessTrip", "Stay"])
    #expect(model.version == ModelVersion("1.2.0"))
    #expect(model.entity(named: "BusinessTrip")?.parent?.name == "Trip")
    #expect(model.entity(named: "Trip")?.relationships[0].inverse == "trip")
  }

  @Test func whatAModelDoesNotKeepIsNotedWithItsLine() throws {
    let read = try SwiftDataModel(
      swift: """
        @Model final class Quake: Seismic {
          var time = Date()
          var id: UUID = UUID()
          var now: Date = .now
          var isBig: Bool { false }
          static let shared = 5
          @Transient var cache: NSCache<NSString, Thing>? = nil
          @Transient var other = makeIt()
          @Attribute(.spotlight) var name: String = ""
          @Wrapped var wrapped: UInt8 = 3
          var place = Place(x: 1)
          func update() { time = .now }
        }
        struct Place: Codable { var x: Int }
        class Helper {}
        """)
    #expect(
      read.notes == [
        "line 15: Helper is a class without @Model and is left out",
        "line 1: Quake: Seismic is taken for a protocol",
        "line 2: Quake.time: the default Date() is computed for each object, and is left out",
        "line 3: Quake.id: the default UUID() is computed for each object, and is left out",
        "line 4: Quake.now: the default .now is computed for each object, and is left out",
        "line 5: Quake.isBig is computed, which a model does not keep",
        "line 7: Quake.cache: NSCache<NSString, Thing>? is kept as JSON",
        "line 8: Quake.other is transient, of a type that is not written, and is left out",
        "line 9: Quake.name: .spotlight is left out", "line 10: Quake.wrapped: @Wrapped is left out",
        "line 10: Quake.wrapped: UInt8 is kept as Int16",
        "line 11: Quake.place: the default Place(x: 1) is computed for each object, and is left out",
      ])
    #expect(
      read.model.entities[0].attributes.map(\.name) == ["time", "id", "now", "cache", "name", "wrapped", "place"])
  }

  // MARK: Mistakes

  @Test(arguments: [
    ("class Quake {}", "class Quake {}", SwiftReadingError.Fact.noModel),
    ("@Model class Q { var a: Strng }", "Strng", .unknownType("Strng", nearest: "String")),
    ("@Model class Q { var a: [Repot] }\n@Model class Report {}", "Repot", .unknownType("Repot", nearest: "Report")),
    ("@Model class Big: Quak {}\n@Model class Quake {}", "Quak", .unknownType("Quak", nearest: "Quake")),
    (
      "@Model class Q { @Attribute(.uniqe) var a: Int }", ".uniqe",
      .unknownArgument(".uniqe", of: "@Attribute", nearest: ".unique")
    ),
    (
      "@Model class Q { @Relationship(deletRule: .cascade) var a: Q? }", ".cascade",
      .unknownArgument("deletRule:", of: "@Relationship", nearest: "deleteRule:")
    ),
    (
      "@Model class Q { @Relationship(deleteRule: .casade) var a: Q? }", ".casade",
      .unknownArgument(".casade", of: "deleteRule", nearest: ".cascade")
    ),
    (
      "@Model class Q { @Relationship(deleteRule: .deny) var a: Int }", "@Relationship(deleteRule: .deny)",
      .notARelationship("a")
    ),
    (
      "@Model class Q {\n #Index<Q>([\\.tme])\n var time: Date }", "\\.tme",
      .unknownProperty("tme", entity: "Q", nearest: "time")
    ),
    ("@Model class Q {\n #Unique<P>([\\.a])\n var a: Int }", "#Unique<P>([\\.a])", .wrongEntity("P", expected: "Q")),
    ("@Model class Q { var a: Int = \"x\" }", "\"x\"", .wrongDefault("\"x\"", expected: "Integer64")),
    ("@Model class Q { var a = make() }", "var a = make()", .unknownTypeOfProperty("a")),
    (
      "@Model class Q { @Relationship(inverse: \\P.q) var q: Q? }\n@Model class P { var q: Q? }", "\\P.q",
      .wrongEntity("P", expected: "Q")
    ),
    (
      "@Model class Q { @Relationship(inverse: \\P.qs) var p: P? }\n@Model class P { var q: Q? }",
      "@Relationship(inverse: \\P.qs) var p: P?",
      .model(
        ModelError(entity: "Q", property: "p", .unknownInverse("qs", destination: "P", nearest: "q")))
    ),
    ("@Model class Q {}\n@Model class Q {}", "Q", .severalTypes("Q")),
    ("@Model class A: B {}\n@Model class B: A {}", "A", .model(ModelError(entity: "A", .inheritanceCycle))),
  ])
  func aMistakeIsToldAtItsPlaceWithTheNearestName(text: String, place: String, fact: SwiftReadingError.Fact) {
    let found = mistakes(text)
    #expect(found.map(\.0) == [fact])
    #expect(found.first?.1 == place)
  }

  @Test func changedSourcesAreSurvived() throws {
    var random = SplitMix(seed: 14)
    var generator = ModelGenerator(seed: 15, isSayable: false)
    let pieces = [
      "{", "}", "(", ")", "[", "]", "<", ">", "@", "@Model ", "class ", "enum ", "struct ", "case ", "var ", ": ",
      " = ",
      "\\.", "#Index", ".", "?", "\"", "/*", "\n", "é", "5", "Optional<", "Array<", "[String:", "inverse: ", "-", "$0",
    ]
    for _ in 0..<Effort.rounds(20) {
      let source = SwiftModelSource(try generator.model(), .swiftData).text
      for _ in 0..<10 {
        var text = Array(source.unicodeScalars)
        for _ in 0...random.below(4) where !text.isEmpty {
          let place = random.below(text.count)
          switch random.below(3) {
          case 0: text.remove(at: place)
          case 1: text.insert(contentsOf: Array(random.pick(pieces).unicodeScalars), at: place)
          default: text.removeSubrange(place..<min(text.count, place + random.below(30)))
          }
        }
        let changed = String(String.UnicodeScalarView(text))
        for (fact, place) in mistakes(changed) { #expect(place != "nowhere", "\(fact)") }
      }
    }
  }

  @Test(arguments: ["struct S { var a: ", "[", "Optional<", "@Model class A { enum B { ", "Array<", "class A: "])
  func nestingHasALimit(_ opening: String) {
    let text = "@Model class Q { var s: S; var a: " + String(repeating: opening, count: 500)
    #expect(!mistakes(text).isEmpty)
  }

  @Test func structuresThatContainOneAnotherAreRefused() {
    let text = "@Model class Q { var s: S }\nstruct S { var a: T; var b: T }\nstruct T { var a: S; var b: S }"
    #expect(mistakes(text).contains { $0.0 == .tooDeep })
  }
}

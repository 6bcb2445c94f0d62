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

  @Test func attributesOfSystemsMeanNothingToAModel() throws {
    let read = try SwiftDataModel(
      swift: """
        @available(iOS 26, macOS 26.0, *)
        @Model final class Quake {
          @available(iOS 26.1, *) var name: String = ""
          @available(*, deprecated, renamed: "name", message: "no longer (used)") @Attribute(.unique) var code = 0
          @available(iOS, introduced: 17, obsoleted: 26) @available(macOS 14, *)
          var place: String?
          @available(iOS 18, *) init() { if #available(iOS 26, macOS 26, *) { name = "a" } }
        }
        @available(iOS 26, *) extension Quake { @available(iOS 27, *) var big: Bool { true } }
        @available(iOS 26, *)
        extension SchemaV1 { @MainActor @available(iOS 26, *) @Model class Report { var text = "" } }
        enum SchemaV1 {}
        """)
    #expect(read.notes == [] && read.model.entities.map(\.name) == ["Quake", "Report"])
    #expect(read.model.entities[0].attributes.map(\.name) == ["name", "code", "place"])
    #expect(read.model.entities[0].attributes[1].isUnique)
  }

  @Test func ofConditionsTheBranchOfAnAppForIOSIsRead() throws {
    let read = try SwiftDataModel(
      swift: """
        #if canImport(SwiftData) && !os(Linux)
        import SwiftData
        #endif
        @Model
        #if DEBUG
        final class Test {
        #else
        final class Quake {
        #endif
          var name: String
          #if os(macOS) || DEBUG
          var window: Int?
          #elseif (os(iOS) && swift(>=5.9)) // here
            #if targetEnvironment(simulator)
            var simulated: Bool
            #else
            var scene: Int?
            #endif
          #else
          var nothing: Int
          #endif
          var tags: [String] = [
            "a",
            #if FLAG
            "b",
            #endif
          ]
          enum Level: Int, Codable {
            case low
            #if !FLAG
            case high
            #endif
          }
          var level = Level.high
        }
        """)
    let attributes = read.model.entities[0].attributes
    #expect(read.model.entities[0].name == "Quake" && attributes.map(\.name) == ["name", "scene", "tags", "level"])
    #expect(attributes[2].defaultValue == .json(.array([.string("a")])))
    #expect(attributes[3].defaultValue == .json(.object(["level": .int(1)])))
    #expect(
      read.notes == [
        "line 5: what follows #if DEBUG is left out, as in an app for iOS",
        "line 11: what follows #if os(macOS) || DEBUG is left out, as in an app for iOS",
        "line 14: what follows #if targetEnvironment(simulator) is left out, as in an app for iOS",
        "line 19: what follows #else is left out, as in an app for iOS",
      ])
    let open = mistakes("@Model class Q { var a: Int\n#if DEBUG\n}")
    #expect(open.contains { $0.0 == .unterminated("#if") && $0.1 == "#if" })
  }

  @Test func whatFunctionsDoIsNotLookedInto() throws {
    let read = try SwiftDataModel(
      swift: """
        @Model final class Quake {
          var name: String = ""
          static func all(in context: ModelContext) throws -> [Quake] {
            guard !context.isEmpty, let first = try? context.fetch(FetchDescriptor<Quake>()).first,
              first.name.count > 1 else { return [] }
            for case let quake? in [first] where quake.name != "" { print(quake) }
            return try context.fetch(FetchDescriptor<Quake>(predicate: #Predicate { $0.name != "" }))
          }
        }
        struct Row {
          @FocusState.Binding var isFocused: Bool
          private var scheduler: @MainActor @Sendable ([Quake]) -> Void = { quakes in print(quakes) }
        }
        """)
    #expect(read.model.entities[0].attributes.map(\.name) == ["name"] && read.notes == [])
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

  @Test func ofSeveralVersionsOfASchemaOneIsRead() throws {
    let text = """
      enum SchemaV1: VersionedSchema {
        static var versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, Author.self] }
        @Model final class Trip { var name: String = ""; var kind = Kind.long }
        @Model final class Author { var name: String = "" }
        enum Kind: Int, Codable { case long }
      }
      enum SchemaV2: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [SchemaV1.Author.self, Trip.self, SchemaV3.Later.self] }
      }
      extension SchemaV2 {
        @Model final class Trip { var title: String = ""; var kind = Kind.short }
        enum Kind: String, Codable { case short }
      }
      enum SchemaV3: VersionedSchema { @Model final class Later { var x = 0 } }
      @Model final class Shared { var y = 0 }
      typealias Trip = SchemaV2.Trip
      """
    #expect(SwiftDataModel.schemas(in: text) == ["SchemaV1", "SchemaV2", "SchemaV3"])
    let first = try SwiftDataModel(swift: text, schema: "SchemaV1").model
    #expect(first.entities.map(\.name) == ["Trip", "Author", "Shared"] && first.version == ModelVersion("1.0.0"))
    #expect(first.entities[0].attributes.map(\.name) == ["name", "kind"])
    #expect(first.entities[0].attributes[1].elements.map(\.type) == [.integer64])
    let second = try SwiftDataModel(swift: text, schema: "SchemaV2").model
    #expect(Set(second.entities.map(\.name)) == ["Trip", "Author", "Later", "Shared"])
    #expect(second.version == ModelVersion("2.0.0"))
    #expect(second.entity(named: "Trip")?.attributes.map(\.name) == ["title", "kind"])
    #expect(second.entity(named: "Trip")?.attributes[1].elements.map(\.type) == [.string])
    let all = mistakes(text)
    #expect(all.count == 1 && all.first?.0 == .severalSchemas(["SchemaV1", "SchemaV2", "SchemaV3"]))
    do throws(SwiftReadingError) {
      _ = try SwiftDataModel(swift: text, schema: "SchemaV4")
      Issue.record("there is no SchemaV4")
    } catch {
      #expect(error.issues.map(\.fact) == [.unknownSchema("SchemaV4", known: ["SchemaV1", "SchemaV2", "SchemaV3"])])
    }
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

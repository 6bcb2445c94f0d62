import Modeling
import Queries
import SwiftParsing
import SwiftReading
import TestSupport
import Testing

/// What stands around the properties in files of an app.
@Suite struct SwiftDataModelSourceTests {
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
    let open = SwiftReadingError.mistakes("@Model class Q { var a: Int\n#if DEBUG\n}")
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
    let all = SwiftReadingError.mistakes(text)
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
}

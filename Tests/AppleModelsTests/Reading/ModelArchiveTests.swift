import AppleModels
import Modeling
import TestSupport
import Testing

@Suite struct ModelArchiveTests {
  private func attributes(
    _ build: (ArchiveBuilder) -> [(String, ArchiveBuilder.Reference)]
  ) throws -> (attributes: [Attribute], notes: [String]) {
    let builder = ArchiveBuilder()
    let read = try AppleModel(compiled: builder.model(properties: build(builder)))
    return (read.model.entities[0].attributes, read.notes)
  }

  @Test func everyTypeIsReadByItsCode() throws {
    let codes: [(Int, AttributeType)] = [
      (100, .integer16), (200, .integer32), (300, .integer64), (400, .decimal), (500, .double), (600, .float),
      (700, .string), (800, .boolean), (900, .date), (1000, .data), (1100, .uuid), (1200, .url), (1800, .transformable),
      (0, .any),
    ]
    for (code, type) in codes {
      let read = try attributes { [$0.attribute("a", code)] }
      #expect(read.attributes.map(\.type) == [type])
      #expect(read.attributes[0].isOptional == false && read.notes == [])
    }
    let other = try attributes { [$0.attribute("a", 1234)] }
    #expect(other.attributes.map(\.type) == [.any])
    #expect(other.notes == ["Item.a has a type of another kind, 1234"])
  }

  @Test func flagsNamesAndNotesOfAttributesAreRead() throws {
    let read = try attributes { builder in
      [
        builder.attribute(
          "a", 1000,
          [
            "NSFlagsKey": .int(20), "NSIsOptional": .bool(true), "NSVersionHashModifier": .object(builder.string("2")),
            "NSRenamingIdentifier": .object(builder.string("old")),
            "NSUserInfo": .object(builder.dictionary([("k", builder.string("v"))])),
          ])
      ]
    }
    let a = try #require(read.attributes.first)
    #expect(a.allowsExternalBinaryDataStorage && a.preservesValueInHistoryOnDeletion && a.isOptional)
    #expect((a.versionHashModifier, a.renamingIdentifier, a.userInfo) == ("2", "old", ["k": "v"]))
  }

  @Test func aPropertyOfAnAncestorMayBeRepeatedByReference() throws {
    let builder = ArchiveBuilder()
    let (name, own) = builder.attribute("name", 700)
    let repeated = builder.object("_NSPropertyDescriptionProxy", ["NSUnderlyingProperty": .object(own)])
    func entity(_ entityName: String, _ fields: [String: ArchiveBuilder.Field]) -> ArchiveBuilder.Reference {
      let named: [String: ArchiveBuilder.Field] = ["NSEntityName": .object(builder.string(entityName))]
      return builder.object("NSEntityDescription", named.merging(fields) { $1 })
    }
    let parent = entity("Parent", ["NSProperties": .object(builder.dictionary([(name, own)]))])
    let (size, extra) = builder.attribute("size", 100)
    let child = entity(
      "Child",
      [
        "NSSuperentity": .object(parent),
        "NSProperties": .object(builder.dictionary([(name, repeated), (size, extra)])),
        "NSUniqueTuples": .object(builder.list([builder.list([repeated])])),
      ])
    let entities = builder.dictionary([("Parent", parent), ("Child", child)])
    let root = builder.object("NSManagedObjectModel", ["NSEntities": .object(entities)])
    let read = try AppleModel(compiled: builder.archive(root: root))
    #expect(read.notes == [])
    let model = try #require(read.model.entity(named: "Child"))
    #expect(model.description.properties.map(\.name) == ["size"] && model.properties.map(\.name) == ["name", "size"])
    #expect(model.description.uniquenessConstraints == [["name"]])
  }

  @Test func aRelationshipInMemoryOnlyIsReadAsOne() throws {
    let builder = ArchiveBuilder()
    func relationship(_ name: String, _ isTransient: Bool) -> (String, ArchiveBuilder.Reference) {
      let fields: [String: ArchiveBuilder.Field] = [
        "NSPropertyName": .object(builder.string(name)), "_NSDestinationEntityName": .object(builder.string("Item")),
        "NSMaxCount": .int(1), "NSIsOptional": .bool(true), "NSIsTransient": .bool(isTransient),
      ]
      return (name, builder.object("NSRelationshipDescription", fields))
    }
    let read = try AppleModel(
      compiled: builder.model(properties: [relationship("stored", false), relationship("held", true)]))
    #expect(read.model.entity(named: "Item")?.property(named: "held")?.isTransient == true)
    #expect(read.model.entity(named: "Item")?.property(named: "stored")?.isTransient == false)
  }

  @Test func boundsAreTakenOverFromConditionsUnlessTheDefaultBreaksThem() throws {
    func conditions(_ builder: ArchiveBuilder) -> ArchiveBuilder.Field {
      .object(
        builder.list([
          builder.comparison(builder.itself, 3, builder.constant(.int(1))),
          builder.comparison(builder.itself, 1, builder.constant(.int(9))),
          builder.comparison(builder.itself, 5, builder.constant(.int(5))),
        ]))
    }
    let plain = try attributes { [$0.attribute("a", 200, ["NSValidationPredicates": conditions($0)])] }
    #expect((plain.attributes[0].minimum, plain.attributes[0].maximum) == (.int(1), .int(9)))
    #expect(plain.attributes[0].validationPredicates == [ValidationPredicate("SELF != 5")])
    // Xcode writes a default of 0, for any smallest value.
    let broken = try attributes {
      [
        $0.attribute(
          "a", 200, ["NSValidationPredicates": conditions($0), "NSDefaultValue": .object($0.plain(.int(0)))])
      ]
    }
    let open = broken.attributes[0]
    #expect((open.defaultValue, open.minimum, open.maximum) == (.int(0), .null, .int(9)))
    #expect(open.validationPredicates.map(\.predicate) == ["SELF >= 1", "SELF != 5"])
  }

  @Test func lengthsAndPatternsAreTakenOverFromConditions() throws {
    let read = try attributes { builder in
      let conditions = builder.list([
        builder.comparison(builder.path("length"), 3, builder.constant(.int(2))),
        builder.comparison(builder.path("length"), 1, builder.constant(.int(8))),
        builder.comparison(builder.itself, 6, builder.constant(text: "[a-z]+")),
      ])
      return [builder.attribute("a", 700, ["NSValidationPredicates": .object(conditions)])]
    }
    let a = read.attributes[0]
    #expect((a.minimumLength, a.maximumLength, a.regularExpression) == (2, 8, "[a-z]+"))
    #expect(a.validationPredicates == [] && read.notes == [])
  }

  @Test func derivationsHaveOneTextHoweverTheyAreSpelled() throws {
    let texts: [(String, (ArchiveBuilder) -> ArchiveBuilder.Reference)] = [
      ("parts.@count", { $0.call("count:", [$0.path("parts")]) }), ("parts.@count", { $0.path("parts.@count") }),
      ("parts.@sum.cost", { $0.call("sum:", [$0.path("parts.cost")]) }), ("owner.name", { $0.path("owner.name") }),
      ("canonical(name)", { $0.call("canonical:", [$0.path("name")]) }), ("now()", { $0.call("now", []) }),
    ]
    for (text, build) in texts {
      let read = try attributes { [$0.attribute("a", 700, ["NSDerivationExpression": .object(build($0))])] }
      #expect(read.attributes[0].derivation == text)
    }
  }

  @Test func compositesHaveTheElementsThatAreInAnyListOfAttributes() throws {
    let builder = ArchiveBuilder()
    let elements = [builder.attribute("lat", 500).1, builder.attribute("lon", 500).1]
    let place = builder.object(
      "NSCompositeAttributeDescription",
      [
        "NSPropertyName": .object(builder.string("place")), "NSAttributeType": .int(2100),
        "NSElements": .object(builder.list(elements)),
      ])
    let read = try AppleModel(compiled: builder.model(properties: [("place", place)]))
    let attribute = try #require(read.model.entities[0].attributes.first)
    #expect(attribute.type == .composite && attribute.elements.map(\.name) == ["lat", "lon"])
  }

  @Test func aPropertyListThatIsNoModelIsRefused() throws {
    let builder = ArchiveBuilder()
    let bytes = builder.archive(root: builder.list([]))
    #expect(throws: AppleModelError.self) { try AppleModel(compiled: bytes) }
    #expect(throws: AppleModelError.self) { try AppleModel(compiled: []) }
    #expect(throws: AppleModelError(.damaged("it cannot be unpacked"))) { try AppleModel(modelCache: [1, 2, 3]) }
  }

  @Test func aStoresCopyThatGrowsBeyondAllMeasureIsRefused() throws {
    // A megabyte in a thousand bytes, a hundred times over: deflated blocks of one repeated byte.
    var packed: [UInt8] = []
    let block: [UInt8] = [0x00, 0xFF, 0xFF, 0x00, 0x00] + [UInt8](repeating: 0, count: 65_535)
    for _ in 0..<1100 { packed += block }
    #expect(throws: AppleModelError(.damaged("it cannot be unpacked"))) { try AppleModel(modelCache: packed) }
  }
}

import Modeling
import Testing

@Suite struct ModelDifferenceTests {
  private func library(_ change: (inout [EntityDescription]) -> Void = { _ in }) throws -> Model {
    var title = Attribute("title", .string)
    title.isOptional = false
    var entities = [
      EntityDescription(
        "Author",
        properties: [
          .attribute(Attribute("name", .string)),
          .relationship(Relationship(toMany: "books", "Book", inverse: "author")),
        ]),
      EntityDescription(
        "Book",
        properties: [
          .attribute(title), .attribute(Attribute("pages", .integer32)),
          .relationship(Relationship(toOne: "author", "Author", inverse: "books")),
        ]),
      EntityDescription("Comic", parent: "Book"), EntityDescription("Shop"),
    ]
    entities[1].uniquenessConstraints = [["title"]]
    change(&entities)
    return try Model(entities)
  }

  private func difference(_ change: (inout [EntityDescription]) -> Void) throws -> ModelDifference {
    ModelDifference(from: try library(), to: try library(change))
  }

  private func attribute(_ name: String, _ type: AttributeType, _ change: (inout Attribute) -> Void = { _ in })
    -> Property
  {
    var attribute = Attribute(name, type)
    change(&attribute)
    return .attribute(attribute)
  }

  @Test func equalModelsHaveNoDifferences() throws {
    let difference = try difference { _ in }
    #expect(difference.changes == [] && difference.isInferable)
  }

  @Test func entitiesAndPropertiesComeAndGo() throws {
    let difference = try difference {
      $0.remove(at: 3)
      $0[1].properties.remove(at: 1)
      $0[1].properties.append(attribute("price", .decimal))
      $0.append(EntityDescription("Publisher"))
    }
    #expect(
      difference.changes == [
        .addedProperty(entity: "Book", name: "price"), .removedProperty(entity: "Book", name: "pages"),
        .addedEntity("Publisher"), .removedEntity("Shop"),
      ])
    #expect(difference.isInferable)
  }

  @Test func whatIsRenamedIsTheSameByItsRenamingIdentifierAndSoAreThoseThatLeadToIt()
    throws
  {
    let difference = try difference { entities in
      entities[0].name = "Writer"
      entities[0].renamingIdentifier = "Author"
      entities[1].properties = [
        attribute("name", .string) {
          $0.isOptional = false
          $0.renamingIdentifier = "title"
        }, attribute("pages", .integer32), .relationship(Relationship(toOne: "writer", "Writer", inverse: "works")),
      ]
      if case .relationship(var writer) = entities[1].properties[2] {
        writer.renamingIdentifier = "author"
        entities[1].properties[2] = .relationship(writer)
      }
      var works = Relationship(toMany: "works", "Book", inverse: "writer")
      works.renamingIdentifier = "books"
      entities[0].properties[1] = .relationship(works)
      entities[1].uniquenessConstraints = [["name"]]
    }
    #expect(
      difference.changes == [
        .renamedEntity(from: "Author", to: "Writer"),
        .renamedProperty(entity: "Writer", from: "books", to: "works"),
        .renamedProperty(entity: "Book", from: "title", to: "name"),
        .renamedProperty(entity: "Book", from: "author", to: "writer"),
      ])
    #expect(difference.isInferable)
  }

  @Test func everyFactThatIsAnotherIsTold() throws {
    let difference = try difference {
      $0[1].isAbstract = true
      $0[1].properties[1] = attribute("pages", .integer32) {
        $0.maximum = .int(9)
        $0.userInfo = ["a": "b"]
      }
    }
    #expect(
      difference.changes == [
        .changedEntity("Book", [ModelDifference.Fact(name: "abstract", old: nil, new: .bool(true))]),
        .changedProperty(
          entity: "Book", name: "pages",
          [
            ModelDifference.Fact(name: "max", old: nil, new: .int(9)),
            ModelDifference.Fact(name: "userInfo", old: nil, new: .object(["a": .string("b")])),
          ]),
      ])
    #expect(difference.isInferable)
  }

  @Test func coreDataCannotInferWhatValuesWouldBecome() throws {
    let difference = try difference {
      $0[1].properties[1] = attribute("pages", .string)
      $0[1].properties.append(attribute("price", .decimal) { $0.isOptional = false })
      $0[1].properties.append(
        attribute("stock", .integer32) {
          $0.isOptional = false
          $0.defaultValue = .int(0)
        })
      $0[0].properties[0] = attribute("name", .string) { $0.isOptional = false }
      $0[1].properties[2] = .relationship(Relationship(toOne: "author", "Shop"))
      $0[0].properties.remove(at: 1)
      var needed = Relationship(toOne: "shop", "Shop")
      needed.isOptional = false
      $0[0].properties.append(.relationship(needed))
    }
    #expect(
      difference.obstacles == [
        .missingDefault(entity: "Author", name: "name"), .missingDestination(entity: "Author", name: "shop"),
        .convertedAttribute(entity: "Book", name: "pages", from: .integer32, to: .string),
        .otherDestination(entity: "Book", name: "author", from: "Author", to: "Shop"),
        .missingDefault(entity: "Book", name: "price"),
      ])
  }

  @Test func hierarchiesCannotBeMergedButEntitiesMayJoinOneThatIsNewOrLeave() throws {
    let merged = try difference { $0[3].parent = "Author" }
    #expect(merged.obstacles == [.mergedHierarchies("Author", "Shop")])
    let alone = try difference { $0[2].parent = nil }
    #expect(alone.isInferable)
    #expect(
      alone.changes.contains(
        .changedEntity("Comic", [ModelDifference.Fact(name: "parent", old: .string("Book"), new: nil)])))
  }

  @Test func requestsVersionsAndConfigurationsAreCompared() throws {
    let old = try Model(
      [EntityDescription("A")], version: ModelVersion("1"),
      fetchRequestTemplates: ["a": FetchRequestTemplate("A"), "b": FetchRequestTemplate("A")])
    let new = try Model(
      [EntityDescription("A")], version: ModelVersion("2"),
      fetchRequestTemplates: ["b": FetchRequestTemplate("A", predicate: "x == 1"), "c": FetchRequestTemplate("A")])
    #expect(
      ModelDifference(from: old, to: new).changes == [
        .removedTemplate("a"),
        .changedTemplate("b", [ModelDifference.Fact(name: "predicate", old: nil, new: .string("x == 1"))]),
        .addedTemplate("c"),
        .changedModel([ModelDifference.Fact(name: "modelVersion", old: .string("1"), new: .string("2"))]),
      ])
  }
}

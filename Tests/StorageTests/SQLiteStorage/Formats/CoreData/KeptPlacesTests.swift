import Foundation
import Layouts
import Modeling
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// Another model of a store finds its columns where the store's own model has them.
@Suite(.seeded) struct KeptPlacesTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  // MARK: Models and columns

  /// The properties of a model, and the elements of its composites, in other orders.
  static func orders(of descriptions: [EntityDescription]) throws -> [Model] {
    func changed(_ order: ([Property]) -> [Property], _ elements: @escaping ([Attribute]) -> [Attribute]) throws
      -> Model
    {
      try Model(
        descriptions.map { entity in
          var entity = entity
          entity.properties = order(entity.properties).map { property in
            guard case .attribute(var attribute) = property else { return property }
            attribute.elements = elements(attribute.elements)
            return .attribute(attribute)
          }
          return entity
        })
    }
    let longest = descriptions.map(\.properties.count).max() ?? 0
    var random = SplitMix(seed: 1)
    var models = [try changed({ $0.reversed() }, { $0.reversed() }), try changed({ $0 }, { $0.reversed() })]
    for shift in 0..<longest {
      models.append(
        try changed({ Array($0.dropFirst(shift % max(1, $0.count)) + $0.prefix(shift % max(1, $0.count))) }, { $0 }))
    }
    for _ in 0..<5 { models.append(try changed({ $0.shuffled(using: &random) }, { $0.shuffled(using: &random) })) }
    return models
  }

  /// The columns of every property, by its entity and its name, with those of elements.
  static func columns(_ store: SQLiteStore) -> [String: String] {
    var columns: [String: String] = [:]
    func note(_ column: ColumnLayout, _ path: String) {
      guard case .elements(let elements) = column.encoding else {
        columns[path] = "\(column.name) \(column.entityColumn ?? "")"
        return
      }
      for element in elements { note(element.column, "\(path).\(element.name)") }
    }
    for entity in store.model.entities {
      let layout = store.layout(of: entity)
      for (property, place) in zip(entity.properties, layout.properties) {
        let path = "\(entity.name).\(property.name)"
        switch place {
        case .column(let column): note(layout.columns[column], path)
        case .reference(let references, _): for column in references { note(layout.columns[column], path) }
        case .inverse(let index, let order):
          columns[path] =
            "\(entity.destination(at: entity.index(of: property.name)!).properties[index].name) \(order ?? "")"
        case .join(let join): columns[path] = "\(join)"
        case .none: columns[path] = "none"
        }
      }
    }
    return columns
  }

  private func open(_ path: String, _ model: Model? = nil, readOnly: Bool = true) throws -> SQLiteStore {
    var options = StoreOptions(path: path)
    options.model = model
    options.writesCoreData = !readOnly
    return try SQLiteStore(options)
  }

  // MARK: Real stores

  @Test(
    .enabled(if: RealStore.areThere, "there is no folder of real stores beside the package"),
    arguments: RealStore.allCases)
  func theOrderOfAModelsPropertiesDoesNotMatter(file: RealStore) throws {
    let path = try file.copy(into: folder)
    let own = try open(path)
    let (columns, descriptions) = (Self.columns(own), own.model.descriptions)
    own.close()
    let obstacle = fact { try open(path, readOnly: false).close() }
    for model in try Self.orders(of: descriptions) {
      let store = try open(path, model)
      #expect(Self.columns(store) == columns)
      #expect(store.notes.isEmpty, "\(store.notes)")
      store.close()
      #expect(fact { try open(path, model, readOnly: false).close() } == obstacle)
    }
  }

  /// Each attribute of the store gets a composite beside it, or a sibling entity, with an element or attribute of its name.
  @Test(
    .enabled(if: RealStore.areThere, "there is no folder of real stores beside the package"),
    arguments: RealStore.allCases)
  func columnsOfOneNameGoToThePropertiesOfTheStoresOwnModel(file: RealStore) throws {
    let own = try open(try file.copy(into: folder))
    defer { own.close() }
    let descriptions = own.model.descriptions.map(Self.plain)
    for entity in descriptions.indices {
      for case .attribute(let attribute) in descriptions[entity].properties where !attribute.isTransient {
        // A name that sorts before all others, and one that sorts behind them.
        for name in ["AAA", "zzz"] {
          var composite = Attribute(name, .composite)
          composite.elements = [Attribute("other", .double), Attribute(attribute.name, attribute.type)]
          var colliding = descriptions
          colliding[entity].properties.append(.attribute(composite))
          try check(colliding, attribute.name)
        }
        guard let parent = descriptions[entity].parent else { continue }
        var colliding = descriptions
        colliding.append(EntityDescription("Sibling", parent: parent, properties: [.attribute(attribute)]))
        try check(colliding, attribute.name)
      }
    }
  }

  /// What a file of these tests does not need: values that only the framework computes.
  private static func plain(_ entity: EntityDescription) -> EntityDescription {
    var entity = entity
    entity.properties = entity.properties.map { property in
      guard case .attribute(var attribute) = property else { return property }
      (attribute.derivation, attribute.isUnique) = (nil, false)
      return .attribute(attribute)
    }
    (entity.uniquenessConstraints, entity.indexes, entity.fetchedProperties) = ([], [], [])
    return entity
  }

  /// Makes a store of a model and opens it with others that say the same in another order.
  private func check(_ descriptions: [EntityDescription], _ name: String) throws {
    // Stores list properties by name.
    let model = try Model(
      descriptions.map { entity in
        var entity = entity
        entity.properties.sort { ($0.relationship != nil ? 1 : 0, $0.name) < ($1.relationship != nil ? 1 : 0, $1.name) }
        return entity
      })
    var fixture = CoreDataFixture(model)
    fixture.keepsModel = true
    let path = try fixture.make(in: folder, "\(UUID()).sqlite")
    let own = try open(path)
    let columns = Self.columns(own)
    own.close()
    let places = columns.values.filter { $0.hasPrefix("Z\(name.uppercased())") }
    #expect(Set(places).count >= 2, "\(name): \(columns)")
    for other in try Self.orders(of: descriptions).prefix(3) {
      let store = try open(path, other, readOnly: false)
      #expect(Self.columns(store) == columns)
      #expect(store.notes.isEmpty, "\(store.notes)")
      store.close()
    }
    // Without the store's own model nothing tells which column is whose.
    _ = try sqlite3(path, "DROP TABLE Z_MODELCACHE")
    let refusal = fact { try open(path, try Self.orders(of: descriptions)[0], readOnly: false).close() }
    guard case .coreDataNotWritable(.ambiguousColumns(let rivals, of: _)) = refusal else {
      Issue.record("\(name): \(refusal.map { "\($0)" } ?? "written")")
      return
    }
    #expect(rivals.allSatisfy { $0.contains(".Z\(name.uppercased())") })
    try FileManager.default.removeItem(atPath: path)
  }

  // MARK: Two columns of one name

  /// An entity whose identifier has the name of its author's.
  private static func cocktail(_ isReversed: Bool) throws -> Model {
    var author = Attribute("author", .composite)
    author.elements = [Attribute("id", .uuid), Attribute("person", .string)]
    let properties: [Property] = [.attribute(author), .attribute(Attribute("id", .uuid))]
    return try Model([EntityDescription("Cocktail", properties: isReversed ? properties.reversed() : properties)])
  }

  private func cocktails(keepsModel: Bool) throws -> String {
    var fixture = CoreDataFixture(try Self.cocktail(false))
    fixture.keepsModel = keepsModel
    // The author's columns come first, because stores list properties by name.
    fixture.extra = """
      INSERT INTO ZCOCKTAIL (Z_PK, Z_ENT, Z_OPT, ZID, ZPERSON, ZID1)
        VALUES (1, 1, 1, X'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'Ann', X'CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC');
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1;
      """
    return try fixture.make(in: folder)
  }

  private func id(of store: SQLiteStore) throws -> String? {
    guard case .uuid(let id)? = try store.values("id", of: "Cocktail").first else { return nil }
    return "\(id)"
  }

  @Test func aGivenModelReadsAndWritesTheColumnsOfTheStoresOwnModel() throws {
    let path = try cocktails(keepsModel: true)
    let store = try open(path, try Self.cocktail(true), readOnly: false)
    #expect(try id(of: store) == "CCCCCCCC-CCCC-CCCC-CCCC-CCCCCCCCCCCC")
    let entity = store.model.entities[0]
    let place = try #require(store.layout(of: entity).columns.firstIndex { $0.name == "ZID1" })
    let other = try #require(UUID(uuidString: "01010101-0101-0101-0101-010101010101"))
    #expect(try store.update(entity, key: 1, [(place, .uuid(other))]))
    store.close()
    #expect(
      try sqlite3(path, "SELECT hex(ZID), hex(ZID1) FROM ZCOCKTAIL")
        == "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA|01010101010101010101010101010101")
  }

  @Test func aStoreWithoutItsModelIsReadOnlyWhereColumnsCouldBeExchanged() throws {
    let path = try cocktails(keepsModel: false)
    let model = try Self.cocktail(true)
    let store = try open(path, model)
    #expect(try id(of: store) == "CCCCCCCC-CCCC-CCCC-CCCC-CCCCCCCCCCCC")
    #expect(
      store.notes == [
        "The store keeps no model that tells which of Cocktail.id, Cocktail.author.id has which column of ZCOCKTAIL.ZID, "
          + "ZCOCKTAIL.ZID1: they are given out by name, which may be wrong, and the store is read-only."
      ])
    #expect(StoreDiagnosis(store).obstacle != nil)
    store.close()
    #expect(
      fact { try open(path, model, readOnly: false) }
        == .coreDataNotWritable(
          .ambiguousColumns(["ZCOCKTAIL.ZID", "ZCOCKTAIL.ZID1"], of: ["Cocktail.id", "Cocktail.author.id"])))
    // A model that lacks the author might have either.
    let less = try Model([EntityDescription("Cocktail", properties: [.attribute(Attribute("id", .uuid))])])
    #expect(try open(path, less).notes.count == 1)
  }

  @Test func aModelThatLacksAPropertyFindsTheOthersAndIsOnlyRead() throws {
    let path = try cocktails(keepsModel: true)
    let less = try Model([EntityDescription("Cocktail", properties: [.attribute(Attribute("id", .uuid))])])
    #expect(try id(of: try open(path, less)) == "CCCCCCCC-CCCC-CCCC-CCCC-CCCCCCCCCCCC")
    #expect(
      fact { try open(path, less, readOnly: false) }
        == .coreDataNotWritable(.otherColumns(["ZCOCKTAIL.ZID", "ZCOCKTAIL.ZPERSON"])))
  }

  @Test func aModelThatLacksAListWithoutColumnsWritesTheHistoryOfTheStoresOwnModel() throws {
    var fixture = CoreDataFixture(try CoreDataShapes.library(), history: .strings)
    fixture.keepsModel = true
    let path = try fixture.make(in: folder)
    // The list of an author's books has no column, and a bit of the history.
    let descriptions = fixture.model.descriptions.map { entity in
      var entity = entity
      entity.properties.removeAll { entity.name == "Author" && $0.name == "books" }
      entity.properties = entity.properties.map { property in
        guard case .relationship(var relationship) = property, relationship.name == "author" else { return property }
        relationship.inverse = nil
        return .relationship(relationship)
      }
      return entity
    }
    let store = try open(path, try Model(descriptions), readOnly: false)
    let author = try #require(store.model.entity(named: "Author"))
    let columns = store.layout(of: author).columns
    let key = try store.insert(author, columns.map { _ in .null })
    let born = try #require(columns.firstIndex { $0.name == "ZBORN" })
    #expect(try store.update(author, key: key, [(born, .date(Timestamp(0)))]))
    #expect(try store.history(HistoryRequest()).flatMap(\.changes).last?.updatedProperties == ["born"])
    store.close()
    // Of alias, books, born, edited and editor the third.
    #expect(try sqlite3(path, "SELECT hex(ZCOLUMNS) FROM ACHANGE WHERE ZCHANGETYPE = 1") == "20")
  }

  @Test func aModelWithOtherRelationshipsIsOnlyRead() throws {
    func toOne(_ name: String, _ destination: String, _ inverse: String?) -> Property {
      var relationship = Relationship(toOne: name, destination, inverse: inverse)
      relationship.isUnidirectional = inverse == nil
      return .relationship(relationship)
    }
    func model(_ inverse: String, friend: String = "Woman") throws -> Model {
      try Model([
        EntityDescription("Man", properties: [toOne("wife", "Woman", inverse), toOne("friend", friend, nil)]),
        EntityDescription(
          "Woman",
          properties: [
            toOne("husband", "Man", inverse == "husband" ? "wife" : nil),
            toOne("sister", "Man", inverse == "sister" ? "wife" : nil),
          ]),
      ])
    }
    var fixture = CoreDataFixture(try model("husband"))
    fixture.keepsModel = true
    let path = try fixture.make(in: folder)
    try open(path, try model("husband"), readOnly: false).close()
    #expect(
      fact { try open(path, try model("sister"), readOnly: false) }
        == .coreDataNotWritable(.otherColumns(["Man.wife", "Woman.sister"])))
    let elsewhere = try model("husband", friend: "Man")
    #expect(
      fact { try open(path, elsewhere, readOnly: false) } == .coreDataNotWritable(.otherColumns(["ZMAN.ZFRIEND"])))
    #expect(try open(path, elsewhere).notes.count == 1)
  }
}

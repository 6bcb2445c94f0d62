import Foundation
import Modeling
import TestSupport
import Testing

@testable import Storage

@Suite struct CoreDataWritabilityTests {
  private func obstacle(_ configure: (inout CoreDataFixture) -> Void, model: Model? = nil) throws -> StoreError.Fact? {
    let folder = try TemporaryFolder()
    var fixture = CoreDataFixture(try CoreDataShapes.library())
    configure(&fixture)
    let path = try fixture.make(in: folder)
    var options = fixture.options(path)
    if let model { options.model = model }
    #expect(throws: Never.self) { try SQLiteStore(fixture.options(path, readOnly: true)) }
    return fact { try SQLiteStore(options) }
  }

  @Test func whatCannotBeKeptIsRefusedBeforeAnythingIsWritten() throws {
    #expect(try obstacle { _ in } == nil)
    #expect(
      try obstacle { $0.extra = "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY);" }
        == .coreDataNotWritable(.cloudKit))
    #expect(try obstacle { $0.frameworkVersion = 9000 } == .coreDataNotWritable(.unknownFramework(9000)))
    #expect(try obstacle { $0.frameworkVersion = nil } == .coreDataNotWritable(.unknownFramework(nil)))
    let trigger = """
      CREATE TRIGGER t AFTER INSERT ON ZSHELF BEGIN UPDATE ZSHELF SET ZNAME = NSCoreDataCanonical(NEW.ZNAME); END;
      """
    #expect(
      try obstacle { $0.extra = trigger }
        == .coreDataNotWritable(.unknownFunction("NSCoreDataCanonical", trigger: "t")))
    let other = try Model([EntityDescription("Shelf", properties: [.attribute(Attribute("name", .string))])])
    #expect(
      try obstacle({ _ in }, model: other)
        == .coreDataNotWritable(
          .otherModel(missing: ["Author", "Book", "GraphicNovel", "Page", "Review", "Writer"], unknown: [])))
  }

  @Test func aModelReadOffTheTablesIsNotEnough() throws {
    let folder = try TemporaryFolder()
    var options = StoreOptions(path: try CoreDataFixture(try CoreDataShapes.library()).make(in: folder))
    options.writesCoreData = true
    #expect(fact { try SQLiteStore(options) } == .coreDataNotWritable(.noModel))
  }

  @Test func entitiesThatTheFileHasNoPlaceForAreOnlyRead() throws {
    let folder = try TemporaryFolder()
    let fixture = CoreDataFixture(try CoreDataShapes.library())
    let path = try fixture.make(in: folder)
    var descriptions = fixture.model.entities.map(\.description)
    let shelf = try #require(descriptions.firstIndex { $0.name == "Shelf" })
    descriptions[shelf].properties.append(.attribute(Attribute("width", .double)))
    let page = try #require(descriptions.firstIndex { $0.name == "Page" })
    var derived = Attribute("title", .string)
    derived.renamingIdentifier = "text"
    derived.derivation = "book.title"
    descriptions[page].properties[1] = .attribute(derived)
    var options = fixture.options(path)
    options.model = try Model(descriptions)
    let store = try SQLiteStore(options)
    func insertion(_ name: String) throws -> StoreError.Fact? {
      let entity = try #require(store.model.entity(named: name))
      return fact { try store.insert(entity, [Value](repeating: .null, count: store.layout(of: entity).columns.count)) }
    }
    #expect(try insertion("Shelf") == .coreDataNotWritable(.missingProperties(entity: "Shelf", properties: ["width"])))
    #expect(try insertion("Page") == .coreDataNotWritable(.derivedAttribute(entity: "Page", attribute: "title")))
    #expect(try insertion("Review") == nil)
  }

  @Test func transactionsThatChangeTablesAreUndone() throws {
    let folder = try TemporaryFolder()
    let fixture = CoreDataFixture(try CoreDataShapes.library())
    let store = try fixture.open(try fixture.make(in: folder))
    #expect(
      fact { try store.sql("INSERT INTO ZSHELF (Z_PK, Z_ENT) VALUES (1, 5); ALTER TABLE ZSHELF ADD COLUMN x") }
        == .coreDataNotWritable(.unknownChanges))
    #expect(try sqlite3(store.path, "SELECT count(*) FROM ZSHELF") == "0")
  }

  /// What stands against writing a store of the library with a model that differs from it in one entity.
  private func obstacle(
    to change: @escaping (inout EntityDescription) -> Void, of name: String
  ) throws -> StoreError.Fact? {
    let folder = try TemporaryFolder()
    let fixture = CoreDataFixture(try CoreDataShapes.library())
    let path = try fixture.make(in: folder)
    var descriptions = fixture.model.entities.map(\.description)
    let index = try #require(descriptions.firstIndex { $0.name == name })
    change(&descriptions[index])
    var options = fixture.options(path)
    options.model = try Model(descriptions)
    return fact { try SQLiteStore(options) }
  }

  @Test func aModelThatKnowsLessThanTheFileIsNotEnough() throws {
    func without(_ property: String) -> (inout EntityDescription) -> Void {
      { $0.properties.removeAll { $0.name == property } }
    }
    #expect(try obstacle(to: without("text"), of: "Page") == .coreDataNotWritable(.otherColumns(["ZPAGE.ZTEXT"])))
    #expect(
      try obstacle(to: { $0.properties.removeAll { ["editor", "edited"].contains($0.name) } }, of: "Author")
        == .coreDataNotWritable(.otherColumns(["ZWRITER.ZEDITOR", "ZWRITER.Z_FOK_EDITOR"])))
    #expect(
      try obstacle(
        to: { $0.properties = $0.properties.map { $0.name == "shelves" ? Self.unordered($0) : $0 } }, of: "Book")
        == .coreDataNotWritable(.otherColumns(["Z_1SHELVES.Z_FOK_5SHELVES"])))
    #expect(try obstacle(to: { $0.userInfo = ["a": "b"] }, of: "Page") == nil)
  }

  private static func unordered(_ property: Property) -> Property {
    guard case .relationship(var relationship) = property else { return property }
    relationship.isOrdered = false
    return .relationship(relationship)
  }

  @Test func aModelThatTakesColumnsForSomethingElseIsNotEnough() throws {
    let app = try AppStore()
    var descriptions = try app.open().model.descriptions
    func change(_ name: String, _ body: (inout Attribute) -> Void) throws {
      let entity = try #require(descriptions.firstIndex { $0.name == "Recipe" })
      let index = try #require(descriptions[entity].properties.firstIndex { $0.name == name })
      guard case .attribute(var attribute) = descriptions[entity].properties[index] else { return }
      body(&attribute)
      descriptions[entity].properties[index] = .attribute(attribute)
    }
    func obstacle() throws -> StoreError.Fact? {
      var options = StoreOptions(path: app.path)
      options.model = try Model(descriptions)
      options.writesCoreData = true
      return fact { try SQLiteStore(options) }
    }
    #expect(try obstacle() == nil)
    try change("photo") { $0.allowsExternalBinaryDataStorage = false }
    #expect(try obstacle() == .coreDataNotWritable(.otherColumns(["ZRECIPE.ZPHOTO"])))
    try change("photo") { $0.allowsExternalBinaryDataStorage = true }
    try change("rating") { $0 = Attribute("rating", .integer64) }
    #expect(try obstacle() == .coreDataNotWritable(.otherColumns(["ZRECIPE.ZRATING"])))
  }
}

import Foundation
import Modeling
import ObjectGraph
import StoreErrors
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

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
    #expect(try obstacle { $0.frameworkVersion = nil } == .coreDataNotWritable(.unknownFramework(nil, nil)))
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

  @Test func aLaterVersionIsWrittenWhereNothingOfItIsUnknown() throws {
    let folder = try TemporaryFolder()
    for history in [CoreDataFixture.History.none, .plain, .strings] {
      var fixture = CoreDataFixture(try CoreDataShapes.library(), history: history)
      fixture.frameworkVersion = 1518
      fixture.extra = "CREATE TABLE notes (a); CREATE VIRTUAL TABLE found USING fts5(a);"
      let store = try fixture.open(try fixture.make(in: folder, "\(history).sqlite"))
      #expect(store.notes.contains { $0.hasPrefix("Version 1518 of Core Data wrote the store") })
      _ = try store.sql("INSERT INTO ZSHELF (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 5, 1, 'a')")
      #expect(try store.verify().isEmpty)
    }
    let known = CoreDataFixture(try CoreDataShapes.library())
    #expect(try known.open(try known.make(in: folder, "known.sqlite")).notes.isEmpty)
  }

  @Test func whatNoKnownVersionMakesIsOnlyRead() throws {
    func unknown(_ configure: (inout CoreDataFixture) -> Void) throws -> CoreDataNovelty? {
      let fact = try obstacle {
        $0.frameworkVersion = 1518
        configure(&$0)
      }
      guard case .coreDataNotWritable(.unknownFramework(1518, let novelty)) = fact else { return nil }
      return novelty
    }
    #expect(try unknown { $0.extra = "CREATE TABLE Z_LATER (a);" } == .table("Z_LATER"))
    #expect(try unknown { $0.extra = "CREATE TABLE ALATER (Z_PK, Z_ENT, Z_OPT);" } == .table("ALATER"))
    #expect(try unknown { $0.extra = "ALTER TABLE ZSHELF ADD COLUMN ZLATER BLOB;" } == .column("ZSHELF.ZLATER"))
    #expect(try unknown { $0.extra = "ALTER TABLE Z_1SHELVES ADD COLUMN L;" } == .column("Z_1SHELVES.L"))
    #expect(try unknown { $0.extra = "ALTER TABLE Z_METADATA ADD COLUMN L;" } == .column("Z_METADATA.L"))
    #expect(try unknown { $0.hashesVersion = 4 } == .hashes(version: 4))
    #expect(try obstacle { $0.hashesVersion = 4 } == nil)
  }

  /// A full-text table of shelves, as apps keep it beside Core Data's.
  private static let search = """
    CREATE VIRTUAL TABLE search USING fts5(name);
    CREATE TRIGGER search_in AFTER INSERT ON ZSHELF BEGIN
      INSERT INTO search (rowid, name) VALUES (NEW.Z_PK, NEW.ZNAME); END;
    CREATE TRIGGER search_to AFTER UPDATE ON ZSHELF BEGIN
      UPDATE search SET name = NEW.ZNAME WHERE rowid = NEW.Z_PK; END;
    CREATE TRIGGER search_out AFTER DELETE ON ZSHELF BEGIN DELETE FROM search WHERE rowid = OLD.Z_PK; END;
    """

  @Test func aFullTextTableThatTriggersKeepIsWrittenAlong() throws {
    let folder = try TemporaryFolder()
    var fixture = CoreDataFixture(try CoreDataShapes.library(), history: .strings)
    fixture.extra = Self.search
    let path = try fixture.make(in: folder)
    let store = try fixture.open(path)
    func found(_ text: String) throws -> String { try sqlite3(path, "SELECT rowid FROM search('\(text)')") }
    let context = ObjectContext(store: store)
    let shelf = try context.insert(try #require(store.model.entity(named: "Shelf")))
    let name = try #require(shelf.entity.index(of: "name"))
    for text in ["tall", "wide"] {
      try shelf.setAttribute(at: name, .string(text))
      try context.save()
      #expect(try found(text) == "1" && found(text == "tall" ? "wide" : "tall") == "")
      #expect(fact { try store.reverseSave(.undo) } == .notUndoable(.virtualTable("search")))
    }
    #expect(try store.verify().isEmpty)
    #expect(try sqlite3(path, "SELECT count(*) FROM ACHANGE; SELECT Z_OPT FROM ZSHELF") == "2\n2")
    let diagnosis = StoreDiagnosis(store)
    #expect(diagnosis.obstacle == nil && diagnosis.virtualTables == ["search"])
    #expect(diagnosis.foreignTriggers == ["search_in", "search_out", "search_to"])
  }

  @Test func triggersThatCannotRunOrBeFollowedAreToldBeforeTheFirstChange() throws {
    func found(_ extra: String) throws -> CoreDataObstacle? {
      let folder = try TemporaryFolder()
      var fixture = CoreDataFixture(try CoreDataShapes.library())
      fixture.extra = extra
      let path = try fixture.make(in: folder)
      let reading = try fixture.open(path, readOnly: true)
      let told = StoreDiagnosis(reading).obstacle
      #expect(fact { try fixture.open(path) } == told.map { .coreDataNotWritable($0) })
      return told
    }
    let needs = "CREATE TRIGGER t AFTER UPDATE OF ZNAME ON ZSHELF BEGIN SELECT stem(NEW.ZNAME); END;"
    #expect(try found(needs) == .notCompiled(table: "ZSHELF", reason: "no such function: stem"))
    let gone = "CREATE TRIGGER t AFTER DELETE ON Z_1SHELVES BEGIN INSERT INTO gone VALUES (1); END;"
    #expect(try found(gone) == .notCompiled(table: "Z_1SHELVES", reason: "no such table: main.gone"))
    let log = "CREATE TABLE log (rowid, oid, _rowid_);"
    let writes = "CREATE TRIGGER t AFTER INSERT ON ZSHELF BEGIN INSERT INTO log VALUES (1, 2, 3); END;"
    #expect(try found(log + writes) == .untraceable(table: "log", trigger: "t"))
    #expect(try found("CREATE TABLE log (a);" + writes.replacing("1, 2, 3", with: "1")) == nil)
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

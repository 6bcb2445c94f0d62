import Foundation
import Modeling
import Queries
import TestSupport
import Testing

@testable import Storage

@Suite struct CoreDataPlacementTests {
  @Test func aColumnWithADigitIsOnlyOfItsNameWhereAnotherHasTheName() throws {
    let app = try AppStore()
    _ = try sqlite3(app.path, "ALTER TABLE ZSTEP ADD COLUMN ZNOTE2 VARCHAR; UPDATE ZSTEP SET ZNOTE2 = 'other'")
    var options = StoreOptions(path: app.path)
    options.model = try Model([
      EntityDescription("Step", properties: ["note", "text"].map { .attribute(Attribute($0, .string)) })
    ])
    let store = try SQLiteStore(options)
    #expect(store.model.entity(named: "Step")?.index(of: "note") == nil)
    #expect(store.notes.contains { $0.hasPrefix("Step.note: ") })
    #expect(try store.values("text", of: "Step").first == .string("Stir flour, eggs and milk"))
  }

  @Test func propertiesOfOneNameInTwoBranchesHaveColumnsOfTheirOwn() throws {
    let folder = try TemporaryFolder()
    func entity(_ name: String, _ type: AttributeType) -> EntityDescription {
      EntityDescription(name, parent: "Root", properties: [.attribute(Attribute("value", type))])
    }
    let model = try Model([
      EntityDescription("Root"), entity("A", .string), entity("B", .string), entity("C", .double),
    ])
    let fixture = CoreDataFixture(model)
    let store = try fixture.open(try fixture.make(in: folder), readOnly: true)
    let columns = try ["A", "B", "C"].map { name in
      try #require(store.model.entity(named: name).map { store.layout(of: $0).columns.map(\.name) })
    }
    #expect(columns == [["ZVALUE"], ["ZVALUE1"], ["ZVALUE2"]])
    // Whoever comes first, the types tell.
    let other = folder.file("Other.sqlite")
    try FileManager.default.copyItem(atPath: store.path, toPath: other)
    let renames = [("ZVALUE2", "ZV"), ("ZVALUE", "ZVALUE2"), ("ZV", "ZVALUE")]
    let sql = renames.map { "ALTER TABLE ZROOT RENAME COLUMN \($0) TO \($1);" }.joined(separator: " ")
    #expect(try sqlite3(other, sql) == "")
    let moved = try fixture.open(other, readOnly: true)
    let entity = try #require(moved.model.entity(named: "C"))
    #expect(moved.layout(of: entity).columns.map(\.name) == ["ZVALUE"])
    #expect(moved.notes.isEmpty)
  }

  @Test func configurationsStay() throws {
    let folder = try TemporaryFolder()
    let library = try CoreDataShapes.library()
    let path = try CoreDataFixture(library).make(in: folder)
    var options = StoreOptions(path: path)
    options.model = try Model(library.descriptions, configurations: ["Cloud": ["Page", "Shelf"]])
    _ = try sqlite3(path, "DROP TABLE ZSHELF; DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Shelf'")
    #expect(try SQLiteStore(options).model.configurations == ["Cloud": ["Page"]])
  }

  @Test func filesOfLargeValuesAreBesideTheFileThatALinkLeadsTo() throws {
    let app = try AppStore()
    let elsewhere = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: elsewhere.file("a.sqlite"), withDestinationPath: app.path)
    let store = try SQLiteStore(StoreOptions(path: elsewhere.file("a.sqlite")))
    #expect(try store.values("photo", of: "Recipe") == app.open().values("photo", of: "Recipe"))
    #expect(try store.verify().isEmpty)
  }
}

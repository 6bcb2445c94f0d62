import Foundation
import Modeling
import ObjectGraph
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct CoreDataVerificationTests {
  /// A store with an object of each kind that keeps all rules.
  private static func make(in folder: TemporaryFolder) throws -> (CoreDataFixture, String) {
    let fixture = CoreDataFixture(try CoreDataShapes.library(), history: .strings)
    let path = try fixture.make(in: folder)
    let store = try fixture.open(path)
    let context = ObjectContext(store: store)
    func insert(_ name: String, _ values: [String: Value] = [:]) throws -> ManagedObject {
      let object = try context.insert(try #require(store.model.entity(named: name)))
      for (name, value) in values { try object.setAttribute(at: try #require(object.entity.index(of: name)), value) }
      return object
    }
    func set(_ object: ManagedObject, _ name: String, _ members: [ManagedObject]) throws {
      try object.setMembers(at: try #require(object.entity.index(of: name)), members)
    }
    let large = Value.data([UInt8](repeating: 1, count: 150_000))
    let book = try insert("GraphicNovel", ["title": .string("a"), "isbn": .string("1"), "cover": large])
    let other = try insert("Book", ["title": .string("b"), "isbn": .string("2")])
    try set(book, "pages", [insert("Page"), insert("Page")])
    try set(book, "shelves", [insert("Shelf"), insert("Shelf")])
    try set(other, "reviews", [insert("Review")])
    try set(try insert("Author"), "books", [book, other])
    try context.save()
    return (fixture, path)
  }

  @Test func aStoreThatKeepsTheRulesHasNoProblems() throws {
    let folder = try TemporaryFolder()
    let (fixture, path) = try Self.make(in: folder)
    #expect(try fixture.open(path, readOnly: true).verify().isEmpty)
  }

  /// A statement that breaks a rule, and which.
  private static let damages: [(sql: String, rule: StoreProblem.Rule, table: String)] = [
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Page'", .highestKey, "Z_PRIMARYKEY"),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'CHANGE'", .highestKey, "Z_PRIMARYKEY"),
    ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 3 WHERE Z_NAME = 'Author'", .entityNumber, "Z_PRIMARYKEY"),
    ("UPDATE ZPAGE SET Z_ENT = 1 WHERE Z_PK = 1", .entity, "ZPAGE"),
    ("UPDATE ZSHELF SET Z_ENT = NULL WHERE Z_PK = 1", .entity, "ZSHELF"),
    ("UPDATE ZPAGE SET Z_OPT = NULL WHERE Z_PK = 1", .version, "ZPAGE"),
    ("UPDATE ZREVIEW SET ZCRITIC = 99", .destination, "ZREVIEW"),
    ("UPDATE ZREVIEW SET Z1REVIEWS = 99", .destination, "ZREVIEW"),
    ("UPDATE ZPAGE SET Z1_BOOK = 1 WHERE Z_PK = 2", .destinationEntity, "ZPAGE"),
    ("UPDATE ZPAGE SET Z_FOK_BOOK = NULL WHERE Z_PK = 2", .order, "ZPAGE"),
    ("UPDATE ZPAGE SET Z_FOK_BOOK = 2048", .order, "ZPAGE"),
    ("UPDATE Z_1SHELVES SET Z_FOK_5SHELVES = 2048", .order, "Z_1SHELVES"),
    ("UPDATE Z_1SHELVES SET Z_5SHELVES = 99 WHERE rowid = 1", .pair, "Z_1SHELVES"),
    ("UPDATE ZBOOK SET ZTITLE = NULL WHERE Z_PK = 1", .mandatory, "ZBOOK"),
    ("UPDATE ZPAGE SET ZNUMBER = 40000", .type, "ZPAGE"),
    ("UPDATE ZPAGE SET ZNUMBER = 'x'", .type, "ZPAGE"),
    ("UPDATE ZPAGE SET ZTEXT = X'FF'", .type, "ZPAGE"),
    ("UPDATE ZBOOK SET ZISRARE = 2", .type, "ZBOOK"),
    ("UPDATE ZBOOK SET ZPUBLISHEDAT = '2020-01-01'", .type, "ZBOOK"),
    ("UPDATE ZBOOK SET ZPRICE = 'dear'", .type, "ZBOOK"),
    ("UPDATE ZBOOK SET ZUUID = X'00'", .type, "ZBOOK"),
    ("UPDATE ZBOOK SET ZTAGS = 'a'", .type, "ZBOOK"),
    ("UPDATE ZBOOK SET ZWIDTH = 'wide'", .type, "ZBOOK"),
    ("UPDATE ZBOOK SET ZISCOLOURED = 1.5", .type, "ZBOOK"),
    ("DROP INDEX Z_Book_UNIQUE_isbn; UPDATE ZBOOK SET ZISBN = '1'", .unique, "ZBOOK"),
    ("UPDATE ZBOOK SET ZPAGESCOUNT = 7 WHERE Z_PK = 1", .count, "ZBOOK"),
    ("UPDATE ZBOOK SET ZCOVER = NULL", .externalData, ""),
    (
      "UPDATE ZBOOK SET ZCOVER = CAST(X'02' || '00000000-0000-4000-8000-000000000000' || X'00' AS BLOB) WHERE ZCOVER IS NULL",
      .externalData, "ZBOOK"
    ),
    ("DELETE FROM ATRANSACTION", .history, "ACHANGE"),
    ("UPDATE ACHANGE SET ZENTITY = 77 WHERE Z_PK = 1", .history, "ACHANGE"),
    ("DELETE FROM ATRANSACTIONSTRING", .history, "ATRANSACTION"),
  ]

  @Test(arguments: damages.indices) func whatBreaksARuleIsTold(number: Int) throws {
    let (sql, rule, table) = Self.damages[number]
    let folder = try TemporaryFolder()
    let (fixture, path) = try Self.make(in: folder)
    #expect(try sqlite3(path, sql) == "")
    let problems = try fixture.open(path, readOnly: true).verify()
    #expect(problems.contains { $0.rule == rule && $0.table == table }, "\(sql): \(problems)")
    #expect(problems.allSatisfy { $0.rule == rule || [.destination, .count, .inverse, .pair].contains($0.rule) })
  }

  @Test func inverseToOnesMustAgree() throws {
    let folder = try TemporaryFolder()
    let model = try Model([
      EntityDescription("A", properties: [.relationship(Relationship(toOne: "b", "B", inverse: "a"))]),
      EntityDescription("B", properties: [.relationship(Relationship(toOne: "a", "A", inverse: "b"))]),
    ])
    let fixture = CoreDataFixture(model)
    let path = try fixture.make(in: folder)
    let store = try fixture.open(path)
    let context = ObjectContext(store: store)
    let (a, b) = (try context.insert(store.model.entities[0]), try context.insert(store.model.entities[1]))
    try a.setRelated(at: 0, to: b)
    try context.save()
    #expect(try sqlite3(path, "SELECT ZB FROM ZA; SELECT ZA FROM ZB") == "1\n1")
    #expect(try store.verify().isEmpty)
    #expect(try sqlite3(path, "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (2, 1, 1); UPDATE ZB SET ZA = 2") == "")
    #expect(try store.verify().map(\.rule).contains(.inverse))
    // Apple's own apps leave one end empty.
    #expect(try sqlite3(path, "UPDATE ZB SET ZA = NULL") == "")
    #expect(try store.verify().map(\.rule).contains(.inverse) == false)
  }

  @Test(.enabled(if: RealStore.areThere, "needs ../shared/stores"), arguments: RealStore.allCases)
  func storesOfApplesFrameworkKeepTheRules(real: RealStore) throws {
    let folder = try TemporaryFolder()
    let problems = try RealStore.open(try real.copy(into: folder), readOnly: true).verify()
    #expect(problems.isEmpty, "\(problems.prefix(5))")
  }

  @Test func storesOfOurOwnAreHeldAgainstTheirForeignKeys() throws {
    let folder = try TemporaryFolder()
    var options = StoreOptions(path: folder.file("own.sqlite"))
    options.create = true
    options.model = try CoreDataShapes.library()
    let store = try SQLiteStore(options)
    #expect(try store.verify().isEmpty)
    let page = try #require(store.model.entity(named: "Page"))
    let layout = store.layout(of: page)
    let column = try #require(layout.columns.first { $0.type == .any || $0.name.contains("book") }).name
    _ = try store.sql("PRAGMA foreign_keys = OFF; INSERT INTO \(layout.table) (\(column)) VALUES (9)")
    #expect(try store.verify().map(\.rule) == [.foreignKey])
  }
}

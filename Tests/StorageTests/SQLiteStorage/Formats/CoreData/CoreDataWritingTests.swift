import Foundation
import Modeling
import ObjectGraph
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite struct CoreDataWritingTests {
  let folder: TemporaryFolder
  let fixture: CoreDataFixture
  let path: String
  let store: SQLiteStore
  let context: ObjectContext

  init() throws {
    folder = try TemporaryFolder()
    fixture = CoreDataFixture(try CoreDataShapes.library())
    path = try fixture.make(in: folder)
    store = try fixture.open(path)
    context = ObjectContext(store: store)
  }

  func entity(_ name: String) throws -> Entity { try #require(store.model.entity(named: name)) }

  func insert(_ name: String, _ values: [String: Value] = [:]) throws -> ManagedObject {
    let entity = try entity(name)
    let object = try context.insert(entity)
    for (name, value) in values { try object.setAttribute(at: try #require(entity.index(of: name)), value) }
    return object
  }

  func set(_ object: ManagedObject, _ name: String, to other: ManagedObject?) throws {
    try object.setRelated(at: try #require(object.entity.index(of: name)), to: other)
  }

  func set(_ object: ManagedObject, _ name: String, members: [ManagedObject]) throws {
    try object.setMembers(at: try #require(object.entity.index(of: name)), members)
  }

  func sql(_ text: String) throws -> String { try sqlite3(path, text) }

  @Test func valuesAreKeptInTheFormsOfCoreData() throws {
    let uuid = try #require(UUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F10"))
    _ = try insert(
      "Book",
      [
        "title": .string("Emma"), "price": .decimal(Decimal(string: "10.5") ?? 0),
        "publishedAt": .date(Timestamp(978_307_201.5)),
        "uuid": .uuid(uuid), "rating": .double(4), "copies": .int(3), "isRare": .bool(true),
        "site": .url("https://a.b"),
        "cover": .data([9, 8]), "stamp": .data([7]),
        "size": .json(.object(["width": .double(1.5), "height": .double(2.5)])),
      ])
    try context.save()
    #expect(
      try sql(
        """
        SELECT Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPRICE, typeof(ZPRICE), ZPUBLISHEDAT, hex(ZUUID), typeof(ZRATING), ZCOPIES, ZISRARE,
          ZSITE, hex(ZCOVER), hex(ZSTAMP), ZWIDTH, ZHEIGHT, ZPAGESCOUNT FROM ZBOOK
        """)
        == "1|1|1|Emma|10.5|real|1.5|0102030405060708090A0B0C0D0E0F10|real|3|1|https://a.b|010908|07|1.5|2.5|0")
    #expect(try store.verify().isEmpty)
    let read = try fixture.open(path, readOnly: true)
    let entity = try #require(read.model.entity(named: "Book"))
    let reading = ObjectContext(store: read)
    let book = try #require(try reading.first(FetchRequest(entity)))
    func value(_ name: String) throws -> Value { try book.attribute(at: try #require(book.entity.index(of: name))) }
    #expect(try value("uuid") == .uuid(uuid))
    #expect(try value("publishedAt") == .date(Timestamp(978_307_201.5)))
    #expect(try value("cover") == .data([9, 8]))
    #expect(try value("size") == .json(.object(["width": .double(1.5), "height": .double(2.5)])))
  }

  @Test func keysAreNeverGivenTwiceEvenWhereTheHighestOneIsWrong() throws {
    _ = try insert("Shelf")
    try context.save()
    #expect(
      try sql("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Shelf'; INSERT INTO ZSHELF VALUES (7, 5, 1, 'x')")
        == "")
    let shelf = try insert("Shelf")
    try context.save()
    #expect(shelf.objectID.key == 8)
    #expect(try sql("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Shelf'") == "8")
    try shelf.delete()
    try context.save()
    let next = try insert("Shelf")
    try context.save()
    #expect(next.objectID.key == 9)
  }

  @Test func versionsCountSavesOfAnObjectAndOfItsRelationships() throws {
    let (book, page) = (try insert("Book", ["title": .string("a")]), try insert("Page"))
    try set(page, "book", to: book)
    try context.save()
    let versions = "SELECT (SELECT Z_OPT FROM ZBOOK), (SELECT Z_OPT FROM ZPAGE)"
    #expect(try sql(versions) == "1|1")
    try book.setAttribute(at: try #require(book.entity.index(of: "title")), .string("b"))
    try book.setAttribute(at: try #require(book.entity.index(of: "copies")), .int(1))
    try context.save()
    #expect(try sql(versions) == "2|1")
    try set(page, "book", to: nil)
    try context.save()
    #expect(try sql(versions) == "3|2")
    try page.delete()
    try context.save()
    #expect(try sql(versions) == "3|")
  }

  @Test func theEntityOfADestinationIsNotedBesideIt() throws {
    let (novel, page) = (try insert("GraphicNovel", ["title": .string("Maus")]), try insert("Page"))
    try set(page, "book", to: novel)
    try context.save()
    #expect(try sql("SELECT ZBOOK, Z1_BOOK, Z_FOK_BOOK, (SELECT ZPAGESCOUNT FROM ZBOOK) FROM ZPAGE") == "1|2|2048|1")
    try set(page, "book", to: nil)
    try context.save()
    #expect(try sql("SELECT ZBOOK, Z1_BOOK, Z_FOK_BOOK, (SELECT ZPAGESCOUNT FROM ZBOOK) FROM ZPAGE") == "|||0")
    #expect(try store.verify().isEmpty)
  }

  @Test func membersKeepTheirOrderInSparsePlaces() throws {
    let book = try insert("Book", ["title": .string("a")])
    let pages = try (0..<4).map { try insert("Page", ["number": .int(Int64($0))]) }
    try set(book, "pages", members: pages)
    try context.save()
    let places = "SELECT group_concat(ZNUMBER || ':' || Z_FOK_BOOK) FROM (SELECT * FROM ZPAGE ORDER BY Z_FOK_BOOK)"
    #expect(try sql(places) == "0:2048,1:3072,2:4096,3:5120")
    try set(book, "pages", members: [pages[3], pages[0], pages[1], pages[2]])
    try context.save()
    #expect(try sql(places) == "3:1024,0:2048,1:3072,2:4096")
    #expect(try store.verify().isEmpty)
  }

  @Test func pairsHavePlacesOnBothSides() throws {
    let books = try ["a", "b"].map { try insert("Book", ["title": .string($0)]) }
    let shelves = try [insert("Shelf"), insert("Shelf")]
    try set(shelves[0], "books", members: [books[1], books[0]])
    try set(shelves[1], "books", members: [books[0]])
    try context.save()
    #expect(
      try sql("SELECT count(*), count(Z_FOK_1BOOKS), count(Z_FOK_5SHELVES) FROM Z_1SHELVES") == "3|3|3")
    #expect(try store.verify().isEmpty)
    try books[0].delete()
    try context.save()
    #expect(try sql("SELECT count(*) FROM Z_1SHELVES") == "1")
    #expect(try store.verify().isEmpty)
  }

  @Test func membersWithoutAnInverseHaveOneOwner() throws {
    let books = try ["a", "b"].map { try insert("Book", ["title": .string($0)]) }
    let reviews = try [insert("Review"), insert("Review")]
    try set(books[0], "reviews", members: reviews)
    try context.save()
    #expect(try sql("SELECT group_concat(Z1REVIEWS) FROM ZREVIEW") == "1,1")
    try set(books[1], "reviews", members: [reviews[0]])
    try context.save()
    #expect(try sql("SELECT Z1REVIEWS FROM ZREVIEW ORDER BY Z_PK") == "2\n1")
    try books[0].delete()
    try context.save()
    #expect(try sql("SELECT coalesce(Z1REVIEWS, 'none') FROM ZREVIEW ORDER BY Z_PK") == "2\nnone")
    #expect(try store.verify().isEmpty)
  }

  @Test func whatLeadsToADeletedRowIsEmptied() throws {
    let (author, editor) = (try insert("Author"), try insert("Author"))
    let review = try insert("Review")
    try set(review, "critic", to: author)
    try set(author, "editor", to: editor)
    try context.save()
    try store.transaction { _ = try store.delete(try entity("Author"), key: author.objectID.key) }
    try store.transaction { _ = try store.delete(try entity("Author"), key: editor.objectID.key) }
    #expect(try sql("SELECT ZCRITIC FROM ZREVIEW") == "")
    #expect(try store.verify().isEmpty)
  }

  @Test func cascadesCountersAndDenialsHold() throws {
    let book = try insert("Book", ["title": .string("a")])
    try set(book, "pages", members: [insert("Page"), insert("Page")])
    try context.save()
    try book.delete()
    try context.save()
    #expect(try sql("SELECT count(*) FROM ZPAGE") == "0")
    #expect(try store.verify().isEmpty)
  }

  @Test func uniqueValuesAreNamedAsProperties() throws {
    _ = try insert("Book", ["title": .string("a"), "isbn": .string("1")])
    try context.save()
    let book = try entity("Book")
    var values = [Value](repeating: .null, count: store.layout(of: book).columns.count)
    let isbn = try #require(store.layout(of: book).columns.firstIndex { $0.name == "ZISBN" })
    values[isbn] = .string("1")
    #expect(
      fact { try store.insert(book, values) }
        == .notUnique(entity: "Book", properties: ["isbn"], values: [.string("1")]))
    #expect(try sql("SELECT count(*), (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book') FROM ZBOOK") == "1|1")
  }

  @Test func archivesAreReadBackAndForeignTransformersRefused() throws {
    let json = JSON.object(["a": .array([.string("x"), .int(1), .bool(true)])])
    let book = try insert("Book", ["title": .string("a"), "tags": .json(json)])
    try context.save()
    #expect(try sql("SELECT hex(substr(ZTAGS, 1, 6)) FROM ZBOOK") == "62706C697374")
    let read = ObjectContext(store: try fixture.open(path, readOnly: true))
    let entity = try #require(read.store.model.entity(named: "Book"))
    let other = try #require(try read.existingObject(ObjectID(entity: entity, key: book.objectID.key)))
    #expect(try other.attribute(at: try #require(other.entity.index(of: "tags"))) == .json(json))
  }

  @Test func metadataStaysWhatItIs() throws {
    let metadata = "SELECT hex(Z_PLIST), Z_UUID FROM Z_METADATA"
    let before = try sql(metadata)
    _ = try insert("Shelf")
    try context.save()
    #expect(try sql(metadata) == before)
    #expect(try sql("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%perilune%'") == "0")
  }
}

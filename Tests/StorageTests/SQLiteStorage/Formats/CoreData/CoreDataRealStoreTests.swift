import Modeling
import Queries
import TestSupport
import Testing

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

@Suite(.enabled(if: RealStore.areThere, "there is no folder of real stores beside the package"))
struct CoreDataRealStoreTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func open(_ store: RealStore) throws -> SQLiteStore {
    try RealStore.open(try store.copy(into: folder), readOnly: true)
  }

  @Test func aStoreWithoutAModelFileIsRead() throws {
    let store = try open(.books)
    #expect(store.notes.count == 2 && store.notes.allSatisfy { $0.hasPrefix("Book.") }, "\(store.notes)")
    #expect(try store.keys("Book", "TRUEPREDICATE").count == 52)
    #expect(try store.keys("Page", "TRUEPREDICATE").count == 4970)
    #expect(try store.keys("Feedback", "TRUEPREDICATE").count == 444)
    #expect(try store.keys("Book", "pages.@count == pagesCount").count == 52)
    #expect(try store.keys("Page", "book.author.alias != nil").count == 4970)
    #expect(store.model.entity(named: "Writer")?.isAbstract == true)
    #expect(store.model.entity(named: "Book")?.property(named: "pagesCount")?.isWritable == false)
  }

  @Test(arguments: [RealStore.bookmarks3, .bookmarks5])
  func rowsThatAreOnlyInTheLogAreRead(file: RealStore) throws {
    let store = try open(file)
    #expect(store.notes.isEmpty, "\(store.notes)")
    #expect(try store.keys("BookmarkEntity", "TRUEPREDICATE").count == 10)
    #expect(try store.keys("BookmarkEntity", "ANY children.title != nil").isEmpty == false)
  }

  @Test func anEntityThatAMigrationRenamedIsFoundByItsFormerName() throws {
    let store = try open(.cars2)
    #expect(store.notes.isEmpty, "\(store.notes)")
    #expect(store.model.entity(named: "LuxuryCar") != nil)
    #expect(try store.keys("Car", "TRUEPREDICATE").count == 125)
    #expect(try store.keys("Person", "TRUEPREDICATE").count == 20)
  }
}

import Foundation
import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct FreshnessTests {
  @Test func cleanObjectsFollowOtherContexts() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    #expect(try book.get("pages") == .int(10))
    try rivals.their(book).set("pages", .int(12))
    try rivals.theirs.save()
    _ = try rivals.library.all("Book")
    #expect(try book.get("pages") == .int(12))
  }

  @Test func cleanObjectsFollowOtherConnections() throws {
    let path = TemporaryFolder.ofThisRun.appending(path: "\(UUID()).sqlite").path
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let library = try Library(path: path)
    let book = try library.shelve()
    let other = try Library(path: path)
    #expect(try book.get("pages") == .int(10))
    try other.all("Book")[0].set("pages", .int(12))
    try other.context.save()
    library.context.noticeRemoteWrites()
    #expect(try book.get("pages") == .int(12))
    try book.set("pages", .int(13))
    try other.all("Book")[0].set("title", .string("Theirs"))
    try other.context.save()
    #expect(caseName(#expect(throws: GraphError.self) { try library.context.save() }?.fact) == "conflicts")
    library.context.mergePolicy = .objectTrump
    try library.context.save()
    #expect(try library.rows("SELECT title, pages FROM book") == [[.string("Theirs"), .int(13)]])
    #expect(try book.get("title") == .string("Theirs"))
  }

  @Test func aSaveWithinALoopThatReadsAnOlderStateSaysSo() throws {
    let path = TemporaryFolder.ofThisRun.appending(path: "\(UUID()).sqlite").path
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let library = try Library(path: path)
    try library.shelve()
    let cursor = try library.context.cursor(FetchRequest(library.entity("Author")))
    let slot = try #require(try cursor.next())
    try ManagedObject(table: cursor.objects, slot: slot).set("name", .string("Mine"))
    let other = try Library(path: path)
    try other.all("Author")[0].set("name", .string("Theirs"))
    try other.context.save()
    do {
      try library.context.save()
      Issue.record("the save must fail")
    } catch let error as StoreError {
      #expect(error.fact == .cursorIsOutdated)
    }
    cursor.close()
    #expect(caseName(#expect(throws: GraphError.self) { try library.context.save() }?.fact) == "conflicts")
  }

  @Test func batchRequestsOfOthersAreFound() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    try book.set("title", .string("Mine"))
    let pages = try book.index("pages")
    #expect(try rivals.theirs.batchUpdate(FetchRequest(book.entity), [(pages, .int(5))]).count == 1)
    #expect(try rivals.save() == "Book/1 changed: pages 10 → - | 5")
    #expect(try rivals.theirs.batchDelete(FetchRequest(book.entity)).count == 1)
    #expect(try rivals.save() == "Book/1 deleted in store: title Emma → Mine | nil")
  }

  @Test func cleanObjectsKeepTheirValuesWhenTheyMustNotFollow() throws {
    let rivals = try Rivals()
    rivals.mine.automaticallyMergesChangesFromParent = false
    let book = try rivals.library.shelve()
    #expect(try book.get("pages") == .int(10))
    _ = try rivals.library.store.sql("UPDATE book SET pages = 12")
    _ = try rivals.library.all("Book")
    #expect(try book.get("pages") == .int(10))
    try book.set("title", .string("Mine"))
    #expect(try rivals.save() == "Book/1 changed: pages 10 → - | 12")
    try book.refresh(mergeChanges: false)
    #expect(try book.get("pages") == .int(12))
    _ = try rivals.library.store.sql("UPDATE book SET pages = 13")
    #expect(try book.get("pages") == .int(12))
    rivals.mine.refreshAllObjects()
    #expect(try book.get("pages") == .int(13))
    try book.set("pages", .int(14))
    try rivals.mine.save()
    _ = try rivals.library.store.sql("UPDATE book SET pages = 15")
    #expect(try book.get("pages") == .int(14))
  }

  @Test func refreshWithMergingKeepsTheChangesOnANewBase() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    try book.set("pages", .int(11))
    _ = try rivals.library.store.sql("UPDATE book SET title = 'Their', pages = 12")
    #expect(try book.get("title") == .string("Emma"))
    try book.refresh(mergeChanges: true)
    #expect(try book.get("title") == .string("Their") && book.get("pages") == .int(11))
    #expect(try rivals.save() == "saved")
    #expect(try rivals.books() == ["Their b1 11 1"])
  }

  @Test func refreshWithoutMergingDropsTheChanges() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    try book.set("pages", .int(11))
    _ = try rivals.library.store.sql("UPDATE book SET pages = 12")
    try book.refresh(mergeChanges: false)
    #expect(try book.get("pages") == .int(12) && !book.hasChanges)
    #expect(try rivals.save() == "saved")
    #expect(try rivals.books() == ["Emma b1 12 1"])
  }

  @Test(arguments: ["undo", "refresh", "refresh with merging"])
  func whatChangesNoMoreLeadsWhereOthersMovedIt(way: String) throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    rivals.mine.levelsOfUndo = 10
    let first = try #require(try book.one("author"))
    // A new member makes the list of members one with unsaved changes, which is kept.
    let new = try rivals.library.make("Book", ["title": .string("Mine")])
    try first.add("books", new)
    rivals.mine.closeUndoGroup()
    try book.set("pages", .int(11))
    let second = try #require(try rivals.theirs.fetch(FetchRequest(first.entity)).objectList().last)
    try rivals.their(book).setOne("author", second)
    try rivals.theirs.save()
    rivals.mine.noticeRemoteWrites()
    #expect(try first.many("books") == [book, new], "its changes are based on the row that was there")
    switch way {
    case "undo": #expect(try rivals.mine.undo())
    case "refresh": try book.refresh(mergeChanges: false)
    default: try book.refresh(mergeChanges: true)
    }
    #expect(try book.one("author")?.objectID == second.objectID)
    #expect(try first.many("books") == [new])
    #expect(try rivals.mine.checkInvariants() == [])
  }

  @Test func refreshAllObjectsLeavesChangedOnesAlone() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    let author = try #require(try book.one("author"))
    #expect(try author.get("name") == .string("A"))
    try book.set("pages", .int(11))
    _ = try rivals.library.store.sql("UPDATE author SET name = 'Z'; UPDATE book SET title = 'Their'")
    rivals.mine.refreshAllObjects()
    #expect(try author.get("name") == .string("Z"))
    #expect(try book.get("pages") == .int(11) && book.get("title") == .string("Emma"))
    #expect(try rivals.save() == "Book/1 changed: title Emma → - | Their")
  }

  @Test func aRolledBackObjectShowsTheStore() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    try book.set("pages", .int(11))
    _ = try rivals.library.store.sql("UPDATE book SET pages = 12")
    _ = try rivals.library.all("Author")
    rivals.mine.rollback()
    #expect(try book.get("pages") == .int(12))
    try book.set("pages", .int(13))
    #expect(try rivals.save() == "saved")
  }

  @Test func whatWasRolledBackInTheStoreIsNotKept() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    let store = rivals.library.store
    _ = try store.sql("BEGIN")
    _ = try store.sql("UPDATE book SET pages = 50")
    _ = try rivals.library.all("Book")
    #expect(try book.get("pages") == .int(50))
    _ = try store.sql("ROLLBACK")
    _ = try rivals.library.all("Book")
    #expect(try book.get("pages") == .int(10))
  }

  @Test func whatTriggersOfASaveDidIsSeen() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    #expect(try book.get("pages") == .int(10))
    _ = try rivals.library.store.sql(
      "CREATE TRIGGER lent AFTER INSERT ON loan BEGIN UPDATE book SET pages = pages + 1; END")
    _ = (try rivals.library.all("Book"), try book.get("pages"))
    try rivals.library.make("Loan", ["who": .string("x")]).setOne("book", book)
    try rivals.mine.save()
    #expect(try book.get("pages") == .int(11))
    try book.set("pages", .int(12))
    #expect(try rivals.save() == "saved")
  }

  @Test func nothingIsReadAgainWhenNobodyWrote() throws {
    let rivals = try Rivals()
    let book = try rivals.library.shelve()
    let author = try #require(try book.one("author"))
    _ = try author.get("name")
    let before = rivals.mine.statistics.rowsFaulted
    try book.set("pages", .int(11))
    try rivals.mine.save()
    _ = (try author.get("name"), try rivals.library.all("Author"))
    #expect(rivals.mine.statistics.rowsFaulted == before)
  }
}

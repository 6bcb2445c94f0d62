import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct ChildContextTests {
  let library: Library
  let parent: ObjectContext
  let child: ObjectContext

  init() throws {
    library = try Library()
    parent = library.context
    child = ObjectContext(parent: parent)
  }

  @Test func aChildSeesWhatIsUnsavedInItsParent() throws {
    let book = try library.make("Book", ["title": .string("One"), "code": .string("a")])
    try parent.save()
    try book.set("title", .string("Two"))
    let tag = try library.make("Tag", ["label": .string("x")])
    try tag.add("books", book)
    let seen = child.object(book.objectID)
    #expect(try seen.get("title") == .string("Two"))
    #expect(try seen.many("tags").map(\.objectID) == [tag.objectID])
    #expect(!seen.hasChanges)
    #expect(try child.fetch(request("Tag")).objectIDs == [tag.objectID])
    #expect(try child.count(request("Tag", "label = 'x'")) == 1)
    #expect(try child.count(request("Book", "title = 'One'")) == 0)
    let code = try #require(book.entity.index(of: "code"))
    #expect(try child.find(book.entity, where: [code], equal: [.string("a")])?.objectID == book.objectID)
    let cursor = try child.cursor(request("Book"))
    #expect(try cursor.next() == seen.slot)
  }

  /// The row with the key of one that was removed is another object in a child, too.
  @Test func aKeyThatIsUsedAgainIsThatOfTheNewObjectAlone() throws {
    let first = try library.make("Book", ["title": .string("One")])
    let seen = child.object(first.objectID)
    #expect(try seen.get("title") == .string("One"))
    try parent.save()
    let second = try library.make("Book", ["title": .string("Two")])
    let other = child.object(second.objectID)
    #expect(try other.get("title") == .string("Two"))
    let cursor = try library.store.sql("DELETE FROM book")
    while try cursor.step() {}
    cursor.close()
    try parent.save()
    #expect(other.objectID.key == 1)
    #expect(try child.checkInvariants() == [])
    #expect(child.object(second.objectID) == other)
  }

  @Test func whatAChildLinkedToAnObjectThatIsGoneIsNotLinkedToTheNextOneOfItsKey() throws {
    let book = try library.make("Book", ["title": .string("One")])
    let tag = try library.make("Tag", ["label": .string("a")])
    try parent.save()
    try child.object(book.objectID).add("tags", child.object(tag.objectID))
    _ = try library.rows("DELETE FROM tag")
    let next = try library.make("Tag", ["label": .string("b")])
    try parent.save()
    #expect(next.objectID.key == 1)
    #expect(try child.object(book.objectID).many("tags") == [])
    #expect(try child.checkInvariants() == [])
    try child.save()
    #expect(try book.many("tags") == [])
    #expect(try next.many("books") == [])
  }

  @Test func aMemberThatTheChildMovedElsewhereIsNoMemberWhatTheParentDoes() throws {
    let book = try library.make("Book", ["title": .string("One")])
    let (ada, bob) = (try library.make("Author"), try library.make("Author"))
    try parent.save()
    let mine = child.object(book.objectID)
    try mine.setOne("author", child.object(ada.objectID))
    try book.setOne("author", bob)
    #expect(try child.object(bob.objectID).many("books") == [])
    #expect(try child.object(ada.objectID).many("books") == [mine])
    #expect(try child.checkInvariants() == [])
  }

  @Test func savingAChildChangesTheParentAlone() throws {
    let book = try library.make("Book", ["title": .string("One")])
    try parent.save()
    let mine = child.object(book.objectID)
    try mine.set("title", .string("Two"))
    let author = try child.insert(library.entity("Author"))
    try mine.setOne("author", author)
    #expect(try book.get("title") == .string("One"))
    try child.save()
    #expect(!child.hasChanges)
    #expect(try book.get("title") == .string("Two"))
    #expect(try book.one("author")?.objectID == author.objectID)
    #expect(parent.insertedObjects.count == 1)
    #expect(try library.rows("SELECT title FROM book") == [[.string("One")]])
  }

  @Test func temporaryIDsBecomePermanentInChildrenToo() throws {
    let author = try child.insert(library.entity("Author"))
    try child.save()
    let book = try child.insert(library.entity("Book"))
    try book.set("title", .string("One"))
    try book.setOne("author", author)
    #expect(author.objectID.isTemporary)
    try parent.save()
    #expect(!author.objectID.isTemporary)
    #expect(try book.one("author") == author)
    try child.save()
    try parent.save()
    #expect(try library.rows("SELECT author_pk FROM book") == [[.int(author.objectID.key)]])
  }

  @Test func aGrandchildSavesOneLevelAtATime() throws {
    let grandchild = ObjectContext(parent: child)
    let tag = try grandchild.insert(library.entity("Tag"))
    try tag.set("label", .string("x"))
    try grandchild.save()
    #expect(child.hasChanges)
    #expect(!parent.hasChanges)
    try child.save()
    try parent.save()
    #expect(!tag.objectID.isTemporary)
    #expect(try tag.get("label") == .string("x"))
    #expect(try library.rows("SELECT label FROM tag") == [[.string("x")]])
  }

  @Test func deletionsFollowTheirRulesInTheParent() throws {
    let book = try library.make("Book", ["title": .string("One")])
    let loan = try library.make("Loan")
    try loan.setOne("book", book)
    try parent.save()
    try child.object(book.objectID).delete()
    #expect(!book.isDeleted)
    try child.save()
    #expect(book.isDeleted)
    #expect(loan.isDeleted)
    try parent.save()
    #expect(try library.rows("SELECT count(*) FROM loan") == [[.int(0)]])
  }

  @Test func whatIsInvalidStaysInTheChild() throws {
    let tag = try child.insert(library.entity("Tag"))
    let book = try child.insert(library.entity("Book"))
    #expect(caseName(#expect(throws: GraphError.self) { try child.save() }?.fact) == "invalid")
    #expect(!parent.hasChanges)
    #expect(tag.isInserted)
    #expect(book.isInserted)
  }

  @Test func whatTheParentDeletedCannotBeSavedByTheChild() throws {
    let book = try library.make("Book", ["title": .string("One")])
    try parent.save()
    let mine = child.object(book.objectID)
    try mine.set("title", .string("Two"))
    let tag = try child.insert(library.entity("Tag"))
    try book.delete()
    #expect(caseName(#expect(throws: GraphError.self) { try child.save() }?.fact) == "deletedObject")
    #expect(tag.isInserted)
    #expect(parent.insertedObjects.isEmpty)
    #expect(parent.deletedObjects == [book])
  }

  @Test func aChildsSaveIsOneGroupToTakeBackInTheParent() throws {
    let book = try library.make("Book", ["title": .string("One")])
    try parent.save()
    parent.levelsOfUndo = 10
    let mine = child.object(book.objectID)
    try mine.set("title", .string("Two"))
    try mine.add("tags", try child.insert(library.entity("Tag")))
    try child.save()
    #expect(try parent.undo())
    #expect(try book.get("title") == .string("One"))
    #expect(!parent.hasChanges)
    #expect(try mine.get("title") == .string("One"))
    #expect(try mine.many("tags").isEmpty)
  }

  @Test func aDryRunOfAChildTriesTheStoreAndChangesNothing() throws {
    let first = try library.make("Book", ["title": .string("One"), "code": .string("a")])
    try parent.save()
    let book = try child.insert(library.entity("Book"))
    try book.set("title", .string("Two"))
    try book.set("code", .string("a"))
    #expect(throws: (any Error).self) { try child.save(dryRun: true) }
    try book.set("code", .string("b"))
    try child.save(dryRun: true)
    #expect(child.hasChanges)
    #expect(!parent.hasChanges)
    #expect(try first.get("code") == .string("a"))
  }

  @Test func theOrderOfMembersIsTheChilds() throws {
    let book = try library.make("Book", ["title": .string("One")])
    let chapters = try (0..<3).map { try library.make("Chapter", ["title": .string("\($0)")]) }
    try book.setMembers(at: book.index("chapters"), chapters)
    try parent.save()
    let mine = child.object(book.objectID)
    let own = try mine.many("chapters")
    try mine.setMembers(at: mine.index("chapters"), [own[2], own[0], own[1]])
    try child.save()
    #expect(try book.many("chapters") == [chapters[2], chapters[0], chapters[1]])
    try parent.save()
    let other = library.reread()
    let titles = try withExtendedLifetime(other) {
      try other.object(book.objectID).many("chapters").map { try $0.get("title") }
    }
    #expect(titles == ["2", "0", "1"].map { .string($0) })
  }

  private func request(_ entity: String, _ predicate: String? = nil) throws -> FetchRequest {
    var request = FetchRequest(try library.entity(entity))
    request.predicate = try predicate.map { try Predicate.parse($0) }
    return request
  }
}

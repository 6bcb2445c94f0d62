import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct RelationshipTests {
  let library: Library
  init() throws { library = try Library() }

  @Test func bothSidesOfAOneToManyAreKept() throws {
    let author = try library.make("Author")
    let book = try library.make("Book", ["title": .string("one")])
    try author.add("books", book)
    #expect(try book.one("author") == author)
    let rival = try library.make("Author")
    try book.setOne("author", rival)
    #expect(try author.many("books").isEmpty)
    #expect(try rival.many("books") == [book])
    try library.context.save()
    #expect(try rival.many("books") == [book])
    try rival.remove("books", book)
    #expect(try book.one("author") == nil)
    #expect(try library.context.checkInvariants().isEmpty)
  }

  @Test func bothSidesOfAManyToManyAreKept() throws {
    let (one, two) = (
      try library.make("Book", ["title": .string("1")]), try library.make("Book", ["title": .string("2")])
    )
    let tag = try library.make("Tag", ["label": .string("t")])
    try one.add("tags", tag)
    try tag.add("books", two)
    #expect(try tag.many("books") == [one, two])
    try library.context.save()
    #expect(try two.many("tags") == [tag])
    try tag.remove("books", one)
    try library.context.save()
    let other = library.reread()
    let read = try other.fetch(FetchRequest(library.entity("Tag")))[0]
    #expect(try read.many("books").map { try $0.get("title") } == [.string("2")])
    #expect(try read.memberCount(at: read.index("books")) == 1)
  }

  @Test(arguments: [false, true])
  func aMemberOfAnOrderedRelationshipThatIsRemovedAndAddedAgainComesLast(fromItsSide: Bool) throws {
    let list = try library.make("ReadingList")
    let books = try ["a", "b", "c"].map { try library.make("Book", ["title": .string($0)]) }
    for book in books { try list.add("books", book) }
    try library.context.save()
    if fromItsSide {
      try books[0].remove("lists", list)
      try books[0].add("lists", list)
    } else {
      try list.remove("books", books[0])
      try list.add("books", books[0])
    }
    #expect(try list.many("books") == [books[1], books[2], books[0]])
    try library.context.save()
    let other = library.reread()
    let read = try other.fetch(FetchRequest(library.entity("ReadingList")))[0]
    #expect(try read.many("books").map { try $0.get("title") } == [.string("b"), .string("c"), .string("a")])
  }

  @Test func replacingMembersAddsAndRemoves() throws {
    let author = try library.make("Author")
    let books = try (1...3).map { try library.make("Book", ["title": .string("\($0)")]) }
    try author.setMembers(at: author.index("books"), Array(books[..<2]))
    try library.context.save()
    try author.setMembers(at: author.index("books"), Array(books[1...]))
    #expect(try books[0].one("author") == nil)
    #expect(try author.many("books") == [books[1], books[2]])
  }

  @Test func cascadeDeletesAndNullifyForgets() throws {
    let author = try library.make("Author")
    let book = try library.make("Book", ["title": .string("one")])
    try author.add("books", book)
    let loan = try library.make("Loan")
    try loan.setOne("book", book)
    try library.context.save()
    try book.delete()
    #expect(loan.isDeleted)
    #expect(try author.many("books").isEmpty)
    try library.context.save()
    #expect(
      try library.rows("SELECT (SELECT count(*) FROM book), (SELECT count(*) FROM loan)") == [[.int(0), .int(0)]])
  }

  @Test func denyIsAskedAtTheSave() throws {
    let club = try library.make("Club")
    let author = try library.make("Author")
    try author.setOne("club", club)
    try library.context.save()
    try club.delete()
    #expect(caseName(#expect(throws: GraphError.self) { try library.context.save() }?.fact) == "invalid")
    try author.delete()
    try library.context.save()
    #expect(try library.rows("SELECT count(*) FROM club") == [[.int(0)]])
  }

  @Test func deletingTheOneNullifiesTheMany() throws {
    let author = try library.make("Author")
    let book = try library.make("Book", ["title": .string("one")])
    try author.add("books", book)
    try library.context.save()
    try author.delete()
    try library.context.save()
    #expect(try book.one("author") == nil)
    #expect(try library.rows("SELECT author_pk FROM book") == [[.null]])
  }

  @Test func anObjectOfAnotherEntityIsRefused() throws {
    let book = try library.make("Book")
    #expect(caseName(#expect(throws: GraphError.self) { try book.setOne("author", book) }?.fact) == "wrongEntity")
  }

  @Test func aDeletedObjectIsRefused() throws {
    let author = try library.make("Author")
    let book = try library.make("Book", ["title": .string("One")])
    try author.delete()
    #expect(caseName(#expect(throws: GraphError.self) { try book.setOne("author", author) }?.fact) == "deletedObject")
    #expect(try book.one("author") == nil)
  }

  @Test func aRelationshipIsNoAttribute() throws {
    let book = try library.make("Book", ["title": .string("One")])
    #expect(throws: GraphError.self) { try book.get("author") }
    #expect(throws: GraphError.self) { try book.set("author", .null) }
  }

  @Test func discardingOneObjectsChangesLeavesThoseOfOthers() throws {
    let author = try library.make("Author")
    let books = try (1...2).map { try library.make("Book", ["title": .string("\($0)")]) }
    let tag = try library.make("Tag")
    try library.context.save()
    #expect([author.slot, tag.slot] == [0, 0] && books[0].slot == 0)
    for book in books { try author.add("books", book) }
    try tag.add("books", books[1])
    try books[0].refresh(mergeChanges: false)
    #expect(try author.many("books") == [books[1]])
    #expect(try tag.many("books") == [books[1]])
    #expect(try library.context.checkInvariants().isEmpty)
    try library.context.save()
    #expect(
      try library.rows("SELECT title, author_pk IS NOT NULL FROM book ORDER BY title") == [
        [.string("1"), .int(0)], [.string("2"), .int(1)],
      ])
    #expect(try library.rows("SELECT count(*) FROM book_tags") == [[.int(1)]])
  }
}

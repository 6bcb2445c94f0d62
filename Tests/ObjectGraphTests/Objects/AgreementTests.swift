import Modeling
import Stores
import Testing

@testable import ObjectGraph

/// Both sides of a relationship agree although others have moved or deleted objects since.
@Suite struct AgreementTests {
  let library: Library
  let context: ObjectContext
  let (ann, bob, book): (ManagedObject, ManagedObject, ManagedObject)

  init() throws {
    library = try Library()
    context = library.context
    context.levelsOfUndo = 100
    context.mergePolicy = .objectTrump
    ann = try library.make("Author", ["name": .string("Ann")])
    bob = try library.make("Author", ["name": .string("Bob")])
    book = try library.make("Book", ["title": .string("One")])
    try context.save()
  }

  /// What others write.
  private func elsewhere(_ sql: String) throws {
    _ = try library.store.sql(sql)
    context.noticeRemoteWrites()
  }

  @Test func anUndoMakesNothingAMemberOfWhatOthersHaveDeleted() throws {
    context.mergePolicy = .storeTrump
    try book.setOne("author", ann)
    try context.save()
    try book.delete()
    try elsewhere("UPDATE book SET author_pk = NULL")
    try elsewhere("DELETE FROM author WHERE name = 'Ann'")
    // The others win: the book is not deleted, but its deletion can be undone.
    try context.save()
    #expect(!book.isDeleted)
    #expect(try context.undo())
    #expect(try book.one("author") == nil)
    #expect(try ann.many("books") == [])
    #expect(try context.checkInvariants() == [])
  }

  @Test func anUndoTakesAMemberFromTheOwnerThatOthersHaveGivenIt() throws {
    try book.setOne("author", ann)
    try context.save()
    try elsewhere("UPDATE book SET author_pk = 2")
    #expect(try bob.many("books") == [book])
    #expect(try context.undo())
    #expect(try book.one("author") == nil)
    #expect(try ann.many("books") + bob.many("books") == [])
    #expect(try context.redo())
    #expect(try ann.many("books") == [book])
    #expect(try bob.many("books") == [])
    #expect(try context.checkInvariants() == [])
    try context.save()
    #expect(try library.rows("SELECT author_pk FROM book") == [[.int(1)]])
  }

  @Test func anUndoTakesAPartnerFromTheOneThatOthersHaveGivenIt() throws {
    let profile = try library.make("Profile")
    try context.save()
    try profile.setOne("author", ann)
    try context.save()
    try elsewhere("UPDATE author SET profile_pk = iif(name = 'Bob', 1, NULL)")
    try elsewhere("UPDATE profile SET author_pk = 2")
    #expect(try bob.one("profile") == profile)
    #expect(try context.undo())
    #expect(try profile.one("author") == nil)
    #expect(try ann.one("profile") == nil)
    #expect(try bob.one("profile") == nil)
  }

  @Test func whatOthersAddedToARestoredObjectIsNoMemberOfTwo() throws {
    let chapters = try ["1", "2"].map { try library.make("Chapter", ["title": .string($0)]) }
    try book.setMembers(at: book.index("chapters"), chapters)
    let other = try library.make("Book", ["title": .string("Two")])
    try context.save()
    try chapters[0].setOne("book", nil)
    try context.save()
    try elsewhere("UPDATE chapter SET book_pk = 2 WHERE title = '1'")
    #expect(try other.many("chapters") == [chapters[0]])
    #expect(try context.undo())
    #expect(try book.many("chapters") == chapters)
    #expect(try other.many("chapters") == [])
    #expect(try context.checkInvariants() == [])
  }

  @Test func aChildRestoresWhatItsParentHasAgainWhereThatHasIt() throws {
    try book.setOne("author", ann)
    try context.save()
    let child = ObjectContext(parent: context)
    child.levelsOfUndo = 100
    let (own, annHere, bobHere) = (child.object(book.objectID), child.object(ann.objectID), child.object(bob.objectID))
    try own.delete()
    try child.save()
    try elsewhere("UPDATE book SET author_pk = 2")
    context.rollback()
    #expect(try child.undo())
    #expect(try own.one("author") == bobHere)
    #expect(try annHere.many("books") == [])
    #expect(try bobHere.many("books") == [own])
    #expect(try child.checkInvariants() == [])
  }

  @Test(arguments: [true, false])
  func whatIsUndoneInAChildWhileItsParentLacksTheObjectIsUndoneOnBothSides(isDeleted: Bool) throws {
    context.levelsOfUndo = 100
    let tag = try library.make("Tag")
    if isDeleted { try book.add("tags", tag) }
    try context.save()
    let child = ObjectContext(parent: context)
    child.levelsOfUndo = 100
    let (own, ownTag) = (child.object(book.objectID), child.object(tag.objectID))
    if isDeleted { try own.delete() } else { try own.add("tags", ownTag) }
    context.closeUndoGroup()
    try book.delete()
    #expect(try child.undo())
    #expect(try context.undo())
    #expect(try own.many("tags") == (isDeleted ? [ownTag] : []))
    #expect(try ownTag.many("books") == (isDeleted ? [own] : []))
    #expect(try child.checkInvariants() == [])
    #expect(!child.hasChanges)
  }

  @Test func whatTheParentHasDeletedIsNoMemberInAChild() throws {
    let tag = try library.make("Tag")
    try context.save()
    let child = ObjectContext(parent: context)
    child.levelsOfUndo = 100
    let own = child.object(book.objectID)
    try own.delete()
    try child.save()
    try elsewhere("INSERT INTO book_tags VALUES (1, 1)")
    #expect(try child.object(tag.objectID).many("books") == [])
    #expect(try child.undo())
    #expect(try child.object(tag.objectID).many("books") == [])
    #expect(try own.many("tags") == [])
    #expect(try child.checkInvariants() == [])
  }

  @Test func whatAChildSavesOnAnOlderRowIsNoMemberOfWhatOthersHaveGivenItTo() throws {
    let child = ObjectContext(parent: context)
    try child.object(book.objectID).set("title", .string("Two"))
    try elsewhere("UPDATE book SET author_pk = 1")
    #expect(try ann.many("books") == [book])
    try child.save()
    #expect(try book.one("author") == nil)
    #expect(try ann.many("books") == [])
    #expect(try context.checkInvariants() == [])
    try context.save()
    #expect(try book.one("author") == ann)
    #expect(try ann.many("books") == [book])
  }
}

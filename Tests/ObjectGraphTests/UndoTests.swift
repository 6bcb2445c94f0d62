import Modeling
import Queries
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct UndoTests {
  let library: Library
  let context: ObjectContext

  init() throws {
    library = try Library()
    context = library.context
    context.levelsOfUndo = 100
  }

  @Test func aGroupIsTakenBackAndMadeAgainAsAWhole() throws {
    let author = try library.make("Author", ["name": .string("Ann")])
    context.closeUndoGroup()
    try author.set("name", .string("Bea"))
    let book = try library.make("Book", ["title": .string("One")])
    try author.add("books", book)
    #expect(try context.undo())
    #expect(try author.get("name") == .string("Ann"))
    #expect(book.isDeleted)
    #expect(try author.many("books").isEmpty)
    #expect(try context.redo())
    #expect(try author.get("name") == .string("Bea"))
    #expect(try author.many("books") == [book])
    #expect(try book.one("author") == author)
  }

  @Test func whatIsTakenBackBeforeASaveLeavesNoChange() throws {
    let book = try savedBook()
    try book.set("title", .string("Two"))
    try library.make("Tag", ["label": .string("x")]).add("books", book)
    #expect(try context.undo())
    #expect(!context.hasChanges)
    #expect(try context.diff().updated.isEmpty)
  }

  @Test func anUnsavedMemberOfAnOrderedToManyComesBackToItsPlace() throws {
    let book = try savedBook()
    let chapters = try ["a", "b"].map { try library.make("Chapter", ["title": .string($0)]) }
    for chapter in chapters { try book.add("chapters", chapter) }
    context.closeUndoGroup()
    try chapters[0].delete()
    #expect(try context.undo())
    #expect(try book.many("chapters") == chapters)
  }

  @Test func afterASaveTheOldStateComesBackAsUnsavedChanges() throws {
    let book = try savedBook()
    try book.set("title", .string("Two"))
    try context.save()
    #expect(try context.undo())
    #expect(try book.get("title") == .string("One"))
    #expect(try book.changes().map(\.property) == ["title"])
    #expect(try library.rows("SELECT title FROM book") == [[.string("Two")]])
    try context.save()
    #expect(try library.rows("SELECT title FROM book") == [[.string("One")]])
    #expect(try context.redo())
    #expect(try book.get("title") == .string("Two"))
  }

  /// Some rows are read, as other objects, while they are there again.
  @Test(arguments: [[], ["Author"], ["Book"], ["Author", "Book"]])
  func deletedObjectsComeBackWhoeverReadThemMeanwhile(read: [String]) throws {
    let author = try library.make("Author", ["name": .string("Ann")])
    let books = try ["One", "Two"].map { title in
      let book = try library.make("Book", ["title": .string(title)])
      try book.setOne("author", author)
      return book
    }
    try context.save()
    context.closeUndoGroup()
    for object in books + [author] { try object.delete() }
    try context.save()
    _ = try library.store.reverseSave(.undo)
    context.refreshAllObjects()
    let meanwhile = try read.flatMap { try library.all($0) }
    for object in meanwhile { #expect(try object.exists()) }
    _ = try library.store.reverseSave(.redo)
    context.refreshAllObjects()
    #expect(try context.undo())
    #expect(try author.get("name") == .string("Ann"))
    #expect(try author.many("books") == books)
    #expect(try library.all("Book") == books && library.all("Author") == [author])
    try context.save()
    #expect(
      try library.rows("SELECT title, author_pk FROM book") == [[.string("One"), .int(1)], [.string("Two"), .int(1)]])
    #expect(try context.checkInvariants() == [])
  }

  /// The change that is made again equals its base, while the store says otherwise by now.
  @Test func whatOthersMovedIsWhereTheyMovedItWhenNoChangeIsLeft() throws {
    let authors = try ["Ann", "Bea", "Cid"].map { try library.make("Author", ["name": .string($0)]) }
    let book = try library.make("Book", ["title": .string("One")])
    for author in authors[..<2] {
      try book.setOne("author", author)
      try context.save()
      context.closeUndoGroup()
    }
    #expect(try context.undo())
    let other = library.reread()
    try other.object(book.objectID).setOne("author", other.object(authors[2].objectID))
    try other.save()
    context.noticeRemoteWrites()
    #expect(try context.redo())
    #expect(try book.one("author") == authors[2])
    #expect(try authors.map { try $0.many("books") } == [[], [], [book]])
    #expect(try context.checkInvariants() == [])
  }

  @Test func aDeletedObjectComesBackUnderItsKeyWithAllItLedTo() throws {
    let book = try savedBook()
    let tag = try library.make("Tag", ["label": .string("x")])
    try tag.add("books", book)
    let loan = try library.make("Loan", ["who": .string("me")])
    try loan.setOne("book", book)
    try context.save()
    let (id, loanID) = (book.objectID, loan.objectID)
    try book.delete()
    try context.save()
    #expect(try library.rows("SELECT count(*) FROM loan") == [[.int(0)]])
    #expect(try context.undo())
    #expect(try book.many("tags") == [tag])
    #expect(try book.many("loans") == [loan])
    try context.save()
    #expect(book.objectID == id)
    #expect(loan.objectID == loanID)
    let other = library.reread()
    try withExtendedLifetime(other) {
      let found = try other.existingObject(id)
      #expect(try found?.many("tags").count == 1)
      #expect(try found?.many("loans").map(\.objectID) == [loanID])
    }
  }

  @Test func aKeyOfADeletedRowIsNotGivenToAnotherObject() throws {
    let book = try savedBook()
    let key = book.objectID.key
    try book.delete()
    try context.save()
    let other = try library.make("Book", ["title": .string("Other")])
    try context.save()
    #expect(other.objectID.key != key)
    #expect(try context.undo())
    #expect(try context.undo())
    try context.save()
    #expect(book.objectID.key == key)
    #expect(try library.rows("SELECT title FROM book") == [[.string("One")]])
  }

  @Test func aTransactionIsOneGroup() throws {
    let book = try savedBook()
    try context.transaction {
      try book.set("title", .string("Two"))
      try book.set("pages", .int(7))
    }
    #expect(try context.undo())
    #expect(try book.get("title") == .string("One"))
    #expect(try book.get("pages") == .int(10))
  }

  @Test func aFailedTransactionLeavesNothingToTakeBack() throws {
    let book = try savedBook()
    try book.set("title", .string("Two"))
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try context.transaction {
        try book.set("title", .string("Three"))
        throw Failure()
      }
    }
    #expect(try book.get("title") == .string("Two"))
    #expect(try context.undo())
    #expect(try book.get("title") == .string("One"))
  }

  @Test func aSaveWithinATransactionValidatesAndWaits() throws {
    let book = try savedBook()
    try context.transaction {
      try book.set("title", .string("Two"))
      try context.save()
      #expect(try library.rows("SELECT title FROM book") == [[.string("One")]])
    }
    #expect(try library.rows("SELECT title FROM book") == [[.string("Two")]])
    let error = #expect(throws: GraphError.self) {
      try context.transaction {
        try book.set("title", .string(""))
        try context.save()
      }
    }
    #expect(caseName(error?.fact) == "invalid")
    #expect(try book.get("title") == .string("Two"))
  }

  @Test func rollbackAndResetForgetWhatCouldBeTakenBack() throws {
    let book = try savedBook()
    try book.set("title", .string("Two"))
    context.rollback()
    #expect(try !context.undo())
    try book.set("title", .string("Two"))
    context.reset()
    #expect(try !context.undo())
  }

  @Test func aNewChangeForgetsWhatCouldBeMadeAgain() throws {
    let book = try savedBook()
    try book.set("title", .string("Two"))
    #expect(try context.undo())
    try book.set("pages", .int(5))
    #expect(try !context.redo())
  }

  @Test func onlyTheLastGroupsAreKept() throws {
    let book = try savedBook()
    context.levelsOfUndo = 2
    for number in 1...5 {
      try book.set("pages", .int(Int64(number)))
      context.closeUndoGroup()
    }
    #expect(try context.undo())
    #expect(try context.undo())
    #expect(try !context.undo())
    #expect(try book.get("pages") == .int(3))
  }

  @Test func aGroupOfTooManyStepsIsGivenUpAloud() throws {
    let book = try savedBook()
    context.undoManager?.mostSteps = 10
    for number in 1...8 {
      try book.set("pages", .int(Int64(number)))
      try book.set("title", .string("\(number)"))
    }
    context.closeUndoGroup()
    #expect(caseName(#expect(throws: GraphError.self) { try context.undo() }?.fact) == "undoTooLarge")
    try book.set("pages", .int(99))
    #expect(try context.undo())
    #expect(try book.get("pages") == .int(8))
  }

  @Test func explicitGroupsNest() throws {
    let book = try savedBook()
    context.beginUndoGrouping()
    try book.set("pages", .int(1))
    context.beginUndoGrouping()
    try book.set("title", .string("Two"))
    #expect(context.endUndoGrouping())
    context.closeUndoGroup()
    #expect(context.endUndoGrouping())
    #expect(!context.endUndoGrouping())
    #expect(try context.undo())
    #expect(!context.hasChanges)
  }

  @Test func transientValuesAreTakenBackToo() throws {
    var note = Attribute("note", .string)
    note.isTransient = true
    var options = StoreOptions(path: ":memory:")
    options.model = try Model([
      EntityDescription("Thing", properties: [.attribute(Attribute("name", .string)), .attribute(note)])
    ])
    let context = ObjectContext(store: try SQLiteStore(options))
    context.levelsOfUndo = 10
    let thing = try context.insert(try #require(context.store.model.entity(named: "Thing")))
    try context.save()
    try thing.set("note", .string("a"))
    context.closeUndoGroup()
    try thing.set("note", .string("b"))
    #expect(try context.undo())
    #expect(try thing.get("note") == .string("a"))
  }

  @Test func aContextThatNeverHadLevelsHasNothingToTakeBack() throws {
    let context = library.reread()
    let book = try context.insert(library.entity("Book"))
    try book.set("title", .string("One"))
    context.beginUndoGrouping()
    #expect(context.levelsOfUndo == 0)
    #expect(!context.canUndo && !context.canRedo)
    #expect(!context.endUndoGrouping())
    #expect(try !context.undo())
    #expect(try !context.redo())
    #expect(try book.get("title") == .string("One"))
  }

  @Test func withoutLevelsNothingIsRecorded() throws {
    let book = try savedBook()
    context.levelsOfUndo = 0
    try book.set("title", .string("Two"))
    #expect(!context.canUndo)
    #expect(try !context.undo())
    context.rollback()
    #expect(try book.get("title") == .string("One"))
  }

  private func savedBook() throws -> ManagedObject {
    let book = try library.make("Book", ["title": .string("One")])
    try context.save()
    return book
  }
}

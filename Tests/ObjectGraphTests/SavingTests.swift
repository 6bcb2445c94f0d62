import Modeling
import Queries
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct SavingTests {
  let library: Library
  init() throws { library = try Library() }

  @Test func aSavedObjectIsARowAndKeepsItsIdentity() throws {
    let book = try library.make("Book", ["title": .string("Emma"), "code": .string("b1")])
    #expect(book.isInserted && book.objectID.isTemporary)
    try library.context.save()
    #expect(!book.isInserted && !book.hasChanges && !book.objectID.isTemporary)
    #expect(try book.get("title") == .string("Emma"))
    #expect(try book.get("pages") == .int(10))
    #expect(try library.rows("SELECT title, code, pages FROM book") == [[.string("Emma"), .string("b1"), .int(10)]])
    #expect(try library.context.find(library.entity("Book"), [.string("b1")]) == book)
  }

  @Test func onlyChangedColumnsAreWritten() throws {
    let book = try library.make("Book", ["title": .string("Emma")])
    try library.context.save()
    _ = try library.store.sql("UPDATE book SET pages = 77", [])
    try book.set("title", .string("Emma II"))
    try library.context.save()
    #expect(try library.rows("SELECT title, pages FROM book") == [[.string("Emma II"), .int(77)]])
  }

  @Test func settingTheSameValueIsNoChange() throws {
    let book = try library.make("Book", ["title": .string("Emma")])
    try library.context.save()
    try book.set("title", .string("Emma"))
    #expect(!book.hasChanges && !library.context.hasChanges)
  }

  @Test func newObjectsMayReferToOneAnotherInACycle() throws {
    let author = try library.make("Author", ["name": .string("Austen")])
    let profile = try library.make("Profile", ["text": .string("novelist")])
    try author.setOne("profile", profile)
    #expect(try profile.one("author") == author)
    try library.context.save()
    let other = library.reread()
    let read = try other.fetch(FetchRequest(library.entity("Author")))[0]
    #expect(try read.one("profile")?.get("text") == .string("novelist"))
    #expect(try read.one("profile")?.one("author") == read)
  }

  @Test func everyViolationIsReportedAndNothingIsWritten() throws {
    try library.make("Book", ["title": .string("fine")])
    try library.make("Book", ["pages": .int(-1)])
    try library.make("Loan")
    do {
      try library.context.save()
      Issue.record("the save must fail")
    } catch let error as GraphError {
      guard case .invalid(let violations) = error.fact else { throw error }
      #expect(
        violations.map { "\($0.violation.entity).\($0.violation.property) \($0.violation.kind)" } == [
          "Book.title missingMandatory", "Book.pages numberTooSmall", "Loan.book missingMandatory",
        ])
    }
    #expect(try library.rows("SELECT count(*) FROM book") == [[.int(0)]])
    #expect(library.context.changeCount == 3)
  }

  @Test func aUniquenessConflictNamesThePropertyAndLeavesBothSidesAlone() throws {
    try library.make("Book", ["title": .string("one"), "code": .string("x")])
    try library.context.save()
    try library.make("Book", ["title": .string("two"), "code": .string("x")])
    #expect(caseName(#expect(throws: GraphError.self) { try library.context.save() }?.fact) == "conflicts")
    #expect(library.context.changeCount == 1)
    #expect(try library.rows("SELECT count(*) FROM book") == [[.int(1)]])
  }

  @Test func aDeletedRowsUniqueValueIsFreeInTheSameSave() throws {
    let old = try library.make("Book", ["title": .string("one"), "code": .string("x")])
    try library.context.save()
    try old.delete()
    try library.make("Book", ["title": .string("two"), "code": .string("x")])
    try library.context.save()
    #expect(try library.rows("SELECT title FROM book") == [[.string("two")]])
    #expect(old.isDeleted)
    #expect(caseName(#expect(throws: GraphError.self) { try old.get("title") }?.fact) == "deletedObject")
  }

  @Test func anObjectWhoseKeyIsGivenAgainIsGone() throws {
    try library.make("Book", ["title": .string("one")])
    let old = try library.make("Book", ["title": .string("two")])
    try library.context.save()
    _ = try library.store.sql("DELETE FROM book WHERE title = 'two'", [])
    let new = try library.make("Book", ["title": .string("three")])
    try library.context.save()
    #expect(new.objectID == old.objectID && old.isDeleted && !new.isDeleted)
    #expect(try library.context.existingObject(new.objectID) == new)
    #expect(try library.context.checkInvariants().isEmpty)
  }

  @Test func aDryRunWritesNothingAndKeepsTheChanges() throws {
    try library.make("Book", ["title": .string("one")])
    try library.context.save(dryRun: true)
    #expect(try library.rows("SELECT count(*) FROM book") == [[.int(0)]])
    #expect(library.context.changeCount == 1)
  }

  @Test func rollbackDropsEverything() throws {
    let book = try library.make("Book", ["title": .string("one")])
    try library.context.save()
    try book.set("title", .string("other"))
    let tag = try library.make("Tag")
    try book.add("tags", tag)
    try library.make("Author").delete()
    library.context.rollback()
    #expect(!library.context.hasChanges)
    #expect(try book.get("title") == .string("one"))
    #expect(try book.many("tags").isEmpty)
    #expect(tag.isDeleted)
  }

  @Test func aFailedTransactionKeepsWhatWasPendingBefore() throws {
    struct Stop: Error {}
    let book = try library.make("Book", ["title": .string("one")])
    #expect(throws: Stop.self) {
      try library.context.transaction {
        try book.set("title", .string("changed"))
        try library.make("Tag")
        throw Stop()
      }
    }
    #expect(library.context.changeCount == 1)
    #expect(try book.get("title") == .string("one"))
    try library.context.transaction { try book.set("pages", .int(3)) }
    #expect(try library.rows("SELECT title, pages FROM book") == [[.string("one"), .int(3)]])
  }

  @Test func theMembersOfAnObjectThatIsThereAreCountedWhereTheyChanged() throws {
    var players = Relationship(toMany: "players", "Player", inverse: "team")
    (players.minimumCount, players.maximumCount) = (1, 2)
    var options = StoreOptions(path: ":memory:")
    (options.create, options.model) = (
      true,
      try Model([
        EntityDescription("Team", properties: [.attribute(Attribute("name", .string)), .relationship(players)]),
        EntityDescription(
          "Player", properties: [.relationship(Relationship(toOne: "team", "Team", inverse: "players"))]),
      ])
    )
    let store = try SQLiteStore(options)
    let context = ObjectContext(store: store)
    let (teamEntity, playerEntity) = (
      try #require(store.model.entity(named: "Team")), try #require(store.model.entity(named: "Player"))
    )
    let team = try context.insert(teamEntity)
    let (first, second, third) = (
      try context.insert(playerEntity), try context.insert(playerEntity), try context.insert(playerEntity)
    )
    try team.add("players", first)
    try context.save()
    try team.add("players", second)
    try context.save()
    try team.add("players", third)
    #expect(throws: (any Error).self) { try context.save() }
    context.rollback()
    // What others have made of it is not this save's.
    _ = try store.sql("DELETE FROM player")
    try team.set("name", .string("x"))
    try context.save()
  }
}

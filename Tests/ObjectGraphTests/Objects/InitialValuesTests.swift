import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct InitialValuesTests {
  let library: Library
  var context: ObjectContext { library.context }
  init() throws { library = try Library() }

  @Test func whatIsNotGivenKeepsItsDefaultAndWhatWasSetMeanwhile() throws {
    context.hooks.awakeFromInsert = { object in
      if object.entity.name == "Book" { try object.set("code", .string("awake")) }
    }
    defer { context.hooks = ObjectHooks() }
    let author = try library.make("Author", ["name": .string("Ann")])
    let book = try context.insert(library.entity("Book"))
    let gathered = InitialValues(book.entity, in: book.table)
    #expect(try gathered.add(book.index("title"), .string("One")))
    try book.setOne("author", author)
    try gathered.give(to: book)
    #expect(try book.get("title") == .string("One"))
    #expect(try book.get("code") == .string("awake"))
    #expect(try book.get("pages") == .int(10))
    #expect(try book.one("author") == author)
    try context.save()
    #expect(try library.rows("SELECT title, code, pages FROM book") == [[.string("One"), .string("awake"), .int(10)]])
    #expect(try context.checkInvariants() == [])
  }

  @Test func oneObjectsValuesAreNotThoseOfTheNext() throws {
    let book = try context.insert(library.entity("Book"))
    let gathered = InitialValues(book.entity, in: book.table)
    #expect(try gathered.add(book.index("code"), .string("a")))
    try gathered.give(to: book)
    let next = try context.insert(library.entity("Book"))
    #expect(try gathered.add(next.index("title"), .string("Two")))
    try gathered.give(to: next)
    #expect(try next.get("code") == .null)
    #expect(try gathered.add(next.index("code"), .string("b")))
    gathered.clear()
    try gathered.give(to: next)
    #expect(try next.get("code") == .null)
  }

  @Test func aValueOfAnotherTypeIsRefusedAndConvertsWhereSettingItWould() throws {
    let book = try context.insert(library.entity("Book"))
    let gathered = InitialValues(book.entity, in: book.table)
    let bySetting = #expect(throws: GraphError.self) { try book.set("pages", .string("many")) }
    let byGiving = #expect(throws: GraphError.self) { try gathered.add(book.index("pages"), .string("many")) }
    #expect(byGiving.map { "\($0)" } == bySetting.map { "\($0)" })
    #expect(try gathered.add(book.index("pages"), .double(3)))
    try gathered.give(to: book)
    #expect(try book.get("pages") == .int(3))
  }

  @Test func theValuesAreUndoneWithTheObjectAndMadeAgainWithIt() throws {
    context.levelsOfUndo = 10
    let book = try library.make("Book", ["title": .string("One"), "code": .string("a")])
    #expect(try context.undo())
    #expect(book.isDeleted)
    #expect(try context.redo())
    #expect(try book.get("title") == .string("One"))
    #expect(try book.get("code") == .string("a"))
  }

  @Test func inALaterGroupThanTheObjectTheyAreUndoneAlone() throws {
    context.levelsOfUndo = 10
    let book = try library.make("Book", ["title": .string("One")])
    context.closeUndoGroup()
    try library.give(["title": .string("Two"), "code": .string("b")], to: book)
    #expect(try context.undo())
    #expect(try book.get("title") == .string("One"))
    #expect(try book.get("code") == .null)
  }

  @Test func anObjectThatIsGoneOrSavedIsTreatedAsWhenItIsSet() throws {
    let book = try library.make("Book", ["title": .string("One")])
    try context.save()
    try library.give(["title": .string("Two")], to: book)
    #expect(book.isUpdated)
    try book.delete()
    #expect(throws: GraphError.self) { try library.give(["title": .string("Three")], to: book) }
  }

  @Test func changedObjectsAreFoundByTheGivenValues() throws {
    let entity = try library.entity("Book")
    for number in 0..<40 {
      let book = try context.insert(entity)
      let code = Value.string("code \(number)")
      // The lookup builds the index of changed objects, which has to follow.
      #expect(try book.table.changedSlot(entity, at: [book.index("code")], [code]) == -1)
      try library.give(["title": .string("T"), "code": code], to: book)
      #expect(try book.table.changedSlot(entity, at: [book.index("code")], [code]) == book.slot)
    }
    #expect(try context.checkInvariants() == [])
  }
}

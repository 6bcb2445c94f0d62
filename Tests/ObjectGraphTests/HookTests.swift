import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct HookTests {
  let library: Library
  var context: ObjectContext { library.context }

  /// Lets go of hooks that hold the context, which holds them.
  private func forgetHooks() { context.hooks = ObjectHooks() }
  init() throws { library = try Library() }

  struct Stop: Error {}

  @Test func aNewObjectIsToldWhenItHasItsDefaults() throws {
    context.hooks.awakeFromInsert = { book in
      #expect(try book.get("pages") == .int(10))
      try book.set("title", .string("untitled"))
    }
    #expect(try library.make("Book").get("title") == .string("untitled"))
  }

  @Test func anObjectWhoseAwakeningFailsWasNeverMade() throws {
    context.hooks.awakeFromInsert = { _ in throw Stop() }
    #expect(throws: Stop.self) { try library.make("Book") }
    #expect(!context.hasChanges)
    #expect(try context.checkInvariants() == [])
  }

  @Test func willSaveMayChangeTheObjectAndOthersAndAllIsWritten() throws {
    defer { forgetHooks() }
    var told: [String] = []
    context.hooks.willSave = { [library] object in
      told.append(object.entity.name)
      guard object.entity.name == "Book", try object.many("tags").isEmpty else { return }
      try object.set("pages", .int(7))
      try object.add("tags", try library.make("Tag", ["label": .string("new")]))
    }
    try library.make("Book", ["title": .string("one")])
    try context.save()
    #expect(try library.rows("SELECT pages FROM book") == [[.int(7)]])
    #expect(try library.rows("SELECT label FROM tag") == [[.string("new")]])
    #expect(told == ["Book", "Book", "Tag"])
    #expect(!context.hasChanges)
  }

  @Test func anEndlessWillSaveIsAnErrorAndChangesNothing() throws {
    context.hooks.willSave = { book in
      guard case .int(let pages) = try book.get("pages") else { return }
      try book.set("pages", .int(pages + 1))
    }
    let book = try library.make("Book", ["title": .string("one")])
    do {
      try context.save()
      Issue.record("the save must fail")
    } catch let error as GraphError {
      guard case .endlessWillSave(let entity, _) = error.fact else { throw error }
      #expect(entity == "Book")
    }
    #expect(try book.get("pages") == .int(10))
    #expect(context.changeCount == 1)
    #expect(try library.rows("SELECT count(*) FROM book") == [[.int(0)]])
  }

  @Test func objectsThatDoubleWithEachRoundAreEndlessLongBeforeTheRoundsAre() throws {
    defer { forgetHooks() }
    context.progress.mostWillSaveCalls = 500
    context.hooks.willSave = { [library] _ in for _ in 0..<3 { try library.make("Tag") } }
    try library.make("Tag")
    #expect(caseName(#expect(throws: GraphError.self) { try context.save() }?.fact) == "endlessWillSave")
    #expect(context.changeCount == 1)
  }

  @Test func settingWhatIsThereAnywayEndsTheRounds() throws {
    var calls = 0
    context.hooks.willSave = { book in
      calls += 1
      try book.set("pages", .int(5))
    }
    try library.make("Book", ["title": .string("one")])
    try context.save()
    #expect(calls == 2)
  }

  @Test func whatFailsLeavesTheStateBeforeTheSave() throws {
    defer { forgetHooks() }
    let book = try library.make("Book", ["title": .string("one")])
    try context.save()
    try book.set("pages", .int(20))
    context.hooks.willSave = { [library] book in
      try book.set("title", .string("changed"))
      try library.make("Tag")
      throw Stop()
    }
    #expect(throws: Stop.self) { try context.save() }
    #expect(try book.get("title") == .string("one"))
    #expect(try book.get("pages") == .int(20))
    #expect(context.changeCount == 1)
    #expect(try context.checkInvariants() == [])
  }

  @Test func aDryRunTakesBackWhatHooksChanged() throws {
    context.hooks.willSave = { try $0.set("pages", .int(1)) }
    let book = try library.make("Book", ["title": .string("one")])
    try context.save(dryRun: true)
    #expect(try book.get("pages") == .int(10))
    #expect(book.isInserted)
  }

  @Test func theViolationsOfHooksStandBesideThoseOfTheModel() throws {
    context.hooks.validate = { object, occasion in
      var violation = Violation(entity: object.entity.name, property: "pages", kind: .custom, value: .null)
      violation.text = "\(occasion)"
      return [violation]
    }
    try library.make("Book", ["pages": .int(-1)])
    do {
      try context.save()
      Issue.record("the save must fail")
    } catch let error as GraphError {
      guard case .invalid(let violations) = error.fact else { throw error }
      #expect(violations.map(\.violation.kind) == [.missingMandatory, .numberTooSmall, .custom])
      #expect(violations.last?.violation.text == "insert")
    }
  }

  @Test func whatValidatesMayNotChange() throws {
    defer { forgetHooks() }
    context.hooks.validate = { [library] object, _ in
      #expect(caseName(#expect(throws: GraphError.self) { try object.set("pages", .int(1)) }?.fact) == "validating")
      #expect(caseName(#expect(throws: GraphError.self) { try object.delete() }?.fact) == "validating")
      #expect(caseName(#expect(throws: GraphError.self) { try library.make("Tag") }?.fact) == "validating")
      return []
    }
    let book = try library.make("Book", ["title": .string("one")])
    try context.save()
    #expect(try book.get("pages") == .int(10))
  }

  @Test func deletedObjectsAreValidatedForDeletion() throws {
    var occasions: [ValidationOccasion] = []
    let book = try library.make("Book", ["title": .string("one")])
    try context.save()
    context.hooks.validate = { _, occasion in
      occasions.append(occasion)
      return []
    }
    try book.delete()
    try context.save()
    #expect(occasions == [.delete])
  }

  @Test func didSaveToldOfAllAndItsChangesArePending() throws {
    var told: [String] = []
    let old = try library.make("Book", ["title": .string("old")])
    let gone = try library.make("Tag")
    try context.save()
    context.hooks.didSave = { object in
      told.append(object.entity.name)
      if object.entity.name == "Book" { try? object.set("pages", .int(99)) }
    }
    context.hooks.contextDidSave = { saved in
      told.append("\(saved.inserted.count) \(saved.updated.count) \(saved.deleted.count)")
    }
    try library.make("Author")
    try old.set("title", .string("new"))
    try gone.delete()
    try context.save()
    #expect(told == ["Author", "Book", "Tag", "1 1 1"])
    #expect(context.updatedObjects == [old])
    #expect(try library.rows("SELECT pages FROM book") == [[.int(10)]])
  }

  @Test func savesOfThoseToldOfASaveAreToldAfterwards() throws {
    defer { forgetHooks() }
    var rounds = 0
    let book = try library.make("Book", ["title": .string("one")])
    context.hooks.contextDidSave = { [context] _ in
      rounds += 1
      guard rounds < 5 else { return }
      try? book.set("pages", .int(Int64(rounds)))
      try? context.save()
      #expect(!context.hasChanges)
    }
    try context.save()
    #expect(rounds == 5)
    context.hooks.contextDidSave = { [context] _ in
      rounds += 1
      try? book.set("pages", .int(Int64(rounds)))
      try? context.save()
    }
    try book.set("pages", .int(1000))
    #expect(caseName(#expect(throws: GraphError.self) { try context.save() }?.fact) == "endlessDidSave")
    #expect(rounds == 105)
    #expect(!context.hasChanges)
  }

  @Test func aSaveWithinASaveIsAnError() throws {
    defer { forgetHooks() }
    context.hooks.willSave = { [context] _ in
      #expect(caseName(#expect(throws: GraphError.self) { try context.save() }?.fact) == "saving")
      #expect(caseName(#expect(throws: GraphError.self) { try context.transaction {} }?.fact) == "saving")
    }
    try library.make("Tag")
    try context.save()
    #expect(try library.rows("SELECT count(*) FROM tag") == [[.int(1)]])
  }

  @Test func hooksMayDeleteWhatIsBeingSaved() throws {
    context.hooks.willSave = { object in if object.entity.name == "Tag" { try object.delete() } }
    let old = try library.make("Book", ["title": .string("b")])
    try library.make("Tag")
    try context.save()
    #expect(try library.rows("SELECT count(*) FROM tag") == [[.int(0)]])
    context.hooks.willSave = { try $0.delete() }
    try old.set("pages", .int(3))
    try context.save()
    #expect(try library.rows("SELECT count(*) FROM book") == [[.int(0)]])
    #expect(!context.hasChanges)
    #expect(try context.checkInvariants() == [])
  }

  @Test func objectsAreToldBeforeTheyAreDeletedByDeleteRulesToo() throws {
    var told: [String] = []
    context.hooks.prepareForDeletion = { object in
      told.append(object.entity.name)
      try object.delete()
    }
    let book = try library.make("Book", ["title": .string("b")])
    try library.make("Loan").setOne("book", book)
    try context.save()
    try book.delete()
    #expect(told == ["Book", "Loan"])
    try context.save()
    #expect(try library.rows("SELECT (SELECT count(*) FROM book) + (SELECT count(*) FROM loan)") == [[.int(0)]])
  }
}

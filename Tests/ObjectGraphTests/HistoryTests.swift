import Foundation
import Modeling
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct HistoryTests {
  let library: Library
  var context: ObjectContext { library.context }
  var store: SQLiteStore { library.store }

  init() throws {
    library = try Library()
    try library.store.setHistoryEnabled(true)
  }

  private func insert(_ entity: String, _ values: [String: Value]) throws -> ManagedObject {
    let object = try context.insert(store.model.entity(named: entity)!)
    for (name, value) in values { try object.setAttribute(at: object.entity.index(of: name)!, value) }
    return object
  }

  private func told() throws -> [String] {
    try store.history().map { transaction in
      let changes = transaction.changes.map { "\($0.kind.rawValue) \($0.entityName): \($0.updatedProperties)" }
      return "\(transaction.author ?? "-") \(transaction.contextName ?? "-") \(changes.joined(separator: ", "))"
    }
  }

  @Test func aSaveIsToldUnderTheNamesOfItsContext() throws {
    context.name = "main"
    context.transactionAuthor = "ann"
    let author = try insert("Author", ["name": .string("a")])
    try context.save()
    try author.setAttribute(at: 0, .string("b"))
    try context.save(author: "bob")
    try author.setAttribute(at: 0, .string("c"))
    try context.save(dryRun: true)
    context.rollback()
    try context.save()
    #expect(try told() == ["ann main insert Author: []", "bob main update Author: [\"name\"]"])
  }

  @Test(arguments: [false, true]) func whatASaveDoesNotConcernIsNotReadAgain(isRecorded: Bool) throws {
    try store.setHistoryEnabled(isRecorded)
    let (written, other) = (try insert("Author", ["name": .string("a")]), try insert("Author", ["name": .string("b")]))
    try context.save()
    #expect(try other.attribute(at: 0) == .string("b"))
    try written.setAttribute(at: 0, .string("c"))
    try context.save()
    #expect(!other.isFault && written.isFault)
    #expect(try written.attribute(at: 0) == .string("c"))
  }

  @Test func aSaveThatFailsIsNotTold() throws {
    _ = try insert("Book", ["title": .string("a"), "code": .string("x")])
    try context.save()
    _ = try insert("Book", ["title": .string("b"), "code": .string("x")])
    #expect(caseName(#expect(throws: GraphError.self) { try context.save() }?.fact) == "conflicts")
    #expect(try store.history().count == 1)
  }

  @Test func batchRequestsAreToldUnderTheNamesOfTheirContext() throws {
    context.transactionAuthor = "batch"
    let tag = store.model.entity(named: "Tag")!
    var rows = [[(property: 0, value: Value.string("a"))], [(property: 0, value: Value.string("b"))]]
    _ = try context.batchInsert(tag) { rows.popLast() }
    #expect(try told() == ["batch - insert Tag: [], insert Tag: []"])
  }

  @Test func aContextFollowsWhatAnotherSaved() throws {
    let other = ObjectContext(store: store)
    let author = try insert("Author", ["name": .string("a")])
    let doomed = try insert("Author", ["name": .string("d")])
    let changed = try insert("Author", ["name": .string("c")])
    let book = try insert("Book", ["title": .string("t"), "code": .string("1")])
    let (books, writer) = (author.entity.index(of: "books")!, book.entity.index(of: "author")!)
    try context.save()
    let token = try store.currentHistoryToken
    // The other context reads everything before it changes.
    let copies = [author, doomed, changed, book].map { other.object($0.objectID) }
    for copy in copies { _ = try copy.attribute(at: 0) }
    #expect(try copies[0].members(at: books).isEmpty)
    try copies[2].setAttribute(at: 0, .string("mine"))

    try author.setAttribute(at: 0, .string("b"))
    try changed.setAttribute(at: 0, .string("theirs"))
    try book.setRelated(at: writer, to: author)
    try doomed.delete()
    let fresh = try insert("Author", ["name": .string("f")])
    try context.save()
    #expect(try copies[0].attribute(at: 0) == .string("a"))

    var request = HistoryRequest()
    request.since = token
    try other.mergeChanges(from: try store.history(request))
    #expect(try copies[0].attribute(at: 0) == .string("b"))
    #expect(try copies[0].members(at: books) == [copies[3]])
    #expect(copies[1].isDeleted)
    #expect(try copies[2].attribute(at: 0) == .string("mine"))
    #expect(try copies[2].committedValues().first?.value == .string("theirs"))
    #expect(try other.existingObject(fresh.objectID) != nil)
    #expect(try other.checkInvariants() == [])
  }

  @Test func changesOfAnObjectOutliveItsDeletionElsewhere() throws {
    let other = ObjectContext(store: store)
    let author = try insert("Author", ["name": .string("a")])
    try context.save()
    let copy = other.object(author.objectID)
    try copy.setAttribute(at: 0, .string("mine"))
    try author.delete()
    try context.save()
    try other.mergeChanges(from: try store.history())
    #expect(!copy.isDeleted && copy.hasChanges)
  }
}

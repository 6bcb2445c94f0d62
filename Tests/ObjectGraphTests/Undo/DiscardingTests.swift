import Modeling
import Queries
import SQLiteStorage
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

/// The deletion of one object is discarded, also after other changes.
@Suite(.seeded) struct DiscardingTests {
  let library: Library
  let context: ObjectContext
  let author, book, loan, tag: ManagedObject

  init() throws {
    library = try Library()
    context = library.context
    author = try library.make("Author", ["name": .string("Ann")])
    book = try library.make("Book", ["title": .string("One")])
    loan = try library.make("Loan", ["who": .string("Eve")])
    tag = try library.make("Tag", ["label": .string("x")])
    try book.setOne("author", author)
    try loan.setOne("book", book)
    try tag.add("books", book)
    try context.save()
    context.levelsOfUndo = 100
  }

  private func isWhole() throws -> Bool {
    try !book.isDeleted && book.one("author") == author && author.many("books") == [book]
      && book.many("loans") == [loan] && loan.one("book") == book && tag.many("books") == [book]
      && book.many("tags") == [tag]
  }

  private func delete(_ object: ManagedObject) throws {
    try object.delete()
    context.closeUndoGroup()
  }

  @Test func whatARuleDeletedComesBackWithItAndAllLeadsToItAgain() throws {
    try delete(book)
    try tag.set("label", .string("y"))
    context.closeUndoGroup()
    try book.refresh(mergeChanges: false)
    #expect(try isWhole())
    #expect(try context.diff().deleted.isEmpty)
    #expect(try context.diff().updated.map(\.object) == [tag], "what was changed since stays")
    try context.save()
    let reread = library.reread()
    let stored = try reread.fetch(FetchRequest(library.entity("Loan"))).objectList()
    #expect(try stored.map { try $0.one("book")?.get("title") } == [.string("One")])
  }

  @Test func discardingIsAStepOfUndo() throws {
    try delete(book)
    try book.refresh(mergeChanges: false)
    #expect(try context.undo())
    #expect(book.isDeleted && loan.isDeleted)
    #expect(try loan.deletionCause == book && context.diff().updated.isEmpty)
    #expect(try author.many("books").isEmpty && tag.many("books").isEmpty)
    #expect(try context.redo())
    #expect(try isWhole())
    #expect(try context.undo() && context.undo())
    #expect(try isWhole() && !context.hasChanges)
    #expect(try context.checkInvariants().isEmpty)
  }

  @Test func aDeletionThatIsMadeAgainChangesNoOtherObject() throws {
    try delete(book)
    #expect(try context.undo() && context.redo())
    #expect(try context.diff().updated.isEmpty && context.diff().deleted == [book, loan])
    try context.save()
    #expect(try tag.many("books").isEmpty && library.rows("SELECT * FROM book").isEmpty)
  }

  @Test func whatARuleDeletedIsDiscardedWithItsCause() throws {
    try delete(book)
    try loan.refresh(mergeChanges: false)
    #expect(try isWhole() && !context.hasChanges)
  }

  @Test func emptiedToOnesLeadToItAgainUnlessTheyLeadElsewhere() throws {
    let other = try library.make("Book", ["title": .string("Two")])
    try other.setOne("author", author)
    try delete(author)
    let bea = try library.make("Author", ["name": .string("Bea")])
    try other.setOne("author", bea)
    context.closeUndoGroup()
    try author.refresh(mergeChanges: false)
    #expect(try book.one("author") == author && other.one("author") == bea)
    #expect(try author.many("books") == [book])
    #expect(try context.checkInvariants().isEmpty)
  }

  @Test func membersOfAnOrderedToManyComeBackToTheirPlaces() throws {
    let chapters = try ["a", "b", "c"].map { try library.make("Chapter", ["title": .string($0)]) }
    for chapter in chapters { try book.add("chapters", chapter) }
    try context.save()
    for chapter in chapters.prefix(2) { try delete(chapter) }
    try chapters[0].refresh(mergeChanges: false)
    try chapters[1].refresh(mergeChanges: false)
    #expect(try book.many("chapters") == chapters && !context.hasChanges)
  }

  @Test func whatLeadsToAnotherDeletedObjectWaitsForIt() throws {
    try delete(loan)
    try delete(book)
    let refusal = #expect(throws: GraphError.self) { try loan.refresh(mergeChanges: false) }
    guard case .relatedDeletion(loan.objectID.description, other: book.objectID.description)? = refusal?.fact else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(book.isDeleted && loan.isDeleted)
    try book.refresh(mergeChanges: false)
    try loan.refresh(mergeChanges: false)
    #expect(try isWhole() && !context.hasChanges)
  }

  @Test func aDeletionWithoutAStepIsNotDiscarded() throws {
    context.levelsOfUndo = 0
    try delete(book)
    let refusal = #expect(throws: GraphError.self) { try book.refresh(mergeChanges: false) }
    guard case .forgottenDeletion? = refusal?.fact else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(book.isDeleted)
  }

  @Test func discardedChangesOfAnObjectDoNotLeadToADeletedOne() throws {
    try delete(author)
    try book.set("title", .string("Two"))
    try book.refresh(mergeChanges: false)
    #expect(try book.get("title") == .string("One") && book.one("author") == nil)
    try context.save()
    let reread = library.reread()
    let stored = try reread.fetch(FetchRequest(library.entity("Book"))).objectList()
    #expect(try stored.map { try $0.one("author") } == [nil])
  }

  /// Programs of random changes, after whose steps deletions are discarded and that is undone.
  @Test(arguments: Effort.isLong ? 1...200 : 1...12) func discardingChangesNothingThatAnUndoDoesNotRestore(
    seed: UInt64
  ) throws {
    var program = try RandomProgram(seed: seed)
    for step in 0..<120 {
      try program.step(step)
      try program.discardDeletion(step)
    }
  }
}

extension RandomProgram {
  /// Discards the deletion of any object and undoes that, or of one that was just deleted.
  mutating func discardDeletion(_ step: Int) throws {
    guard let undoManager = context.undoManager, !context.canRedo else { return }
    let mark = undoManager.mark()
    let isNew = Bool.random(using: &random)
    if isNew {
      guard
        let object = objects.sorted(by: { $0.key < $1.key }).map(\.value).filter({ !$0.isDeleted })
          .randomElement(using: &random)
      else { return }
      if object.entity.name == "Club", try !object.many("members").isEmpty { return }
      try object.delete()
      context.closeUndoGroup()
      try object.refresh(mergeChanges: false)
    } else {
      guard
        let object = objects.sorted(by: { $0.key < $1.key }).map(\.value)
          .filter({ $0.table.changes[$0.slot]?.kind == .deleted }).randomElement(using: &random)
      else { return }
      do { try object.refresh(mergeChanges: false) } catch let error as GraphError {
        switch error.fact {
        case .relatedDeletion, .forgottenDeletion: return try check("refused", step)
        default: throw error
        }
      }
      context.closeUndoGroup()
      let problems = try context.checkInvariants()
      if let first = problems.first { throw Difference(seed: seed, step: step, problem: first, log: log.suffix(40)) }
      _ = try context.undo()
      try check("undone", step)
      _ = try context.redo()
      _ = try context.undo()
    }
    try check(isNew ? "deleted and discarded" : "undone again", step)
    undoManager.restore(mark)
  }

  private func check(_ what: String, _ step: Int) throws {
    guard let first = try problems().first else { return }
    throw Difference(seed: seed, step: step, problem: "\(what): \(first)", log: log.suffix(40))
  }
}

import Modeling
import Queries
import Stores
import TestSupport
import Testing

@testable import ObjectGraph

/// Hooks that do anything at random: a save that fails changes nothing, one that does not leaves memory and store alike.
@Suite(.seeded) struct HookFuzzTests {
  struct Stop: Error {}

  /// A program of changes and saves, with hooks that change further objects, delete some and fail at times.
  final class Program {
    let library: Library
    var random: XorShift
    var objects: [ManagedObject] = []
    var budget = 0

    init(seed: UInt64) throws {
      library = try Library()
      random = XorShift(seed: seed)
      let hook: (ManagedObject) throws -> Void = { [unowned self] object in
        guard budget > 0 else { return }
        budget -= 1
        try change(object)
        if Int.random(in: 0..<12, using: &random) == 0 { throw Stop() }
      }
      library.context.hooks.willSave = hook
      library.context.hooks.awakeFromInsert = hook
      library.context.hooks.prepareForDeletion = hook
      library.context.hooks.contextWillSave = { [unowned self] in if let any = living.first { try hook(any) } }
      library.context.hooks.validate = { object, _ in
        guard object.entity.name == "Book", try object.get("pages") == .int(13) else { return [] }
        return [Violation(entity: "Book", property: "pages", kind: .custom, value: .int(13))]
      }
    }

    var living: [ManagedObject] { objects.filter { !$0.isDeleted } }

    /// Changes the object or another, makes one, or deletes one.
    func change(_ object: ManagedObject) throws {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: objects.append(try library.make("Author", ["name": .string("n\(objects.count)")]))
      case 1:
        let book = try library.make("Book", ["title": .string("t\(objects.count)")])
        objects.append(book)
        if let author = living.first(where: { $0.entity.name == "Author" }) { try book.setOne("author", author) }
      case 2: try living.randomElement(using: &random)?.delete()
      case 3: if !object.isDeleted { try object.delete() }
      default:
        let pages = Int64.random(in: 0..<20, using: &random)
        for book in living where book.entity.name == "Book" && Bool.random(using: &random) {
          try book.set("pages", .int(pages))
        }
      }
    }

    /// What a context holds, as text that does not depend on keys.
    func dump(_ context: ObjectContext) throws -> [String] {
      let books = try context.fetch(FetchRequest(library.entity("Book"))).objectList().map { book in
        let author = try book.one("author")?.get("name").displayText ?? "none"
        return "\(try book.get("title").displayText) \(try book.get("pages").displayText) \(author)"
      }
      let authors = try context.fetch(FetchRequest(library.entity("Author"))).objectList().map { author in
        "\(try author.get("name").displayText) \(try author.many("books").count)"
      }
      return books.sorted() + authors.sorted()
    }
  }

  @Test(arguments: 1...12) func aSaveKeepsAllOrNothing(seed: UInt64) throws {
    let program = try Program(seed: seed)
    let context = program.library.context
    for step in 0..<40 {
      program.budget = 0
      for _ in 0..<3 {
        // What a hook refuses is not made.
        do { try program.change(program.living.first ?? program.library.make("Author")) } catch is Stop {}
      }
      let (memory, store) = (try program.dump(context), try program.dump(program.library.reread()))
      let count = context.changeCount
      program.budget = 6
      do {
        try context.save()
        #expect(!context.hasChanges)
        let written = try program.dump(program.library.reread())
        #expect(try program.dump(context) == written, "step \(step)")
      } catch {
        #expect(error is Stop || error is GraphError)
        program.budget = 0
        #expect(try program.dump(context) == memory, "step \(step)")
        #expect(try program.dump(program.library.reread()) == store, "step \(step)")
        #expect(context.changeCount == count)
        context.rollback()
      }
      #expect(try context.checkInvariants() == [], "step \(step)")
    }
  }
}

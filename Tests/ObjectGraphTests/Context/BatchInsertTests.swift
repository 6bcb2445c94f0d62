import Modeling
import Queries
import Stores
import Testing

@testable import ObjectGraph

/// Rows that a batch writes are checked as objects are.
@Suite struct BatchInsertTests {
  private let library: Library

  init() throws { library = try Library() }

  private func insert(_ name: String, _ rows: [[String: Value]]) throws -> Int {
    let entity = try library.entity(name)
    var rest = rows.makeIterator()
    return try library.context.batchInsert(entity) {
      rest.next()?.map { (property: entity.index(of: $0)!, value: $1) }
    }.count
  }

  private func refusal(_ name: String, _ rows: [[String: Value]]) -> String {
    do {
      _ = try insert(name, rows)
      return "written"
    } catch { return "\(error)" }
  }

  @Test func objectsAreReferredToByTheirKeys() throws {
    let author = try library.make("Author", ["name": .string("Ann")])
    try library.context.save()
    let id = Value.object(author.objectID)
    #expect(
      try insert("Book", [["title": .string("a"), "author": id], ["title": .string("b"), "author": .null]]) == 2)
    #expect(try library.rows("SELECT author_pk FROM book ORDER BY title") == [[.int(author.objectID.key)], [.null]])
  }

  @Test func whatIsNoObjectOfTheDestinationIsRefused() throws {
    let tag = try library.make("Tag")
    let unsaved = try library.make("Author")
    #expect(refusal("Book", [["title": .string("a"), "author": .int(1)]]).contains("wrongEntity"))
    #expect(refusal("Book", [["title": .string("a"), "author": .object(tag.objectID)]]).contains("wrongEntity"))
    #expect(refusal("Book", [["title": .string("a"), "author": .object(unsaved.objectID)]]).contains("unsavedObject"))
    #expect(refusal("Book", [["title": .string("a"), "tags": .list([])]]).contains("notWritable"))
    let other = try Library()
    let stranger = try other.make("Author")
    try other.context.save()
    #expect(
      refusal("Book", [["title": .string("a"), "author": .object(stranger.objectID)]]).contains("objectOfOtherStore"))
    #expect(try library.rows("SELECT count(*) FROM book") == [[.int(0)]])
  }

  @Test func whatIsMandatoryIsAskedForInEachRow() throws {
    #expect(refusal("Loan", [["who": .string("x")]]).contains("missingMandatory"))
    #expect(refusal("Book", [["pages": .int(1)]]).contains("missingMandatory"))
    #expect(
      refusal("Book", [["title": .string("a")], ["title": .string("b"), "pages": .string("many")]]).contains("2"))
  }
}

import Modeling
import Testing

@testable import ObjectGraph

/// The objects that observers receive for deleted ones.
@Suite struct DeletedObjectsTests {
  let library: Library
  init() throws { library = try Library() }

  @Test func anObjectWhoseRowOthersDeletedIsDeleted() throws {
    let tags = try ["a", "b"].map { try library.make("Tag", ["label": .string($0)]) }
    try library.context.save()
    _ = try library.rows("DELETE FROM tag WHERE label = 'a'")
    #expect(library.context.deletedObjects(tags.map(\.objectID)) == tags)
    #expect(tags.map(\.isDeleted) == [true, false])
  }

  @Test func anObjectThatExistsAgainIsReturnedAsItIs() throws {
    let tag = try library.make("Tag", ["label": .string("a")])
    try library.context.save()
    let key = tag.objectID.key
    _ = try library.rows("DELETE FROM tag")
    _ = try library.rows("INSERT INTO tag(_pk, label) VALUES (\(key), 'b')")
    let found = library.context.deletedObjects([tag.objectID])[0]
    #expect(!found.isDeleted)
    #expect(try found.get("label") == .string("b"))
  }

  /// Where its row comes back, unsaved links must lead to it, and not to another object of its key.
  @Test func anObjectThatUnsavedLinksLeadToIsKept() throws {
    let book = try library.make("Book", ["title": .string("One")])
    let tag = try library.make("Tag", ["label": .string("a")])
    try library.context.save()
    try book.add("tags", tag)
    _ = try library.rows("DELETE FROM tag")
    _ = library.context.deletedObjects([tag.objectID])
    library.context.forgetDeletedRows()
    _ = try library.rows("INSERT INTO tag(_pk, label) VALUES (1, 'b')")
    library.context.noticeRemoteWrites()
    #expect(try library.all("Tag") == [tag])
    #expect(try book.many("tags") == [tag])
    #expect(try tag.many("books") == [book])
    #expect(try library.context.checkInvariants() == [])
    try library.context.save()
    #expect(try library.rows("SELECT count(*) FROM book_tags") == [[.int(1)]])
  }

  @Test func anObjectThatTheContextNeverHadIsADeletedOne() throws {
    let id = ObjectID(entity: try library.entity("Tag"), key: 77)
    let found = library.context.deletedObjects([id, id])
    #expect(found.map(\.objectID) == [id, id])
    #expect(found.map(\.isDeleted) == [true, true])
  }
}

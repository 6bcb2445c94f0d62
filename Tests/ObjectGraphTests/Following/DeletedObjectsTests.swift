import Modeling
import Testing

@testable import ObjectGraph

/// The objects that stand for what observers are told was deleted.
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

  @Test func anObjectThatTheContextNeverHadIsADeletedOne() throws {
    let id = ObjectID(entity: try library.entity("Tag"), key: 77)
    let found = library.context.deletedObjects([id, id])
    #expect(found.map(\.objectID) == [id, id])
    #expect(found.map(\.isDeleted) == [true, true])
  }
}

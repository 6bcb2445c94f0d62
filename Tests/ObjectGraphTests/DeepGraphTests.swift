import Modeling
import Queries
import SQLiteStorage
import Stores
import Testing

@testable import ObjectGraph

/// Graphs that are as deep as they have objects.
@Suite struct DeepGraphTests {
  private let store: SQLiteStore
  private let context: ObjectContext
  private let node: Entity

  private static let levels = 20_000

  init() throws {
    var down = Relationship(toMany: "down", "Node", inverse: "up")
    down.deleteRule = .cascade
    var options = StoreOptions(path: ":memory:")
    options.model = try Model([
      EntityDescription(
        "Node",
        properties: [
          .attribute(Attribute("number", .integer64)), .relationship(down),
          .relationship(Relationship(toOne: "up", "Node", inverse: "down")),
        ])
    ])
    store = try SQLiteStore(options)
    context = ObjectContext(store: store)
    node = try #require(store.model.entity(named: "Node"))
  }

  /// A chain of new objects, the uppermost first. `isReversed` makes each before the one that it leads to.
  private func chain(_ count: Int, isReversed: Bool = false) throws -> [ManagedObject] {
    let objects = try (0..<count).map { number in
      let object = try context.insert(node)
      try object.set("number", .int(Int64(number)))
      return object
    }
    let chain = isReversed ? objects.reversed() : objects
    for (above, below) in zip(chain, chain.dropFirst()) { try below.setOne("up", above) }
    return chain
  }

  @Test(arguments: [false, true])
  func aChainOfNewObjectsIsSavedWhateverItsOrder(isReversed: Bool) throws {
    let chain = try chain(Self.levels, isReversed: isReversed)
    try context.save()
    let other = ObjectContext(store: store)
    for (above, below) in zip(chain, chain.dropFirst()) {
      #expect(try other.object(below.objectID).one("up")?.objectID == above.objectID)
    }
  }

  @Test func aRingOfNewObjectsIsSaved() throws {
    let chain = try chain(Self.levels, isReversed: true)
    try chain[0].setOne("up", chain.last)
    try context.save()
    let other = ObjectContext(store: store)
    #expect(try other.object(chain[0].objectID).one("up")?.objectID == chain.last?.objectID)
    #expect(try other.object(chain[9].objectID).one("up")?.objectID == chain[8].objectID)
  }

  @Test func aCascadeReachesAsDeepAsTheData() throws {
    context.levelsOfUndo = 9
    let chain = try chain(Self.levels)
    try context.save()
    context.closeUndoGroup()
    let count = try request()
    try chain[0].delete()
    let left = chain.filter { !$0.isDeleted }
    #expect(left.isEmpty)
    #expect(try context.undo() && !context.hasChanges && context.redo())
    try context.save()
    #expect(try store.count(count) == 0)
    #expect(try context.undo() && context.count(count) == Self.levels)
    try context.save()
    #expect(try store.count(count) == Self.levels)
    #expect(try chain[Self.levels - 1].one("up") == chain[Self.levels - 2])
  }

  @Test func aConflictAtTheEndOfACascadeRevivesAllOfIt() throws {
    context.mergePolicy = .storeTrump
    let chain = try chain(Self.levels)
    try context.save()
    try chain[0].delete()
    let other = ObjectContext(store: store)
    try other.object(chain[Self.levels - 1].objectID).set("number", .int(-1))
    try other.save()
    try context.save()
    #expect(try store.count(request()) == Self.levels)
    #expect(try chain[Self.levels - 1].get("number") == .int(-1))
    #expect(try chain[1].one("up") == chain[0])
  }

  /// Whether the rows above or those below come first in the file.
  @Test(arguments: [false, true])
  func aBatchReachesAsDeepAsTheData(isReversed: Bool) throws {
    let chain = try chain(Self.levels, isReversed: isReversed)
    try context.save()
    let kept = try context.insert(node)
    try context.save()
    var request = try request()
    request.predicate = try Predicate.parse("number = \(isReversed ? Self.levels - 1 : 0)")
    #expect(try store.batchDelete(request) == 1)
    #expect(try store.keys(self.request()) == [kept.objectID.key])
    _ = try store.reverseSave(.undo)
    #expect(try store.count(self.request()) == Self.levels + 1)
    #expect(try context.object(chain[700].objectID).one("up") == chain[699])
    _ = try store.reverseSave(.redo)
    #expect(try store.count(self.request()) == 1)
  }

  @Test func sqlReachesAsDeepAsTheData() throws {
    _ = try chain(5_000)
    try context.save()
    _ = try store.sql("DELETE FROM node WHERE number = 0")
    #expect(try store.count(request()) == 0)
    _ = try store.reverseSave(.undo)
    #expect(try store.count(request()) == 5_000)
  }

  private func request() throws -> FetchRequest { FetchRequest(node) }
}

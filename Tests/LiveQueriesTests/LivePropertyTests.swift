import Modeling
import ObjectGraph
import Queries
import Reactive
import Testing

@testable import LiveQueries

/// Live properties whose environment has another context.
@Suite struct LivePropertyTests {
  private let world: LiveWorld
  private let environment = Environment()

  init() throws {
    world = try LiveWorld()
    try world.sql("INSERT INTO trip (name, cost) VALUES ('a', 1), ('b', 2)")
  }

  private func names(_ property: LiveProperty, in world: LiveWorld, _ context: ObjectContext) throws -> String {
    try environment.with(\.managedObjectContext, world.live.context(context)) {
      try property.objects.map { if case .string(let name) = try $0.get("name") { name } else { "?" } }.joined()
    }
  }

  private func property(_ sort: [String] = ["name"]) -> LiveProperty {
    LiveProperty("Trip", animation: .easeIn, in: environment) { $0.sortDescriptors = sort.map { SortDescriptor($0) } }
  }

  private func places(_ change: ResultsChange) -> String {
    "+\(change.inserted.map { $0.index ?? -1 }) -\(change.deleted.map { $0.oldIndex ?? -1 })"
  }

  @Test func anotherContextIsFetchedFromByTheConfigurationAsItIsByNow() throws {
    let child = ObjectContext(parent: world.context)
    try world.make("Trip", ["name": .string("c")], in: child)
    let property = property()
    #expect(try names(property, in: world, world.context) == "ab")
    property.configure { $0.sortDescriptors = [SortDescriptor("-name")] }
    #expect(try names(property, in: world, child) == "cba")
    #expect(property.context === child)
    #expect(property.results?.animation == .easeIn)
    #expect(try names(property, in: world, world.context) == "ba")
  }

  @Test func observersAreToldWhatAnotherContextShowsOnce() throws {
    let child = ObjectContext(parent: world.context)
    try world.make("Trip", ["name": .string("aa")], in: child)
    let property = property()
    #expect(try names(property, in: world, world.context) == "ab")
    var changes: [ResultsChange] = []
    let token = property.onChange { changes.append($0) }
    defer { token.cancel() }
    #expect(try names(property, in: world, child) == "aaab")
    try world.turn.run()
    #expect(changes.map(places) == ["+[1] -[]"])
    #expect(changes.first?.kind == .configuration)
    #expect(changes.first?.isReload == true, "the objects of a row are others in another context")
    #expect(changes.first?.transaction.animation == .easeIn)
    try world.make("Trip", ["name": .string("d")], in: child)
    try world.turn.run()
    #expect(changes.map(places) == ["+[1] -[]", "+[3] -[]"])
    token.cancel()
    #expect(try names(property, in: world, world.context) == "ab")
    try world.turn.run()
    #expect(changes.count == 2)
  }

  @Test func unsavedObjectsOfUnrelatedContextsAreOthers() throws {
    try world.make("Trip", ["name": .string("c")])
    let other = ObjectContext(store: world.store)
    try world.make("Trip", ["name": .string("d")], in: other)
    let property = property()
    #expect(try names(property, in: world, world.context) == "abc")
    var changes: [ResultsChange] = []
    let token = property.onChange { changes.append($0) }
    defer { token.cancel() }
    #expect(try names(property, in: world, other) == "abd")
    try world.turn.run()
    #expect(changes.map(places) == ["+[] -[0, 1, 2]", "+[0, 1, 2] -[]"])
  }

  @Test func objectsOfAnotherStoreAreOthers() throws {
    let second = try LiveWorld()
    try second.sql("INSERT INTO trip (name) VALUES ('x')")
    let property = property()
    #expect(try names(property, in: world, world.context) == "ab")
    var changes: [ResultsChange] = []
    let token = property.onChange { changes.append($0) }
    defer { token.cancel() }
    #expect(try names(property, in: second, second.context) == "x")
    try world.turn.run()
    try second.turn.run()
    #expect(changes.map(places) == ["+[] -[0, 1]", "+[0] -[]"])
    try world.sql("DELETE FROM trip")
    #expect(changes.count == 2)
    try second.sql("DELETE FROM trip")
    #expect(changes.map(places).last == "+[] -[0]")
  }

  @Test func aContextWhoseModelLacksTheEntityShowsNothingAndTellsSo() throws {
    let strange = try LiveWorld(
      model: Model([EntityDescription("Cat", properties: [.attribute(Attribute("name", .string))])]))
    let property = property()
    #expect(try names(property, in: world, world.context) == "ab")
    property.configure { request in
      request.sortDescriptors = [SortDescriptor("name")]
      request.fetchLimit = 1
    }
    var changes: [ResultsChange] = []
    let token = property.onChange { changes.append($0) }
    defer { token.cancel() }
    #expect(try names(property, in: strange, strange.context) == "")
    #expect(property.error as? LiveQueryError == LiveQueryError(.unknownEntity("Trip")))
    try world.turn.run()
    #expect(changes.map(places) == ["+[] -[0]"])
    #expect(try names(property, in: world, world.context) == "a")
    try world.turn.run()
    #expect(changes.map(places) == ["+[] -[0]", "+[0] -[]"])
  }

  @Test func aClosedPropertyStaysAsItIs() throws {
    let property = property()
    #expect(try names(property, in: world, world.context) == "ab")
    var count = 0
    let token = property.onChange { _ in count += 1 }
    defer { token.cancel() }
    property.close()
    try world.sql("DELETE FROM trip")
    let other = ObjectContext(store: world.store)
    #expect(environment.with(\.managedObjectContext, world.live.context(other)) { property.objects.count } == 2)
    #expect(count == 0)
    #expect(!property.configure { $0.fetchLimit = 1 })
    #expect(property.error as? LiveQueryError == LiveQueryError(.closed))
    #expect(property.onChange { _ in }.isActive)
  }
}

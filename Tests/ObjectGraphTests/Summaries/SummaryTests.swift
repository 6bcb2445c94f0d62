import Foundation
import Modeling
import Queries
import SQLiteStorage
import Stores
import Testing

@testable import ObjectGraph

@Suite struct SummaryTests {
  private let store: SQLiteStore

  init() throws {
    var options = StoreOptions(path: ":memory:")
    options.model = try Self.model()
    options.create = true
    store = try SQLiteStore(options)
  }

  private static func model() throws -> Model {
    var inner = Attribute("inner", .composite)
    inner.elements = [Attribute("deep", .double)]
    var size = Attribute("size", .composite)
    size.elements = [Attribute("width", .integer32), inner]
    var note = Attribute("note", .string)
    note.isTransient = true
    return try Model([
      EntityDescription(
        "Thing",
        properties: [
          .attribute(Attribute("name", .string)), .attribute(Attribute("price", .decimal)),
          .attribute(Attribute("day", .date)), .attribute(Attribute("code", .uuid)),
          .attribute(Attribute("raw", .data)),
          .attribute(Attribute("link", .url)), .attribute(Attribute("isNew", .boolean)),
          .attribute(Attribute("anything", .any)), .attribute(size), .attribute(note),
          .relationship(Relationship(toOne: "shop", "Shop", inverse: "things")),
        ]),
      EntityDescription(
        "Shop",
        properties: [
          .attribute(Attribute("name", .string)),
          .relationship(Relationship(toMany: "things", "Thing", inverse: "shop")),
        ]),
    ])
  }

  private func entity(_ name: String) throws -> Entity { try #require(store.model.entity(named: name)) }

  /// Things of which every property is nothing now and then, in two shops.
  private func fill(_ context: ObjectContext, _ count: Int) throws {
    let shops = try (0..<2).map { _ in try context.insert(entity("Shop")) }
    let code = UUID()
    for number in 0..<count {
      let thing = try context.insert(entity("Thing"))
      if number % 7 != 0 { try thing.set("name", .string("n\(number % 13)")) }
      if number % 5 != 0 { try thing.set("price", .decimal(Decimal(number % 11) / 10)) }
      if number % 3 != 0 { try thing.set("day", .date(Timestamp(Double(number % 17) * 3600))) }
      if number % 4 == 0 { try thing.set("code", .uuid(code)) }
      try thing.set("raw", .data([UInt8](repeating: 1, count: number % 6)))
      try thing.set("link", .url("http://example.org/\(number % 2)"))
      try thing.set("isNew", .bool(number % 9 == 0))
      try thing.set("anything", number % 2 == 0 ? .int(Int64(number % 3)) : .string("x"))
      let deep = JSON.object(["deep": .double(Double(number % 4) / 2)])
      if number % 6 != 0 { try thing.set("size", .json(.object(["width": .int(Int64(number % 8)), "inner": deep]))) }
      if number % 10 != 0 { try thing.setOne("shop", shops[number % 2]) }
    }
  }

  @Test func rowsAreSummedUpAsTheirObjectsBeforeTheSave() throws {
    let context = ObjectContext(store: store)
    try fill(context, 5000)
    var told: [Int] = []
    let unsaved = try context.summary(FetchRequest(entity("Thing"))) { told.append($0) }
    #expect(told == [4096])
    try context.save()
    told = []
    let stored = try ObjectContext(store: store).summary(FetchRequest(entity("Thing"))) { told.append($0) }
    // Composite attributes are read of objects, in a second pass.
    #expect(told == [2048, 4096])
    #expect(
      stored.map(\.name) == [
        "name", "price", "day", "code", "raw", "link", "isNew", "anything", "size.width", "size.inner.deep", "shop",
      ])
    for (one, other) in zip(unsaved, stored) where one.name != "shop" {
      #expect("\(one)" == "\(other)", "\(one.name)")
    }
    // An unsaved shop has another key than the saved one.
    #expect(unsaved[10].nulls == stored[10].nulls)
  }

  @Test func membersAreCountedForEachObject() throws {
    let context = ObjectContext(store: store)
    try fill(context, 30)
    try context.save()
    let summary = try context.summary(FetchRequest(entity("Shop")))
    #expect(summary.map(\.name) == ["name", "things"])
    #expect(summary[1].type == "→→ Thing")
  }

  @Test func aPropertyThatIsAskedForKeepsItsName() throws {
    let context = ObjectContext(store: store)
    try fill(context, 30)
    try context.save()
    let summary = try context.summary(
      FetchRequest(entity("Thing")),
      of: [
        ("n", Expression.parse("name")), ("s", Expression.parse("shop")), ("w", Expression.parse("#size.width * 2")),
      ])
    #expect(summary.map(\.name) == ["name", "shop", "w"])
  }
}

import Modeling
import ObjectGraph
import Queries
import Reactive
import SQLiteStorage
import Stores
import Testing

@testable import LiveQueries

/// A store of trips in which every kind of relationship stands, with something live over it.
final class LiveWorld {
  let store: SQLiteStore
  let context: ObjectContext
  let turn = Turn()
  let live: LiveStore
  var failures: [String] = []
  /// Which errors may come of what a test does, and whether any came.
  var isExpected: (any Error) -> Bool = { _ in false }
  var hadExpectedFailure = false

  convenience init(path: String = ":memory:", model: Model? = nil) throws {
    var options = StoreOptions(path: path)
    options.model = try model ?? Self.model()
    options.create = true
    try self.init(SQLiteStore(options))
  }

  init(_ store: SQLiteStore) throws {
    self.store = store
    context = ObjectContext(store: store)
    live = LiveStore(store, turn: turn)
    live.onError = { [unowned self] in
      if isExpected($0) { hadExpectedFailure = true } else { failures.append("\($0)") }
    }
  }

  deinit { live.stop() }

  /// `code` is an attribute of trips that no two have in common.
  static func model(code: Bool = false) throws -> Model {
    var day = Attribute("day", .string)
    day.derivation = "day(start)"
    var guests = Relationship(toMany: "guests", "Guest", inverse: "trip")
    guests.deleteRule = .cascade
    var unique = Attribute("code", .string)
    unique.isUnique = true
    return try Model([
      EntityDescription(
        "Trip",
        properties: (code ? [.attribute(unique)] : []) + [
          .attribute(Attribute("name", .string)), .attribute(Attribute("cost", .double)),
          .attribute(Attribute("stars", .integer32)), .attribute(Attribute("start", .date)), .attribute(day),
          .attribute(Attribute("note", .string)),
          .relationship(Relationship(toOne: "place", "Place", inverse: "trips")), .relationship(guests),
          .relationship(Relationship(toMany: "tags", "Tag", inverse: "trips")),
        ]),
      EntityDescription(
        "Place",
        properties: [
          .attribute(Attribute("name", .string)), .attribute(Attribute("rank", .integer32)),
          .relationship(Relationship(toOne: "country", "Country", inverse: "places")),
          .relationship(Relationship(toMany: "trips", "Trip", inverse: "place")),
        ]),
      EntityDescription(
        "Country",
        properties: [
          .attribute(Attribute("name", .string)),
          .relationship(Relationship(toMany: "places", "Place", inverse: "country")),
        ]),
      EntityDescription(
        "Guest",
        properties: [
          .attribute(Attribute("name", .string)), .attribute(Attribute("age", .integer32)),
          .relationship(Relationship(toOne: "trip", "Trip", inverse: "guests")),
        ]),
      EntityDescription(
        "Tag",
        properties: [
          .attribute(Attribute("label", .string)),
          .relationship(Relationship(toMany: "trips", "Trip", inverse: "tags")),
        ]),
    ])
  }

  func entity(_ name: String) throws -> Entity { try #require(store.model.entity(named: name)) }

  func request(
    _ entity: String = "Trip", _ predicate: String? = nil, sort: [String] = [], section: String? = nil
  ) throws -> FetchRequest {
    var request = FetchRequest(try self.entity(entity))
    request.predicate = try predicate.map { try Predicate.parse($0) }
    request.sortDescriptors = try sort.map(Self.sortDescriptor)
    request.sectionIdentifier = try section.map { try Expression.parse($0) }
    return request
  }

  /// A sort descriptor of any expression, with a sign for the direction.
  static func sortDescriptor(_ text: String) throws -> SortDescriptor {
    let descends = text.hasPrefix("-")
    return SortDescriptor(try Expression.parse(descends ? String(text.dropFirst()) : text), ascending: !descends)
  }

  func results(_ request: FetchRequest) throws -> FetchedResults {
    try FetchedResults(request, in: live.context(context))
  }

  @discardableResult
  func make(_ entity: String, _ values: [String: Value] = [:], in other: ObjectContext? = nil) throws -> ManagedObject {
    let object = try (other ?? context).insert(self.entity(entity))
    for (name, value) in values { try object.setAttribute(at: object.index(name), value) }
    return object
  }

  func save() throws {
    try context.save()
    try turn.run()
  }

  func sql(_ text: String, _ arguments: [Value] = [], runsTurn: Bool = true) throws {
    let cursor = try store.sql(text, arguments)
    while try cursor.step() {}
    cursor.close()
    if runsTurn { try turn.run() }
  }
}

extension ManagedObject {
  func index(_ name: String) throws -> Int { try #require(entity.index(of: name)) }
  func get(_ name: String) throws -> Value { try attribute(at: index(name)) }
  func set(_ name: String, _ value: Value) throws { try setAttribute(at: index(name), value) }
}

import Modeling
import ObjectGraph
import Queries
import TestSupport
import Testing

@testable import LiveQueries

/// Random requests for trips and random changes of objects, all from one seed.
final class RandomGraph {
  var random: SplitMix
  /// What was done since it was cleared last, for messages.
  var log: [String] = []
  let world: LiveWorld

  init(_ world: LiveWorld, seed: UInt64) {
    self.world = world
    random = SplitMix(seed: seed)
  }

  func note(_ text: String) { log.append(text) }

  // MARK: Requests

  static let predicates = [
    nil, nil, "cost >= 3", "stars == nil OR stars > 2", "name BEGINSWITH[c] 'a'", "place.name == 'b'",
    "place.country.name != 'a'", "ANY guests.age > 4", "guests.@count > 1", "ANY tags.label == 'b'",
    "SUBQUERY(guests, $g, $g.age > 3 AND $g.name == 'a').@count > 0", "NONE tags.label == 'a'", "day != nil",
    "NOT place.rank > 2", "guests.@sum.age > 6", "TERNARY(cost > 3, stars, 0) >= 2",
  ]
  static let orders = [
    [], ["cost"], ["-cost"], ["-start"], ["name", "-cost"], ["place.name", "cost"], ["-place.country.name", "stars"],
    ["guests.@count", "name"], ["stars", "-name"], ["-day", "cost"],
  ]
  /// Sections by a part of a date are for attributes that are dates.
  private var sections: [String?] {
    let hasDates = (try? world.entity("Trip"))?.attributes.contains { $0.name == "start" && $0.type == .date } ?? false
    return [
      nil, nil, nil, "day", "place.name", "stars", hasDates ? "day(start)" : "note", "place.country.name",
      "guests.@count", "name",
    ]
  }

  func request() throws -> FetchRequest {
    var request = try world.request("Trip", random.pick(Self.predicates))
    try shape(&request)
    return request
  }

  func shape(_ request: inout FetchRequest) throws {
    request.sectionIdentifier = try random.pick(sections).map { try Expression.parse($0) }
    request.sortDescriptors = try random.pick(Self.orders).map(LiveWorld.sortDescriptor)
    if let section = request.sectionIdentifier {
      // What would tear sections apart is refused; sort by it first, or not at all.
      request.sortDescriptors.removeAll { $0.expression == section }
      if "\(section)" == "day(start)", random.chance(oneIn: 2) {
        request.sortDescriptors = [SortDescriptor("-start")]
      }
    }
    // The first of rows in no order are any.
    let hasOrder = !request.sortDescriptors.isEmpty || request.sectionIdentifier != nil
    request.fetchLimit = hasOrder && random.chance(oneIn: 3) ? 1 + random.below(6) : nil
    request.fetchOffset = hasOrder && random.chance(oneIn: 4) ? random.below(4) : 0
    request.includesPendingChanges = !random.chance(oneIn: 6)
  }

  /// Gives results another predicate, or another order and limit.
  func configure(_ results: FetchedResults) throws {
    note("configure")
    let predicate = try random.pick(Self.predicates).map { try Predicate.parse($0) }
    var wanted = results.request
    if random.chance(oneIn: 2) { wanted.predicate = predicate } else { try shapeAgain(&wanted) }
    try results.configure { $0 = wanted }
  }

  private func shapeAgain(_ request: inout FetchRequest) throws {
    request.fetchLimit = random.chance(oneIn: 2) ? 1 + random.below(6) : nil
    request.fetchOffset = random.chance(oneIn: 3) ? random.below(4) : 0
    guard request.sectionIdentifier == nil else { return }
    request.sortDescriptors = try random.pick(Self.orders).map(LiveWorld.sortDescriptor)
    if request.sortDescriptors.isEmpty { (request.fetchLimit, request.fetchOffset) = (nil, 0) }
  }

  // MARK: Objects

  func insert(in context: ObjectContext) throws {
    let kind = random.pick(["Trip", "Trip", "Trip", "Place", "Country", "Guest", "Tag"])
    note("insert \(kind)")
    let object = try world.make(kind, in: context)
    try fill(object)
    if random.chance(oneIn: 2) { try link(object) }
  }

  func change(in context: ObjectContext) throws {
    let kind = random.pick(["Trip", "Trip", "Trip", "Place", "Country", "Guest", "Tag"])
    guard let object = try any(kind, in: context) else { return }
    note("change \(object.objectID)")
    try fill(object)
  }

  func link(in context: ObjectContext) throws {
    guard let object = try any(random.pick(["Trip", "Place", "Guest", "Tag"]), in: context) else { return }
    try link(object)
  }

  func delete(in context: ObjectContext) throws {
    guard let object = try any(random.pick(["Trip", "Trip", "Place", "Guest", "Tag"]), in: context) else { return }
    note("delete \(object.objectID)")
    try object.delete()
  }

  private func fill(_ object: ManagedObject) throws {
    for (index, property) in object.entity.properties.enumerated() {
      guard let attribute = property.attribute, attribute.isWritable, attribute.name != "id" else { continue }
      if attribute.name == "code" {
        try fillCode(object, index)
      } else if random.chance(oneIn: 2) {
        try object.setAttribute(at: index, value(attribute.type))
      }
    }
  }

  /// A code is unique, and in some stores the key, which every row has and keeps.
  private func fillCode(_ object: ManagedObject, _ index: Int) throws {
    if case .columns = world.store.layout(of: object.entity).key {
      if object.objectID.isTemporary { try object.setAttribute(at: index, .string("c\(random.below(12))")) }
    } else if random.chance(oneIn: 3) {
      try object.setAttribute(at: index, random.chance(oneIn: 4) ? .null : .string("c\(random.below(12))"))
    }
  }

  private func value(_ type: AttributeType) -> Value {
    if random.chance(oneIn: 7) { return .null }
    switch type {
    case .double: return .double(Double(random.below(12)) / 2)
    case .integer32, .integer64: return .int(Int64(random.below(6)))
    case .date: return .date(Timestamp(Double(random.below(5)) * 86400 * 0.75 + 1_700_000_000))
    default: return .string(random.pick(["a", "A", "b", "ab", "", "é"]))
    }
  }

  private func link(_ object: ManagedObject) throws {
    for (index, property) in object.entity.properties.enumerated() {
      guard let relationship = property.relationship, random.chance(oneIn: 2) else { continue }
      guard let target = try any(object.entity.destination(at: index).name, in: object.context) else { continue }
      note("link \(object.objectID).\(property.name) \(target.objectID)")
      if relationship.isToMany {
        try object.setMember(at: index, target, isMember: random.chance(oneIn: 2))
      } else {
        try object.setRelated(at: index, to: random.chance(oneIn: 4) ? nil : target)
      }
    }
  }

  private func any(_ entity: String, in context: ObjectContext) throws -> ManagedObject? {
    let all = try context.fetch(FetchRequest(world.entity(entity))).objectList().filter { !$0.isDeleted }
    return all.isEmpty ? nil : random.pick(all)
  }
}

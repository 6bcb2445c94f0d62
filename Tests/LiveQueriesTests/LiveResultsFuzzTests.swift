import Modeling
import ObjectGraph
import Queries
import Storage
import Testing

@testable import LiveQueries

/// Random requests, and random writes of every kind: after each turn results are what a fetch gives, and the differences
/// lead from the one state to the next.
@Suite struct LiveResultsFuzzTests {
  /// Seeds that found mistakes.
  static let finds: [UInt64] = [165, 176, 201, 363, 388, 427, 465]

  @Test(arguments: finds + Array(0..<UInt64(Effort.rounds(30))))
  func resultsAreWhatAFetchGives(seed: UInt64) throws {
    var program = try LiveProgram(seed: seed)
    try program.run(turns: 25)
    #expect(program.problems.isEmpty, "seed \(seed): \(program.problems.joined(separator: "\n"))")
  }

  @Test(arguments: 0..<UInt64(Effort.rounds(20)))
  func resultsThatShareTheRowsTheyReadAreWhatAFetchGives(seed: UInt64) throws {
    var program = try LiveProgram(seed: seed, resultCount: SharedRows.fewestResults + 4)
    try program.run(turns: 20)
    #expect(program.problems.isEmpty, "seed \(seed): \(program.problems.joined(separator: "\n"))")
  }
}

/// A random program over a live world.
struct LiveProgram {
  private var random: SplitMix
  private let world: LiveWorld
  private let folder: TemporaryFolder
  private let other: ObjectContext
  private var mirrors: [ResultsMirror] = []
  private(set) var problems: [String] = []
  private var log: [String] = []

  init(seed: UInt64, resultCount: Int = 3) throws {
    random = SplitMix(seed: seed)
    folder = try TemporaryFolder()
    world = try LiveWorld(path: folder.path + "/trips.sqlite")
    other = ObjectContext(store: world.store)
    for _ in 0..<random.below(20) { try insert() }
    try world.save()
    for _ in 0..<resultCount { mirrors.append(ResultsMirror(try world.results(try request()))) }
  }

  mutating func run(turns: Int) throws {
    for turn in 0..<turns where problems.isEmpty {
      log = []
      for _ in 0..<1 + random.below(4) { try step() }
      try world.turn.run()
      for (number, mirror) in mirrors.enumerated() {
        for problem in try mirror.problems(in: world) {
          problems.append("turn \(turn), results \(number) \(describe(mirror)): \(problem)\n  after \(log)")
        }
      }
      if !world.failures.isEmpty { problems.append("\(world.failures) after \(log)") }
    }
  }

  private func describe(_ mirror: ResultsMirror) -> String {
    let request = mirror.results.request
    return "\(request.predicate.map { "\($0)" } ?? "all") sorted \(request.sortDescriptors.map { "\($0)" }) section "
      + "\(request.sectionIdentifier.map { "\($0)" } ?? "-") limit \(request.fetchLimit ?? 0) offset \(request.fetchOffset)"
  }

  // MARK: Requests

  private static let predicates = [
    nil, nil, "cost >= 3", "stars == nil OR stars > 2", "name BEGINSWITH[c] 'a'", "place.name == 'b'",
    "place.country.name != 'a'", "ANY guests.age > 4", "guests.@count > 1", "ANY tags.label == 'b'",
    "SUBQUERY(guests, $g, $g.age > 3 AND $g.name == 'a').@count > 0", "NONE tags.label == 'a'", "day != nil",
    "NOT place.rank > 2", "guests.@sum.age > 6", "TERNARY(cost > 3, stars, 0) >= 2",
  ]
  private static let orders = [
    [], ["cost"], ["-cost"], ["-start"], ["name", "-cost"], ["place.name", "cost"], ["-place.country.name", "stars"],
    ["guests.@count", "name"], ["stars", "-name"], ["-day", "cost"],
  ]
  private static let sections = [
    nil, nil, nil, "day", "place.name", "stars", "day(start)", "place.country.name", "guests.@count", "name",
  ]

  private mutating func request() throws -> FetchRequest {
    var request = try world.request("Trip", random.pick(Self.predicates))
    try shape(&request)
    return request
  }

  private mutating func shape(_ request: inout FetchRequest) throws {
    request.sectionIdentifier = try random.pick(Self.sections).map { try Expression.parse($0) }
    request.sortDescriptors = try random.pick(Self.orders).map(LiveWorld.sortDescriptor)
    if let section = request.sectionIdentifier {
      // What would tear sections apart is refused; sort by it first, or not at all.
      request.sortDescriptors.removeAll { $0.expression == section }
      if "\(section)" == "day(start)", random.chance(2) {
        request.sortDescriptors = [SortDescriptor("-start")]
      }
    }
    // The first of rows in no order are any.
    let hasOrder = !request.sortDescriptors.isEmpty || request.sectionIdentifier != nil
    request.fetchLimit = hasOrder && random.chance(3) ? 1 + random.below(6) : nil
    request.fetchOffset = hasOrder && random.chance(4) ? random.below(4) : 0
    request.includesPendingChanges = !random.chance(6)
  }

  // MARK: Steps

  private mutating func step() throws {
    switch random.below(15) {
    case 0, 1: try insert()
    case 2, 3, 4: try change(in: world.context)
    case 5: try link(in: world.context)
    case 6: try delete()
    case 7, 8: try save()
    case 9:
      note("rollback")
      world.context.rollback()
    case 10, 11: try writeSQL()
    case 12: try batch()
    case 13: try saveElsewhere()
    default: try configure()
    }
  }

  private mutating func note(_ text: String) { log.append(text) }

  private mutating func insert() throws {
    let kind = random.pick(["Trip", "Trip", "Trip", "Place", "Country", "Guest", "Tag"])
    note("insert \(kind)")
    let object = try world.make(kind)
    try fill(object)
    if random.chance(2) { try link(object) }
  }

  private mutating func fill(_ object: ManagedObject) throws {
    for (index, property) in object.entity.properties.enumerated() {
      guard let attribute = property.attribute, attribute.derivation == nil, random.chance(2) else { continue }
      try object.setAttribute(at: index, value(attribute.type))
    }
  }

  private mutating func value(_ type: AttributeType) -> Value {
    if random.chance(7) { return .null }
    switch type {
    case .double: return .double(Double(random.below(12)) / 2)
    case .integer32: return .int(Int64(random.below(6)))
    case .date: return .date(Timestamp(Double(random.below(5)) * 86400 * 0.75 + 1_700_000_000))
    default: return .string(random.pick(["a", "A", "b", "ab", "", "é"]))
    }
  }

  private func objects(_ entity: String, in context: ObjectContext) throws -> [ManagedObject] {
    try context.fetch(FetchRequest(world.entity(entity))).objectList().filter { !$0.isDeleted }
  }

  private mutating func any(_ entity: String, in context: ObjectContext) throws -> ManagedObject? {
    let all = try objects(entity, in: context)
    return all.isEmpty ? nil : random.pick(all)
  }

  private mutating func change(in context: ObjectContext) throws {
    let kind = random.pick(["Trip", "Trip", "Trip", "Place", "Country", "Guest", "Tag"])
    guard let object = try any(kind, in: context) else { return }
    note("change \(object.objectID)")
    try fill(object)
  }

  private mutating func link(in context: ObjectContext) throws {
    guard let object = try any(random.pick(["Trip", "Place", "Guest", "Tag"]), in: context) else { return }
    try link(object)
  }

  private mutating func link(_ object: ManagedObject) throws {
    for (index, property) in object.entity.properties.enumerated() {
      guard let relationship = property.relationship, random.chance(2) else { continue }
      guard let target = try any(object.entity.destination(at: index).name, in: object.context) else { continue }
      note("link \(object.objectID).\(property.name) \(target.objectID)")
      if relationship.isToMany {
        try object.setMember(at: index, target, isMember: random.chance(2))
      } else {
        try object.setRelated(at: index, to: random.chance(4) ? nil : target)
      }
    }
  }

  private mutating func delete() throws {
    guard let object = try any(random.pick(["Trip", "Trip", "Place", "Guest", "Tag"]), in: world.context) else {
      return
    }
    note("delete \(object.objectID)")
    try object.delete()
  }

  private mutating func save() throws {
    note("save")
    try world.context.save()
    if random.chance(2) { try world.turn.run() }
  }

  private mutating func writeSQL() throws {
    if world.context.hasChanges { try world.context.save() }
    let statements = [
      "UPDATE trip SET cost = cost + 1 WHERE _pk % 3 = 0", "UPDATE trip SET note = 'x' WHERE _pk % 2 = 0",
      "DELETE FROM trip WHERE _pk % 5 = 1", "UPDATE place SET name = 'b' WHERE _pk % 2 = 0",
      "UPDATE trip SET place_pk = (SELECT min(_pk) FROM place)", "DELETE FROM guest WHERE age > 4",
      "INSERT INTO trip (name, cost, start) VALUES ('ab', 2.5, 1700000000), ('b', NULL, 1700090000)",
      "INSERT OR REPLACE INTO trip (_pk, name, cost) VALUES ((SELECT max(_pk) FROM trip), 'r', 4)",
      "UPDATE country SET name = 'a' || name", "DELETE FROM guest",
      "SAVEPOINT s; UPDATE trip SET cost = 0; ROLLBACK TO s; RELEASE s",
      "BEGIN; UPDATE trip SET stars = 1 WHERE stars IS NULL; DELETE FROM tag WHERE _pk % 2; ROLLBACK",
      "BEGIN; UPDATE trip SET stars = 3 WHERE stars = 2; UPDATE trip SET name = 'A' WHERE stars = 3; COMMIT",
      "UPDATE trip SET _pk = _pk + 100 WHERE _pk = (SELECT max(_pk) FROM trip)",
    ]
    let text = random.pick(statements)
    note(text)
    do {
      let cursor = try world.store.sql(text, [])
      while try cursor.step() {}
      cursor.close()
    } catch let error as StoreError {
      // A reference would lead nowhere: nothing is written then.
      guard case .constraint = error.fact else { throw error }
    }
  }

  private mutating func batch() throws {
    if world.context.hasChanges { try world.context.save() }
    var request = FetchRequest(try world.entity("Trip"))
    request.predicate = try Predicate.parse(random.pick(["cost < 2", "stars == 1", "name == 'a'"]))
    note("batch")
    if random.chance(2) {
      let index = try #require(request.entity.index(of: "cost"))
      _ = try world.context.batchUpdate(request, [(index, .double(Double(random.below(9))))])
    } else if random.chance(2) {
      _ = try world.context.batchDelete(request)
    }
  }

  private mutating func saveElsewhere() throws {
    if world.context.hasChanges { try world.context.save() }
    note("elsewhere")
    try change(in: other)
    if random.chance(2) { try link(in: other) }
    try other.save()
  }

  private mutating func configure() throws {
    let mirror = random.pick(mirrors)
    note("configure")
    var random = random
    defer { self.random = random }
    let predicate = try random.pick(Self.predicates).map { try Predicate.parse($0) }
    var wanted = mirror.results.request
    if random.chance(2) { wanted.predicate = predicate } else { try shapeAgain(&wanted, &random) }
    try mirror.results.configure { $0 = wanted }
  }

  private func shapeAgain(_ request: inout FetchRequest, _ random: inout SplitMix) throws {
    request.fetchLimit = random.chance(2) ? 1 + random.below(6) : nil
    request.fetchOffset = random.chance(3) ? random.below(4) : 0
    guard request.sectionIdentifier == nil else { return }
    request.sortDescriptors = try random.pick(Self.orders).map(LiveWorld.sortDescriptor)
    if request.sortDescriptors.isEmpty { (request.fetchLimit, request.fetchOffset) = (nil, 0) }
  }
}

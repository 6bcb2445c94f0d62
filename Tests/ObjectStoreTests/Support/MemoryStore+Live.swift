import Modeling
import Queries
import Stores

extension MemoryStore {
  func placements(of request: FetchRequest) throws -> any PlacementReading { try MemoryPlacements(self, request) }

  func ownerLookUp(_ relationship: Int, of entity: Entity) throws -> any OwnerLookUp {
    MemoryOwners(store: self, relationship: relationship, entity: entity)
  }

  func computedTable(among tables: Set<String>) -> String? { nil }
  func computedColumns(of entity: Entity) -> Set<String> { [] }
}

/// Evaluates a request for every object.
private final class MemoryPlacements: PlacementReading {
  let components: [PlacementComponent]
  let isTimeDependent = false
  private let store: MemoryStore
  private let request: FetchRequest
  private let section: CompiledExpression?
  private let order: SortOrder

  init(_ store: MemoryStore, _ request: FetchRequest) throws {
    self.store = store
    self.request = request.inSectionOrder.inlined
    if let predicate = self.request.predicate { _ = try CompiledPredicate(predicate, entity: request.entity) }
    order = try SortOrder(self.request.sortDescriptors, entity: request.entity)
    section = try self.request.sectionIdentifier.map { try CompiledExpression($0, entity: request.entity) }
    components = try self.request.sortDescriptors.map { descriptor in
      var type: AttributeType?
      if case .path(let path) = descriptor.expression {
        type = try path.resolve(in: request.entity).finalAttribute?.type
      }
      let kind: PlacementComponent.Kind =
        switch type {
        case .integer16, .integer32, .integer64, .double, .float, .boolean, .date: .number
        case .decimal: .decimal
        case .string: .text
        default: .any
        }
      return PlacementComponent(
        isAscending: descriptor.isAscending, comparator: type == .string ? descriptor.comparator : .binary, kind: kind)
    }
  }

  func readAll(restart: () -> Void, _ body: (PlacementRow) throws -> Void) throws {
    try readHead(from: .beginning, limit: .max, offset: 0, body)
  }

  func readHead(
    from start: PlacementStart, limit: Int, offset: Int, _ body: (PlacementRow) throws -> Void
  ) throws {
    var request = request
    (request.fetchLimit, request.fetchOffset) = (nil, 0)
    let rows = try store.keys(request).compactMap(row).filter { !isBefore(start, $0) }
    for row in rows.dropFirst(offset).prefix(limit) { try body(row) }
  }

  func read(keys: [Int64], _ body: (PlacementRow) throws -> Void) throws {
    var request = request
    (request.fetchLimit, request.fetchOffset) = (nil, 0)
    let wanted = Set(keys)
    for key in try store.keys(request) where wanted.contains(key) { if let row = try row(key) { try body(row) } }
  }

  private func isBefore(_ start: PlacementStart, _ row: MemoryPlacementRow) -> Bool {
    guard let first = components.first else { return false }
    switch start {
    case .beginning: return false
    case .null: return !first.isAscending && row.storageClass(0) != .null
    case .number(let number):
      if row.storageClass(0) == .null { return first.isAscending }
      return first.isAscending ? row.double(0) < number : row.double(0) > number
    }
  }

  private func row(_ key: Int64) throws -> MemoryPlacementRow? {
    guard let subject = MemorySubject(store, request.entity, key) else { return nil }
    return MemoryPlacementRow(key, try order.keys(of: subject), try section.map { try $0.value(of: subject) })
  }
}

private final class MemoryPlacementRow: PlacementRow {
  private let ownKey: Int64
  private let values: [Value]
  private let ownSection: Value?

  init(_ key: Int64, _ values: [Value], _ section: Value?) {
    (ownKey, self.values, ownSection) = (key, values, section)
    super.init()
  }

  override var key: Int64 { ownKey }
  override var section: Value? { ownSection }
  override func value(_ column: Int) -> Value { values[column] }

  override func storageClass(_ column: Int) -> StorageClass {
    switch values[column] {
    case .null: .null
    case .bool, .int, .object: .integer
    case .double, .date: .real
    case .data: .blob
    default: .text
    }
  }

  override func double(_ column: Int) -> Double {
    switch values[column] {
    case .int(let number): Double(number)
    case .double(let number): number
    case .date(let date): date.seconds
    case .bool(let flag): flag ? 1 : 0
    default: 0
    }
  }
}

/// Looks through all objects.
private final class MemoryOwners: OwnerLookUp {
  let isAlike = true
  private let store: MemoryStore
  private let relationship: Int
  private let entity: Entity

  init(store: MemoryStore, relationship: Int, entity: Entity) {
    (self.store, self.relationship, self.entity) = (store, relationship, entity)
  }

  func scans() -> Bool { true }

  func owners(of members: Set<Int64>, _ body: (Int64) throws -> Void) throws {
    switch store.layout(of: entity).properties[relationship] {
    case .reference: try owners(ofMembersNamed: .values(members.map(Value.int)), body)
    case .join(let join):
      for pair in store.state.pairs[join.table] ?? [] {
        guard let member = pair.ends[join.memberColumns[0]], let owner = pair.ends[join.ownerColumns[0]] else {
          continue
        }
        if members.contains(member), store.state.row(entity, owner) != nil { try body(owner) }
      }
    case .inverse(let back, _):
      for member in members {
        guard let subject = MemorySubject(store, entity.destination(at: relationship), member) else { continue }
        if let owner = subject.toOne(at: back) { try body(owner.objectID.key) }
      }
    case .column, .none: break
    }
  }

  func owners(ofMembersNamed names: ReferenceNames, _ body: (Int64) throws -> Void) throws {
    guard case .values(let values) = names else { return }
    for owner in store.state.keys(of: entity, includesSubentities: true) {
      guard let subject = MemorySubject(store, entity, owner) else { continue }
      if let target = subject.reference(at: relationship), values.contains(.int(target.key)) { try body(owner) }
    }
  }

  func owners(named names: ReferenceNames, _ body: (Int64) throws -> Void) throws {
    guard case .values(let values) = names else { return }
    for case .int(let key) in Set(values) where store.state.row(entity, key) != nil { try body(key) }
  }
}

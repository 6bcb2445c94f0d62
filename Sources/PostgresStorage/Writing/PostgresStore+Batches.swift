import Layouts
public import Modeling
public import Queries
import Storage
import StoreErrors

extension PostgresStore {
  /// Sets properties of all rows that a request selects; answers how many there were.
  public func batchUpdate(_ request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws -> Int {
    if changes.isEmpty { return try count(request) }
    return try write(request.entity) {
      let settings = try changes.flatMap { try setting($0.property, $0.value, of: request.entity) }
      let keys = try keys(request)
      var count = 0
      for start in stride(from: 0, to: keys.count, by: 5_000) {
        if isInterrupted() { throw StoreError(.interrupted, path: path) }
        count += try updateRows(request.entity, Array(keys[start..<min(start + 5_000, keys.count)]), settings)
      }
      transactions.writeCount += Int64(count)
      return count
    }
  }

  /// The columns that a change sets, with what is written to them.
  private func setting(_ property: Int, _ value: Value, of entity: Entity) throws -> [(column: Int, value: Value)] {
    let layout = layout(of: entity)
    switch layout.properties[property] {
    case .column(let column) where layout.columns[column].isWritable: return [(column, value)]
    case .reference(let columns, _):
      var values = columns.map { _ in Value.null }
      if case .object(let id) = value { values = try referenceValues(to: id.key, of: property, in: entity) }
      return zip(columns, values).map { ($0, $1) }
    case .column, .inverse, .join, .none:
      let name = "\(entity.name).\(entity.properties[property].name)"
      throw StoreError(.constraint("\(name) cannot be set by a batch request"), path: path)
    }
  }

  /// Deletes all rows that a request selects, by the model's delete rules.
  public func batchDelete(_ request: FetchRequest) throws -> Int {
    try write(request.entity) {
      var plan = PostgresDeletePlan(self)
      let cursor = try rows(of: request.entity, keys: try keys(request))
      let count = try plan.add(cursor)
      try plan.complete()
      try plan.execute()
      transactions.writeCount += Int64(count)
      return count
    }
  }

  /// Runs `body`, which inserts so many rows, in one transaction.
  @discardableResult
  public func bulkInsert<Result>(into entity: Entity, expecting rows: Int, _ body: () throws -> Result) throws -> Result
  {
    try transaction(body)
  }
}

/// Which rows go when some are deleted, and what becomes of the rows that lead to them, by the model's delete rules.
struct PostgresDeletePlan {
  private let store: PostgresStore
  /// The rows to be deleted, by their own entity.
  private var doomed: [Entity: [Int64]] = [:]
  private var known: [Entity: Set<Int64>] = [:]
  private var waiting: [(entity: Entity, keys: [Int64])] = []

  init(_ store: PostgresStore) { self.store = store }

  /// Dooms the rows of a cursor; returns how many there were.
  mutating func add(_ cursor: RowCursor) throws -> Int {
    var count = 0
    var fresh: [Entity: [Int64]] = [:]
    while try cursor.step() {
      count += 1
      if known[cursor.entity.root, default: []].insert(cursor.key).inserted {
        fresh[cursor.entity, default: []].append(cursor.key)
      }
    }
    for (entity, keys) in fresh.sorted(by: { $0.key.name < $1.key.name }) {
      doomed[entity, default: []] += keys
      waiting.append((entity, keys))
    }
    return count
  }

  /// Follows cascades to their end.
  mutating func complete() throws {
    while let (entity, keys) = waiting.popLast() {
      for index in relationships(of: entity) where entity.properties[index].relationship?.deleteRule == .cascade {
        let destination = entity.destination(at: index)
        let members = try others(index, of: entity, keys).filter { !isDoomed(destination, $0) }
        if destination.isReadOnly, !members.isEmpty { throw StoreError(.readOnlyEntity(destination.name)) }
        _ = try add(store.rows(of: destination, keys: members))
      }
    }
  }

  /// Checks what is denied, empties references, and deletes.
  func execute() throws {
    let all = doomed.sorted { $0.key.name < $1.key.name }
    for (entity, keys) in all {
      try checkDenied(entity, keys)
      try checkHeld(entity, keys)
    }
    for (entity, keys) in all { try release(entity, keys) }
    for entity in holdersFirst(all.map(\.key)) { _ = try store.deleteRows(entity, doomed[entity] ?? []) }
  }

  private func isDoomed(_ entity: Entity, _ key: Int64) -> Bool { known[entity.root]?.contains(key) ?? false }

  private func relationships(of entity: Entity) -> [Int] {
    entity.properties.indices.filter { entity.properties[$0].relationship != nil }
  }

  /// The objects that a relationship of the rows leads to.
  private func others(_ relationship: Int, of entity: Entity, _ keys: [Int64]) throws -> [Int64] {
    guard case .reference = store.layout(of: entity).properties[relationship] else {
      return try store.members(of: relationship, in: entity, owners: keys).map(\.member)
    }
    let reader = SubjectReader(store, paths: [])
    let cursor = try store.rows(of: entity, keys: keys)
    var found: [Int64] = []
    while try cursor.step() {
      if let id = try RowSubject(kept: KeptRow(cursor), reader: reader).reference(at: relationship) {
        found.append(id.key)
      }
    }
    return found
  }

  private func checkDenied(_ entity: Entity, _ keys: [Int64]) throws {
    for index in relationships(of: entity) where entity.properties[index].relationship?.deleteRule == .deny {
      let destination = entity.destination(at: index)
      let count = try others(index, of: entity, keys).count { !isDoomed(destination, $0) }
      if count > 0 {
        throw StoreError(
          .deleteDenied(entity: entity.name, relationship: entity.properties[index].name, count: count),
          path: store.path)
      }
    }
  }

  /// Checks that no mandatory to-one of a row that stays leads to the rows.
  private func checkHeld(_ entity: Entity, _ keys: [Int64]) throws {
    for reference in store.mandatoryReferences(to: entity) {
      var hold = Violation.Hold(entity: reference.entity.name, property: reference.relationship.name)
      try store.visitReferrers(of: reference, to: entity, keys: keys) { holder, _ in
        guard !isDoomed(reference.entity, holder) else { return }
        hold.count += 1
        if hold.names.count < Violation.Hold.mostNames {
          hold.names.append(
            store.keyValues(of: reference.entity, key: holder).map(\.displayText).joined(separator: ", "))
        }
      }
      if hold.count > 0 { throw StoreError(.deleteHeld(entity: entity.name, hold), path: store.path) }
    }
  }

  /// Takes the rows out of what leads to them.
  private func release(_ entity: Entity, _ keys: [Int64]) throws {
    for index in relationships(of: entity) {
      guard let relationship = entity.properties[index].relationship,
        relationship.deleteRule != .noAction && relationship.deleteRule != .cascade
      else { continue }
      let destination = entity.destination(at: index)
      switch store.layout(of: entity).properties[index] {
      case .join:
        for (owner, member) in try store.members(of: index, in: entity, owners: keys) {
          try store.unlink(index, in: entity, owner: owner, member: member)
        }
      case .inverse(let back, let order):
        let layout = store.layout(of: destination)
        guard case .reference(let columns, _) = layout.properties[back], !destination.isReadOnly,
          destination.properties[back].relationship?.isOptional == true
        else { continue }
        let members = try store.members(of: index, in: entity, owners: keys).map(\.member)
        let places = order.flatMap { name in layout.columns.firstIndex { $0.name == name } }
        _ = try store.updateRows(destination, members, (columns + (places.map { [$0] } ?? [])).map { ($0, .null) })
      case .reference, .column, .none: break
      }
    }
  }

  /// The entities in an order in which rows go before those that they must lead to.
  private func holdersFirst(_ entities: [Entity]) -> [Entity] {
    var order: [Entity] = []
    var seen: Set<Entity> = []
    func visit(_ entity: Entity) {
      guard seen.insert(entity).inserted else { return }
      for reference in store.mandatoryReferences(to: entity) {
        for holder in entities where holder.isKind(of: reference.entity) { visit(holder) }
      }
      order.append(entity)
    }
    for entity in entities { visit(entity) }
    return order
  }
}

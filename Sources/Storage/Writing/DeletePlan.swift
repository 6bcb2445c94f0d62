import Modeling
import SQLite

/// The rows to delete with given rows, and the changes of the rows that refer to them, by the model's delete rules.
struct DeletePlan {
  private let store: SQLiteStore
  /// The rows to delete, by their own entity; keys are unique within a root entity.
  private var doomed: [Entity: [Int64]] = [:]
  private var known: [Entity: Set<Int64>] = [:]
  /// Rows whose relationships have not been followed yet.
  private var waiting: [(entity: Entity, keys: [Int64])] = []

  init(_ store: SQLiteStore) { self.store = store }

  /// Adds the rows of a cursor; returns their number.
  mutating func add(_ cursor: RowCursor) throws -> Int {
    var count = 0
    var fresh: [Entity: [Int64]] = [:]
    while try cursor.step() {
      count += 1
      let (entity, key) = (cursor.entity, cursor.key)
      if known[entity.root, default: []].insert(key).inserted { fresh[entity, default: []].append(key) }
    }
    for (entity, keys) in fresh.sorted(by: { $0.key.name < $1.key.name }) {
      doomed[entity, default: []] += keys
      waiting.append((entity, keys))
    }
    return count
  }

  /// Follows all cascades.
  mutating func complete() throws {
    while let (entity, keys) = waiting.popLast() {
      for index in relationships(of: entity) where entity.properties[index].relationship?.deleteRule == .cascade {
        let destination = entity.destination(at: index)
        let members = try others(index, of: entity, keys)
        if destination.isReadOnly, !members.isEmpty { throw StoreError(.readOnlyEntity(destination.name)) }
        _ = try add(store.rows(of: destination, keys: members.filter { !isDoomed(destination, $0) }))
      }
    }
  }

  /// Checks the deny rules, nullifies references, and deletes the rows.
  func execute() throws {
    let all = doomed.sorted { $0.key.name < $1.key.name }
    for (entity, keys) in all {
      try checkDenied(entity, keys)
      try checkHeld(entity, keys)
    }
    if store.format.writesRowByRow {
      for (entity, keys) in all { for key in keys { _ = try store.delete(entity, key: key) } }
      return
    }
    for (entity, keys) in all { try release(entity, keys) }
    for entity in holdersFirst(all.map(\.key)) {
      let keys = doomed[entity] ?? []
      let layout = store.layout(of: entity)
      try run("DELETE FROM \(quotedName(layout.table)) WHERE ", layout.key.columns, try values(entity, .key, keys))
      if let highest = keys.max() { store.writers.retire(highest, of: entity) }
    }
  }

  private func isDoomed(_ entity: Entity, _ key: Int64) -> Bool { known[entity.root]?.contains(key) ?? false }

  private func relationships(of entity: Entity) -> [Int] {
    entity.properties.indices.filter { entity.properties[$0].relationship != nil }
  }

  /// Returns the objects at the end of a relationship of the rows.
  private func others(_ relationship: Int, of entity: Entity, _ keys: [Int64]) throws -> [Int64] {
    guard case .reference = store.layout(of: entity).properties[relationship] else {
      return try store.members(of: relationship, in: entity, owners: keys).map(\.member)
    }
    return try store.destinations(of: relationship, in: entity, owners: keys)
  }

  private func checkDenied(_ entity: Entity, _ keys: [Int64]) throws {
    for index in relationships(of: entity) where entity.properties[index].relationship?.deleteRule == .deny {
      let destination = entity.destination(at: index)
      let others = try others(index, of: entity, keys)
      let count = others.count { !isDoomed(destination, $0) }
      if count > 0 {
        throw StoreError(
          .deleteDenied(entity: entity.name, relationship: entity.properties[index].name, count: count),
          path: store.path)
      }
    }
  }

  /// Throws if a mandatory to-one relationship of a remaining row leads to the rows.
  private func checkHeld(_ entity: Entity, _ keys: [Int64]) throws {
    for reference in store.mandatoryReferences(to: entity) {
      var hold = Violation.Hold(entity: reference.entity.name, property: reference.relationship.name)
      var some: [Int64] = []
      try store.visitReferrers(of: reference, to: entity, keys: keys) { holder, _ in
        guard !isDoomed(reference.entity, holder) else { return }
        hold.count += 1
        if some.count < Violation.Hold.mostNames { some.append(holder) }
      }
      guard hold.count > 0 else { continue }
      hold.names = try store.titles(of: reference.entity, keys: some)
      throw StoreError(.deleteHeld(entity: entity.name, hold), path: store.path)
    }
  }

  /// Removes the rows from the relationships that lead to them.
  private func release(_ entity: Entity, _ keys: [Int64]) throws {
    for index in relationships(of: entity) {
      // The destinations of a cascade are deleted, too, and their mandatory references must stay valid until then.
      guard let relationship = entity.properties[index].relationship, relationship.deleteRule != .noAction,
        relationship.deleteRule != .cascade || !isHeldByReference(index, of: entity)
      else { continue }
      let destination = entity.destination(at: index)
      switch store.layout(of: entity).properties[index] {
      case .join(let join):
        try run(
          "DELETE FROM \(quotedName(join.table)) WHERE ", join.ownerColumns, try values(entity, join.ownerTarget, keys))
      case .inverse(let back, let order): try empty(back, of: destination, order: order, entity, keys)
      case .reference:
        if store.holdsReference(inverseOf: index, of: entity), let back = entity.inverse(at: index) {
          try empty(back, of: destination, order: nil, entity, keys)
        }
      case .column, .none: break
      }
    }
  }

  /// Whether the destination stores the relationship, in a to-one relationship of its own.
  private func isHeldByReference(_ index: Int, of entity: Entity) -> Bool {
    if case .join = store.layout(of: entity).properties[index] { return false }
    return true
  }

  /// The entities in an order that deletes rows before the rows to which they must refer.
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

  /// Sets the columns of a to-one relationship to null if they refer to the rows.
  private func empty(_ toOne: Int, of entity: Entity, order: String?, _ owner: Entity, _ keys: [Int64]) throws {
    let layout = store.layout(of: entity)
    // Only rows that are deleted themselves still refer here by a mandatory relationship: `checkHeld` made sure of it.
    guard case .reference(let columns, let target) = layout.properties[toOne], !entity.isReadOnly,
      entity.properties[toOne].relationship?.isOptional == true
    else { return }
    let names = columns.map { layout.columns[$0].name }
    let settings = (names + (order.map { [$0] } ?? [])).map { "\(quotedName($0)) = NULL" }.joined(separator: ", ")
    try run("UPDATE \(quotedName(layout.table)) SET \(settings) WHERE ", names, try values(owner, target, keys))
  }

  /// Returns the column values that refer to the rows, row by row.
  private func values(_ entity: Entity, _ target: ReferenceTarget, _ keys: [Int64]) throws -> [[Value]] {
    if case .key = target { return keys.map { store.keyValues(of: entity, key: $0) } }
    return try keys.map { try store.values(of: target, entity, $0) }
  }

  /// Runs a statement for all rows: for many at once if the condition has one column, otherwise row by row.
  private func run(_ start: String, _ columns: [String], _ rows: [[Value]]) throws {
    guard columns.count == 1 else {
      let text = start + columns.map { "\(quotedName($0)) = ?" }.joined(separator: " AND ")
      for row in rows { try store.connection.run(text, row) }
      return
    }
    let group = 256
    var index = 0
    while index < rows.count {
      let count = min(group, rows.count - index)
      let marks = [String](repeating: "?", count: group).joined(separator: ", ")
      let values = rows[index..<index + count].map { $0[0] } + [Value](repeating: .null, count: group - count)
      try store.connection.run("\(start)\(quotedName(columns[0])) IN (\(marks))", values)
      index += count
    }
  }
}

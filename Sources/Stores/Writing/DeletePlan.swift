package import Modeling

/// The functions of a store that deleting many rows by the model's delete rules needs.
package protocol RowDeleting: OpenedStore {
  /// Whether the store deletes rows one by one, and follows what leads to them itself.
  var deletesRowByRow: Bool { get }

  /// Returns the destinations of a to-one relationship that the owners' rows store; deleted rows are omitted.
  func destinations(of relationship: Int, in entity: Entity, owners: [Int64]) throws -> [Int64]

  /// The mandatory to-one relationships that the deletion of objects of `entity` would make nil.
  func mandatoryReferences(to entity: Entity) -> [LooseReference]

  /// Removes all pairs of a to-many relationship's owners.
  func removePairs(of relationship: Int, in entity: Entity, owners: [Int64]) throws

  /// Makes a to-one relationship nil where it leads to rows of `destination`, and clears the places of `order`.
  func empty(_ toOne: Int, of entity: Entity, order: String?, leadingTo destination: Entity, _ keys: [Int64]) throws

  /// Deletes rows that nothing leads to any more.
  func deleteReleased(_ entity: Entity, _ keys: [Int64]) throws
}

/// The rows to delete with given rows, and the changes of the rows that refer to them, by the model's delete rules.
package struct DeletePlan<Store: RowDeleting> {
  private let store: Store
  /// The rows to delete, by their own entity; keys are unique within a root entity.
  private var doomed: [Entity: [Int64]] = [:]
  private var known: [Entity: Set<Int64>] = [:]
  /// Rows whose relationships have not been followed yet.
  private var waiting: [(entity: Entity, keys: [Int64])] = []

  /// Deletes nothing yet.
  package init(_ store: Store) { self.store = store }

  /// Adds the rows of a cursor; returns their number.
  package mutating func add(_ cursor: RowCursor) throws -> Int {
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
  package mutating func complete() throws {
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
  package func execute() throws {
    let all = doomed.sorted { $0.key.name < $1.key.name }
    for (entity, keys) in all {
      try checkDenied(entity, keys)
      try checkHeld(entity, keys)
    }
    if store.deletesRowByRow {
      for (entity, keys) in all { for key in keys { _ = try store.delete(entity, key: key) } }
      return
    }
    for (entity, keys) in all { try release(entity, keys) }
    for entity in store.holdersFirst(all.map(\.key)) {
      try store.deleteReleased(entity, doomed[entity] ?? [])
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
      case .join: try store.removePairs(of: index, in: entity, owners: keys)
      case .inverse(let back, let order): try empty(back, of: destination, order: order, entity, keys)
      case .reference:
        guard let back = entity.inverse(at: index) else { break }
        if case .reference = store.layout(of: destination).properties[back] {
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

  /// Makes a to-one relationship nil where it leads to the rows.
  private func empty(_ toOne: Int, of entity: Entity, order: String?, _ owner: Entity, _ keys: [Int64]) throws {
    // Only rows that are deleted themselves still refer here by a mandatory relationship: `checkHeld` made sure of it.
    guard case .reference = store.layout(of: entity).properties[toOne], !entity.isReadOnly,
      entity.properties[toOne].relationship?.isOptional == true
    else { return }
    try store.empty(toOne, of: entity, order: order, leadingTo: owner, keys)
  }
}

extension ObjectStore {
  /// The entities in an order that deletes rows before the rows to which they refer, as far as there is one.
  package func holdersFirst(_ entities: [Entity]) -> [Entity] {
    entities.inPostorder { entity in
      entities.filter { holder in
        let layout = layout(of: holder)
        return holder !== entity
          && layout.properties.indices.contains { index in
            guard case .reference = layout.properties[index] else { return false }
            return holder.destination(at: index).root === entity.root
          }
      }
    }
  }
}

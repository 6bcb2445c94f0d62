internal import Modeling

/// An index of an entity's changed objects by the values of some attributes.
///
/// It is built on the first lookup among many objects; `touch` reports each slot whose values may have changed. A
/// change of many objects at once, a save or an undo, discards it.
final class PendingKeys {
  /// Fewer changed objects than this are searched one by one.
  static let fewest = 16

  let entity: Entity
  let indices: [Int]
  /// The slots by the values at their indexing, which may have changed since.
  private var slots: [[Value]: Set<Int32>] = [:]
  private var filed: [Int32: [Value]] = [:]
  /// The slots to be indexed again.
  private var touched: Set<Int32> = []

  /// The changed objects of a table.
  init(_ entity: Entity, _ indices: [Int], _ table: ObjectTable) {
    self.entity = entity
    self.indices = indices
    touched = Set(table.changes.keys)
  }

  /// Reports that a slot's values may have changed, or that it has its first change.
  func touch(_ slot: Int32) { touched.insert(slot) }

  /// Returns the first changed object, in the order of the changes, with these values; -1 for none.
  func slot(of values: [Value], in table: ObjectTable) throws -> Int32 {
    try file(table)
    var first: (slot: Int32, order: Int) = (-1, .max)
    for slot in slots[values] ?? [] {
      if let order = table.changes[slot]?.order, order < first.order,
        try table.isChanged(slot, to: values, at: indices, of: entity)
      {
        first = (slot, order)
      }
    }
    return first.slot
  }

  private func file(_ table: ObjectTable) throws {
    while let slot = touched.first {
      let values = try table.pendingValues(slot, at: indices, of: entity)
      touched.remove(slot)
      if let old = filed.removeValue(forKey: slot) {
        slots[old]?.remove(slot)
        if slots[old]?.isEmpty == true { slots[old] = nil }
      }
      guard let values else { continue }
      filed[slot] = values
      slots[values, default: []].insert(slot)
    }
  }
}

extension ObjectTable {
  /// The maximum number of attribute sets that are indexed.
  private static let mostPendingKeys = 4

  /// Returns a changed, not deleted object of `entity` with `values` in the attributes at `indices`; -1 for none.
  func changedSlot(_ entity: Entity, at indices: [Int], _ values: [Value]) throws -> Int32 {
    // A child's values may change with its parent's; transient and store-computed values are not tracked as changes.
    let areOwn = indices.allSatisfy { index in
      entity.properties[index].attribute.map { $0.isWritable && !$0.isTransient } == true
    }
    if isChild || !areOwn || changes.keys.count < PendingKeys.fewest {
      return try changes.keys.first { try isChanged($0, to: values, at: indices, of: entity) } ?? -1
    }
    if let known = pendingKeys.first(where: { $0.entity === entity && $0.indices == indices }) {
      return try known.slot(of: values, in: self)
    }
    if pendingKeys.count == Self.mostPendingKeys { pendingKeys.removeFirst() }
    let new = PendingKeys(entity, indices, self)
    pendingKeys.append(new)
    return try new.slot(of: values, in: self)
  }

  /// Reports that a slot's values may have changed, or that it has its first change.
  func touchPendingKeys(_ slot: Int32) {
    for keys in pendingKeys { keys.touch(slot) }
  }

  /// Returns a changed object's values of the attributes at `indices`; nil if it is deleted or not of `entity`.
  fileprivate func pendingValues(_ slot: Int32, at indices: [Int], of entity: Entity) throws -> [Value]? {
    guard let changes = changes[slot], changes.kind != .deleted, self.entity(slot).isKind(of: entity) else {
      return nil
    }
    return try indices.map { try attribute(slot, $0) }
  }

  fileprivate func isChanged(
    _ slot: Int32, to values: [Value], at indices: [Int], of entity: Entity
  ) throws -> Bool {
    try pendingValues(slot, at: indices, of: entity) == values
  }

  /// Checks the index against a search of every changed object; for tests.
  func checkPendingKeys() throws -> [String] {
    try pendingKeys.flatMap { keys in
      try changes.keys.compactMap { slot in
        guard let values = try pendingValues(slot, at: keys.indices, of: keys.entity),
          try keys.slot(of: values, in: self) < 0
        else { return nil }
        return "\(objectID(slot)) is not found by \(values)"
      }
    }
  }
}

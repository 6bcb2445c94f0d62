internal import Modeling

/// Finds changed objects of an entity by what they have in some attributes, without looking at each.
///
/// Made when somebody looks for one among many, and told of each slot that may have other values since (`touch`). What
/// changes many at once, a save or an undo, ends it.
final class PendingKeys {
  /// Where fewer objects have changes, they are looked at one by one.
  static let fewest = 16

  let entity: Entity
  let indices: [Int]
  /// The slots by the values under which they were filed; they may have others by now.
  private var slots: [[Value]: Set<Int32>] = [:]
  private var filed: [Int32: [Value]] = [:]
  /// Those to be filed anew.
  private var touched: Set<Int32> = []

  /// The changed objects of a table.
  init(_ entity: Entity, _ indices: [Int], _ table: ObjectTable) {
    self.entity = entity
    self.indices = indices
    touched = Set(table.changes.keys)
  }

  /// Says that a slot may have other values, or changes for the first time.
  func touch(_ slot: Int32) { touched.insert(slot) }

  /// The first of the changed objects, in the order of the changes, that has these values; -1 for none.
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
  /// So many sets of attributes are looked for quickly.
  private static let mostPendingKeys = 4

  /// A changed object of `entity`, not a deleted one, that has `values` in the attributes at `indices`; -1 for none.
  func changedSlot(_ entity: Entity, at indices: [Int], _ values: [Value]) throws -> Int32 {
    // What a child shows may change with its parent; transient values, and those that the store makes, are no changes.
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

  /// Says that a slot may have other values, or changes for the first time.
  func touchPendingKeys(_ slot: Int32) {
    for keys in pendingKeys { keys.touch(slot) }
  }

  /// What a changed object has in the attributes at `indices`; nil where it is none of `entity`, or deleted.
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

  /// Checks that changed objects are found by their values as by looking at each; for tests.
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

extension ObjectContext {
  /// Many objects may have other values now.
  func forgetPendingKeys() {
    for table in allTables { table.pendingKeys = [] }
  }
}

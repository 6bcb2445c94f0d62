internal import Modeling
internal import Stores

// Transient relationships. Their values are the targets' IDs, kept like transient attributes.
extension ObjectTable {
  /// Whether the property at `index` is a transient relationship.
  func isTransient(_ slot: Int32, _ index: Int) -> Bool {
    entity(slot).properties[index].relationship?.isTransient ?? false
  }

  /// Returns the target slots of a transient relationship in `destinationTable`, without deleted objects.
  func transientTargets(_ slot: Int32, _ index: Int) -> [Int32] {
    guard case .list(let list)? = transients[slot]?[index] ?? parentTransient(slot, index) else { return [] }
    let table = destinationTable(slot, index)
    return list.compactMap { value in
      guard case .object(let id) = value else { return nil }
      let key = context.presentKey(ofTransientTarget: id.key)
      let known = ObjectID(entity: id.entity, key: key)
      let target = known.isTemporary ? table.slotOfUnsaved(known) : table.register(key, id.entity)
      guard let target, !table.isGone(target), table.changes[target]?.kind != .deleted else { return nil }
      // Others may have deleted the row; reading its values then throws.
      return (try? ManagedObject(table: table, slot: target).exists()) == false ? nil : target
    }
  }

  /// Sets a transient relationship to `targets`, and updates a transient inverse.
  func setTransientTargets(_ slot: Int32, _ index: Int, _ targets: [Int32]) throws {
    try checkLiving(slot)
    let old = transientTargets(slot, index)
    guard old != targets else { return }
    storeTransientTargets(slot, index, targets)
    guard let inverse = entity(slot).inverse(at: index) else { return }
    let table = destinationTable(slot, index)
    for target in old where !targets.contains(target) {
      table.storeTransientTargets(target, inverse, table.transientTargets(target, inverse).filter { $0 != slot })
    }
    for target in targets where !old.contains(target) {
      var back = table.transientTargets(target, inverse).filter { $0 != slot }
      if table.entity(target).properties[inverse].relationship?.isToMany != true {
        // In a one-to-one the former partner loses its reference.
        for rival in back {
          storeTransientTargets(rival, index, transientTargets(rival, index).filter { $0 != target })
        }
        back = []
      }
      table.storeTransientTargets(target, inverse, back + [slot])
    }
  }

  private func storeTransientTargets(_ slot: Int32, _ index: Int, _ targets: [Int32]) {
    let table = destinationTable(slot, index)
    context.holdsTransientTargets = true
    let new = Value.list(
      targets.map { target in
        let id = table.objectID(target)
        context.noteTransientTarget(id.key)
        return .object(id)
      })
    if let undo = recorder(of: slot) {
      undo.record(self, .transient(slot, property: index, old: transients[slot]?[index], new: new))
    }
    transients[slot, default: [:]][index] = new
  }
}

extension ObjectTable {
  func forgetTransientTargets(_ gone: [ObjectIdentifier: Set<Int64>]) {
    for (slot, values) in transients {
      for (index, value) in values {
        guard case .list(let list) = value, isTransient(slot, index) else { continue }
        let left = list.filter { value in
          guard case .object(let id) = value else { return false }
          let key = context.presentKey(ofTransientTarget: id.key)
          return gone[ObjectIdentifier(id.entity.root)]?.contains(key) != true
        }
        if left.count < list.count { transients[slot]?[index] = .list(left) }
      }
    }
  }
}

public import Modeling

/// An object with unsaved changes, as those see it who follow a context.
public struct PendingObject {
  /// What the next save does about an object.
  public enum Kind: Sendable {
    case inserted, updated, deleted
  }

  /// The object.
  public let object: ManagedObject
  /// Its key; temporary for one without a row.
  public let key: Int64
  /// What the next save does about it.
  public let kind: Kind
  /// A number that differs, in all likelihood, where the changes do.
  public let fingerprint: Int

  init(_ table: ObjectTable, _ slot: Int32, _ changes: ObjectChanges) {
    object = ManagedObject(table: table, slot: slot)
    key = table.key(slot)
    kind =
      switch changes.kind {
      case .inserted: .inserted
      case .updated: .updated
      case .deleted: .deleted
      }
    fingerprint = changes.fingerprint
  }
}

/// What a save did to the key of an object with changes.
public struct SettledObject {
  /// The root of the object's entity.
  public let root: Entity
  /// The key it had before; temporary for one that was inserted.
  public let oldKey: Int64
  /// The key it has now; nil for one that was deleted.
  public let newKey: Int64?
  /// That of the changes which were saved; see `PendingObject`.
  public let fingerprint: Int
  /// Which context saved it: 0 the one that tells, 1 its parent, and so on.
  public internal(set) var level = 0
}

extension ObjectContext {
  /// The objects of an entity with unsaved changes, in no particular order. O(changes).
  public func pendingObjects(of entity: Entity, includesSubentities: Bool = true) -> [PendingObject] {
    let table = table(for: entity)
    if table.changes.isEmpty { return [] }
    return zip(table.changes.keys, table.changes.values).compactMap { slot, changes in
      let own = table.entity(slot)
      guard includesSubentities ? own.isKind(of: entity) : own === entity else { return nil }
      return PendingObject(table, slot, changes)
    }
  }

  /// Whether saves note what becomes of keys, for `takeSettledObjects`.
  public var notesSettledObjects: Bool {
    get { settledObjects != nil }
    set { settledObjects = newValue ? settledObjects ?? [] : nil }
  }

  /// What was saved since this was asked last.
  public func takeSettledObjects() -> [SettledObject] {
    guard let settled = settledObjects, !settled.isEmpty else { return [] }
    settledObjects = []
    return settled
  }

  /// Notes that an object's changes are saved; `isMerged` is whether the row holds what others wrote, too.
  func noteSettled(_ table: ObjectTable, _ slot: Int32, _ changes: ObjectChanges, isMerged: Bool = false) {
    let isNoted = settledObjects != nil
    let children = liveChildren
    guard isNoted || !children.isEmpty else { return }
    let settled = SettledObject(
      root: table.root, oldKey: table.key(slot),
      newKey: changes.kind == .deleted ? nil : changes.newKey ?? table.key(slot),
      fingerprint: isMerged ? ~changes.fingerprint : changes.fingerprint)
    if isNoted { settledObjects?.append(settled) }
    for child in children { child.note(settled) }
  }

  /// Notes what a context above saved.
  private func note(_ settled: SettledObject) {
    var settled = settled
    settled.level += 1
    settledObjects?.append(settled)
    for child in liveChildren { child.note(settled) }
  }
}

extension ObjectChanges {
  /// A number that differs, in all likelihood, where the changes do.
  fileprivate var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(kind)
    if kind != .deleted { hasher.combine(columns) }
    return hasher.finalize()
  }
}

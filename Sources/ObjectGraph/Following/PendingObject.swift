public import Modeling

/// An object with unsaved changes, as live results see it.
public struct PendingObject {
  /// What the next save does with an object.
  public enum Kind: Sendable {
    case inserted, updated, deleted
  }

  /// The object.
  public let object: ManagedObject
  /// The key; temporary if the object has no row.
  public let key: Int64
  /// What the next save does with it.
  public let kind: Kind
  /// A hash of the changes.
  public let fingerprint: Int
  /// The new values of the changed columns; for an inserted object, of those that were set or have a default.
  public let columns: ChangedColumns

  init(_ table: ObjectTable, _ slot: Int32, _ changes: UnsavedChanges) {
    object = ManagedObject(table: table, slot: slot)
    key = table.key(slot)
    kind =
      switch changes.kind {
      case .inserted: .inserted
      case .updated: .updated
      case .deleted: .deleted
      }
    fingerprint = changes.fingerprint
    columns = changes.columns
  }
}

/// An object whose changes a save has written: its key before and after.
public struct SavedObject {
  /// The root of the object's entity.
  public let root: Entity
  /// The key before the save; temporary for an inserted object.
  public let oldKey: Int64
  /// The key after the save; nil for a deleted object.
  public let newKey: Int64?
  /// The hash of the saved changes; see `PendingObject`.
  public let fingerprint: Int
  /// The context that saved it: 0 for this one, 1 for its parent, and so on.
  public internal(set) var level = 0
}

extension ObjectTable {
  /// Whether any object has unsaved changes.
  public var hasUnsavedChanges: Bool { !changes.isEmpty }
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

  /// Whether an object here or in a parent has unsaved changes. O(entities), however many objects there are.
  public var hasChangesHereOrAbove: Bool {
    allTables.contains { !$0.changes.isEmpty } || parent?.hasChangesHereOrAbove == true
  }

  /// Whether saves record key changes for `takeSavedObjects`.
  public var notesSavedObjects: Bool {
    get { savedObjects != nil }
    set { savedObjects = newValue ? savedObjects ?? [] : nil }
  }

  /// Returns the objects saved since the last call, and forgets them.
  public func takeSavedObjects() -> [SavedObject] {
    guard let settled = savedObjects, !settled.isEmpty else { return [] }
    savedObjects = []
    return settled
  }

  /// Records that an object's changes were saved; `isMerged` says whether the row also contains what others wrote.
  func noteSaved(_ table: ObjectTable, _ slot: Int32, _ changes: UnsavedChanges, isMerged: Bool = false) {
    let isNoted = savedObjects != nil
    let children = liveChildren
    guard isNoted || !children.isEmpty else { return }
    let settled = SavedObject(
      root: table.root, oldKey: table.key(slot),
      newKey: changes.kind == .deleted ? nil : changes.newKey ?? table.key(slot),
      fingerprint: isMerged ? ~changes.fingerprint : changes.fingerprint)
    if isNoted { savedObjects?.append(settled) }
    for child in children { child.note(settled) }
  }

  /// Records objects that a parent saved.
  private func note(_ settled: SavedObject) {
    var settled = settled
    settled.level += 1
    savedObjects?.append(settled)
    for child in liveChildren { child.note(settled) }
  }
}

extension UnsavedChanges {
  /// A hash of the changes.
  fileprivate var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(kind)
    if kind != .deleted { hasher.combine(columns) }
    return hasher.finalize()
  }
}

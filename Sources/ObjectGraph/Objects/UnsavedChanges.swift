internal import Modeling
internal import Storage

/// The unsaved changes of one object.
final class UnsavedChanges {
  enum Kind { case inserted, updated, deleted }

  var kind: Kind
  /// The new value of each changed column, by column of the layout; all columns of an inserted object.
  var columns: [Value?]
  /// The position among the context's changes, which gives lists of changed objects their order.
  let order: Int
  /// The key that the current save has assigned to an inserted object.
  var newKey: Int64?
  /// Whether a deleted object was never saved, so that the store has no row to delete.
  var wasInserted = false
  /// The undo group in which the object was inserted: its changes within that group need not be undone
  /// step by step.
  let birth: Int
  /// A count of its changes, by which hooks detect new ones.
  var version = 0
  /// Whether a save has nothing to write for it.
  var isVoid: Bool { kind == .deleted && wasInserted }
  /// The columns of an inserted object that were set although they have a default.
  var assignedDefaults: Set<Int> = []
  /// The object whose deletion caused this one by a delete rule.
  var cause: ObjectReference?

  /// In a child context, the row at the object's first change, by which the parent finds conflicts.
  var base: BaseRow?

  init(_ kind: Kind, columns: [Value?], order: Int, birth: Int = 0) {
    self.kind = kind
    self.columns = columns
    self.order = order
    self.birth = birth
  }

  /// An independent copy.
  func copy() -> UnsavedChanges {
    let copy = UnsavedChanges(kind, columns: columns, order: order, birth: birth)
    copy.wasInserted = wasInserted
    copy.assignedDefaults = assignedDefaults
    copy.cause = cause
    copy.base = base
    return copy
  }
}

/// A row shared by several change records.
final class BaseRow {
  let row: PackedRow

  init(_ row: PackedRow) { self.row = row }

  deinit { row.free() }
}

/// The state of one object's to-many relationship.
final class CollectionState {
  /// Members added (true) or removed (false) since the last save, in the order of their first change.
  var overrides: [Int32: Bool] = [:]
  var additions: [Int32] = []
  /// The complete new order of an ordered relationship that was reordered.
  var arrangement: [Int32]?
  /// The present members; nil if they must be determined again.
  var resolved: [Int32]?
  /// The parents' membership serial at which `resolved` was determined.
  var baseSerial = 0
  /// The number of members in the store, if only that was read.
  var storedCount: Int?

  var isChanged: Bool { !overrides.isEmpty || arrangement != nil }

  /// An independent copy.
  func copy() -> CollectionState {
    let copy = CollectionState()
    copy.overrides = overrides
    copy.additions = additions
    copy.arrangement = arrangement
    return copy
  }

  /// Invalidates the members, so that they are read from the store again.
  func forgetMembers() {
    resolved = nil
    storedCount = nil
  }

  /// Removes a member's change.
  func forget(_ member: Int32) {
    guard let wasAdded = overrides.removeValue(forKey: member) else { return }
    if wasAdded {
      additions.removeAll { $0 == member }
      arrangement?.removeAll { $0 == member }
    }
    resolved = nil
  }

  func set(_ member: Int32, isMember: Bool) {
    let before = overrides.updateValue(isMember, forKey: member)
    if before == true, !isMember { additions.removeLatest(member) }
    if before != true, isMember { additions.append(member) }
    if !isMember { arrangement?.removeLatest(member) }
    if isMember, arrangement?.contains(member) == false { arrangement?.append(member) }
    resolved = nil
  }

  /// Restores a member's state from before `isMember` was set; a position is its former place.
  func takeBack(_ member: Int32, isMember: Bool, previous: Bool?, place: Int?) {
    overrides[member] = previous
    if isMember {
      if previous != true { additions.removeLatest(member) }
      arrangement?.removeLatest(member)
    } else {
      if previous == true { additions.append(member) }
      if let count = arrangement?.count { arrangement?.insert(member, at: min(place ?? count, count)) }
    }
    resolved = nil
  }
}

extension Array<Int32> {
  /// Removes a member, searching from the end, because recent members are removed most often.
  mutating func removeLatest(_ member: Int32) {
    guard let index = lastIndex(of: member) else { return }
    remove(at: index)
  }
}

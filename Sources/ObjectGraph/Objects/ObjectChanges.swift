internal import Modeling

/// The unsaved changes of one object.
final class ObjectChanges {
  enum Kind { case inserted, updated, deleted }

  var kind: Kind
  /// The new value of each changed column, by column of the layout; all columns of an inserted object.
  var columns: [Value?]
  /// The place among the changes of the context, so that lists of changed objects keep the order of the changes.
  let order: Int
  /// The key that the store gave an inserted object in the save under way.
  var newKey: Int64?
  /// Whether a deleted object had never been saved, so that the store need not hear of it.
  var wasInserted = false
  /// The columns of an inserted object that have a default and were given a value all the same.
  var assignedDefaults: Set<Int> = []
  /// The object whose deletion, by a rule, was the reason of this one.
  var cause: ObjectReference?

  init(_ kind: Kind, columns: [Value?], order: Int) {
    self.kind = kind
    self.columns = columns
    self.order = order
  }

  /// A copy that later changes do not reach.
  func copy() -> ObjectChanges {
    let copy = ObjectChanges(kind, columns: columns, order: order)
    copy.wasInserted = wasInserted
    copy.assignedDefaults = assignedDefaults
    copy.cause = cause
    return copy
  }
}

/// What is known of a to-many relationship of one object.
final class CollectionState {
  /// Members added (true) or removed (false) since the last save, in the order they were first touched.
  var overrides: [Int32: Bool] = [:]
  var additions: [Int32] = []
  /// The whole arrangement of an ordered relationship that was rearranged.
  var arrangement: [Int32]?
  /// The members as they are now; nil when they must be worked out again.
  var resolved: [Int32]?

  var isChanged: Bool { !overrides.isEmpty || arrangement != nil }

  /// A copy that later changes do not reach.
  func copy() -> CollectionState {
    let copy = CollectionState()
    copy.overrides = overrides
    copy.additions = additions
    copy.arrangement = arrangement
    return copy
  }

  /// Takes back what was said about a member.
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
    if before == true, !isMember { additions.removeAll { $0 == member } }
    if before != true, isMember { additions.append(member) }
    if let index = arrangement?.firstIndex(of: member), !isMember { arrangement?.remove(at: index) }
    if isMember, arrangement?.contains(member) == false { arrangement?.append(member) }
    resolved = nil
  }
}

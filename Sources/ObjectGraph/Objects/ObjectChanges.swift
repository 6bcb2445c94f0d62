internal import Modeling
internal import Storage

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
  /// The undo group in which an inserted object was made: what happens to it within that group need not be undone
  /// step by step.
  let birth: Int
  /// How often anything of it was changed, so that hooks see what happened since.
  var version = 0
  /// Whether a save has nothing to do with it.
  var isVoid: Bool { kind == .deleted && wasInserted }
  /// The columns of an inserted object that have a default and were given a value all the same.
  var assignedDefaults: Set<Int> = []
  /// The object whose deletion, by a rule, was the reason of this one.
  var cause: ObjectReference?

  /// In a child, the row that the object showed when it was first changed, for the parent to find conflicts by.
  var base: BaseRow?

  init(_ kind: Kind, columns: [Value?], order: Int, birth: Int = 0) {
    self.kind = kind
    self.columns = columns
    self.order = order
    self.birth = birth
  }

  /// A copy that later changes do not reach.
  func copy() -> ObjectChanges {
    let copy = ObjectChanges(kind, columns: columns, order: order, birth: birth)
    copy.wasInserted = wasInserted
    copy.assignedDefaults = assignedDefaults
    copy.cause = cause
    copy.base = base
    return copy
  }
}

/// A row that several records of changes may share.
final class BaseRow {
  let row: PackedRow

  init(_ row: PackedRow) { self.row = row }

  deinit { row.free() }
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
  /// The state of the contexts above from which `resolved` was worked out.
  var baseSerial = 0
  /// How many members there are in the store, where only that was asked.
  var storedCount: Int?

  var isChanged: Bool { !overrides.isEmpty || arrangement != nil }

  /// A copy that later changes do not reach.
  func copy() -> CollectionState {
    let copy = CollectionState()
    copy.overrides = overrides
    copy.additions = additions
    copy.arrangement = arrangement
    return copy
  }

  /// Has the members worked out again from what the store has.
  func forgetMembers() {
    resolved = nil
    storedCount = nil
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
    if before == true, !isMember { additions.removeLatest(member) }
    if before != true, isMember { additions.append(member) }
    if !isMember { arrangement?.removeLatest(member) }
    if isMember, arrangement?.contains(member) == false { arrangement?.append(member) }
    resolved = nil
  }

  /// Makes what was said about a member what it was before `isMember` was said; a place is where it stood.
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
  /// Takes a member out, looking from the end: what came last is most often what goes first.
  mutating func removeLatest(_ member: Int32) {
    guard let index = lastIndex(of: member) else { return }
    remove(at: index)
  }
}

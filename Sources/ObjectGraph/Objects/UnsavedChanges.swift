internal import Modeling
internal import Stores

/// The unsaved changes of one object.
///
/// 64 bytes besides its values, as a script may make a million objects before it saves; what few objects have is kept apart.
final class UnsavedChanges {
  enum Kind: UInt8 { case inserted, updated, deleted }

  var kind: Kind {
    willSet { count(as: newValue == .deleted && wasInserted) }
  }
  /// Whether a deleted object was never saved, so that the store has no row to delete.
  var wasInserted = false {
    willSet { count(as: kind == .deleted && newValue) }
  }
  private var hasNewKey = false
  private let place: Int32
  private var assignedKey: Int64 = 0
  /// The new values of the changed columns; for an inserted object, of those that were set or have a default.
  var columns: ChangedColumns
  /// The undo group in which the object was inserted: its changes within that group need not be undone
  /// step by step.
  let birth: Int
  /// A count of its changes, by which hooks detect new ones.
  var version = 0
  private var rest: Rest?

  /// What few objects have.
  private struct Details {
    var assignedDefaults: Set<Int> = []
    var cause: ObjectReference?
    var base: BaseRow?
  }

  private final class Rest {
    var details = Details()
  }

  init(_ kind: Kind, columns: ChangedColumns, order: Int, birth: Int = 0) {
    self.kind = kind
    self.columns = columns
    place = Int32(truncatingIfNeeded: order)
    self.birth = birth
    UnsavedChangeCount.add(1)
  }

  deinit {
    if !isVoid { UnsavedChangeCount.add(-1) }
  }

  private func count(as willBeVoid: Bool) {
    if willBeVoid != isVoid { UnsavedChangeCount.add(willBeVoid ? -1 : 1) }
  }

  /// The position among the context's changes, which gives lists of changed objects their order.
  var order: Int { Int(place) }

  /// The key that the current save has assigned to an inserted object.
  var newKey: Int64? {
    get { hasNewKey ? assignedKey : nil }
    set {
      hasNewKey = newValue != nil
      assignedKey = newValue ?? 0
    }
  }

  /// Whether a save has nothing to write for it.
  var isVoid: Bool { kind == .deleted && wasInserted }

  /// The columns of an inserted object that were set although they have a default.
  var assignedDefaults: Set<Int> { rest?.details.assignedDefaults ?? [] }

  /// Notes that a column of an inserted object was set although it has a default.
  func noteAssigned(_ column: Int) { madeRest.details.assignedDefaults.insert(column) }

  /// The object whose deletion caused this one by a delete rule.
  var cause: ObjectReference? {
    get { rest?.details.cause }
    set { if newValue != nil || rest != nil { madeRest.details.cause = newValue } }
  }

  /// In a child context, the row at the object's first change, by which the parent finds conflicts.
  var base: BaseRow? {
    get { rest?.details.base }
    set { if newValue != nil || rest != nil { madeRest.details.base = newValue } }
  }

  private var madeRest: Rest {
    if let rest { return rest }
    let made = Rest()
    rest = made
    return made
  }

  /// An independent copy.
  func copy() -> UnsavedChanges {
    let copy = UnsavedChanges(kind, columns: columns, order: order, birth: birth)
    copy.wasInserted = wasInserted
    if let rest { copy.madeRest.details = rest.details }
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

  /// The members that were removed, in the order of their slots.
  var removals: [Int32] { overrides.lazy.filter { !$0.value }.map(\.key).sorted() }

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

  /// Restores a member's state from before a step.
  func takeBack(_ step: MemberStep) {
    let member = step.member
    overrides[member] = step.previous
    if step.isMember {
      if step.previous != true { additions.removeLatest(member) }
      arrangement?.removeLatest(member)
    } else {
      if step.previous == true {
        additions.insert(member, at: min(step.addition ?? additions.count, additions.count))
      }
      if let count = arrangement?.count { arrangement?.insert(member, at: min(step.place ?? count, count)) }
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

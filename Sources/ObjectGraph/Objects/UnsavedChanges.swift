internal import Modeling
internal import Stores

/// The unsaved changes of one object: a record in the `ChangeMap` of its table, which counts no references to it.
///
/// After the changes have been removed, they are void until the record is used for another object. They must not be used after
/// `ChangeMap.trim()`, which frees their memory: a debug build stops there.
struct UnsavedChanges {
  enum Kind: UInt8 { case inserted, updated, deleted }

  private let place: UnsafeMutablePointer<Record>
  #if DEBUG
    private let memory: ChangeMap.Memory
  #endif

  /// Places new changes in memory for a record.
  init(_ changes: Record, at place: UnsafeMutablePointer<Record>, in memory: ChangeMap.Memory) {
    self.init(at: place, in: memory)
    place.initialize(to: changes)
    if !isVoid { UnsavedChangeCount.add(1) }
  }

  private init(at place: UnsafeMutablePointer<Record>, in memory: ChangeMap.Memory) {
    self.place = place
    #if DEBUG
      self.memory = memory
    #endif
  }

  private var record: UnsafeMutablePointer<Record> {
    #if DEBUG
      precondition(!memory.isFreed, "unsaved changes are used after their memory was freed")
    #endif
    return place
  }

  var kind: Kind {
    get { record.pointee.kind }
    nonmutating set { counting { record.pointee.kind = newValue } }
  }

  /// Whether a deleted object was never saved, so that the store has no row to delete.
  var wasInserted: Bool {
    get { record.pointee.wasInserted }
    nonmutating set { counting { record.pointee.wasInserted = newValue } }
  }

  /// The new values of the changed columns; for an inserted object, of those that were set or have a default.
  var columns: ChangedColumns {
    get { record.pointee.columns }
    nonmutating _modify { yield &record.pointee.columns }
  }

  /// The undo group in which the object was inserted: its changes within that group need not be undone
  /// step by step.
  var birth: Int { Int(record.pointee.birth) }

  /// A count of its changes, by which hooks detect new ones.
  var version: Int32 { record.pointee.version }

  /// Counts a change.
  func noteChange() { record.pointee.version &+= 1 }

  /// The position among the context's changes, which gives lists of changed objects their order.
  var order: Int { Int(record.pointee.order) }

  /// The key that the current save has assigned to an inserted object.
  var newKey: Int64? {
    get { record.pointee.hasNewKey ? record.pointee.assignedKey : nil }
    nonmutating set {
      record.pointee.hasNewKey = newValue != nil
      record.pointee.assignedKey = newValue ?? 0
    }
  }

  /// Whether a save has nothing to write for it.
  var isVoid: Bool { record.pointee.isVoid }

  /// The columns of an inserted object that were set although they have a default.
  var assignedDefaults: Set<Int> { record.pointee.rest?.details.assignedDefaults ?? [] }

  /// Notes that a column of an inserted object was set although it has a default.
  func noteAssigned(_ column: Int) { record.pointee.madeRest.details.assignedDefaults.insert(column) }

  /// The object whose deletion caused this one by a delete rule.
  var cause: ObjectReference? {
    get { record.pointee.rest?.details.cause }
    nonmutating set {
      if newValue != nil || record.pointee.rest != nil { record.pointee.madeRest.details.cause = newValue }
    }
  }

  /// In a child context, the row at the object's first change, by which the parent finds conflicts.
  var base: BaseRow? {
    get { record.pointee.rest?.details.base }
    nonmutating set {
      if newValue != nil || record.pointee.rest != nil { record.pointee.madeRest.details.base = newValue }
    }
  }

  // MARK: In the map

  /// An independent copy.
  func copy() -> Record {
    var copy = Record(record.pointee.kind, columns: columns, order: order, birth: birth)
    copy.wasInserted = wasInserted
    if let rest = record.pointee.rest { copy.madeRest.details = rest.details }
    return copy
  }

  /// Takes the place of what the record had.
  func become(_ changes: Record) { counting { record.pointee = changes } }

  /// Makes the record a free one; see `nextFree`.
  func becomeFree(before next: UnsavedChanges?) {
    if !isVoid { UnsavedChangeCount.add(-1) }
    record.pointee.columns = ChangedColumns()
    (record.pointee.kind, record.pointee.wasInserted, record.pointee.hasNewKey) = (.deleted, true, false)
    record.pointee.rest = nil
    record.pointee.assignedKey = Int64(Int(bitPattern: next?.place))
  }

  /// The next free record behind a free one.
  func nextFree(in memory: ChangeMap.Memory) -> UnsavedChanges? {
    UnsafeMutablePointer(bitPattern: Int(record.pointee.assignedKey)).map { UnsavedChanges(at: $0, in: memory) }
  }

  private func counting(_ change: () -> Void) {
    let wasVoid = isVoid
    change()
    if wasVoid != isVoid { UnsavedChangeCount.add(wasVoid ? 1 : -1) }
  }
}

extension UnsavedChanges {
  /// What an object's unsaved changes are: 56 bytes besides values that are no numbers, as a script may make a million objects before it
  /// saves. What few objects have is kept apart.
  struct Record {
    fileprivate var columns: ChangedColumns
    fileprivate let order: Int32
    fileprivate var kind: Kind
    fileprivate var wasInserted = false
    fileprivate var hasNewKey = false
    fileprivate var version: Int32 = 0
    fileprivate let birth: Int32
    fileprivate var assignedKey: Int64 = 0
    fileprivate var rest: Rest?

    /// What few objects have.
    fileprivate final class Rest {
      var details = Details()
    }

    fileprivate struct Details {
      var assignedDefaults: Set<Int> = []
      var cause: ObjectReference?
      var base: BaseRow?
    }

    /// Changes at a position among those of the context, in the undo group `birth`.
    init(_ kind: Kind, columns: ChangedColumns, order: Int, birth: Int = 0) {
      self.columns = columns
      self.order = Int32(truncatingIfNeeded: order)
      self.kind = kind
      self.birth = Int32(truncatingIfNeeded: birth)
    }

    fileprivate var isVoid: Bool { kind == .deleted && wasInserted }

    fileprivate var madeRest: Rest {
      mutating get {
        if let rest { return rest }
        let made = Rest()
        rest = made
        return made
      }
    }
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

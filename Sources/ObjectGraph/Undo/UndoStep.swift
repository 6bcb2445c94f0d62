internal import Modeling
internal import Stores

/// A change to the graph that can be undone and redone.
///
/// Values are absolute, so that a step keeps its meaning after a save. Slots identify objects, because keys may change.
enum UndoStep {
  /// Objects were inserted in consecutive slots.
  case insert(first: Int32, count: Int32)
  /// An object was deleted; `cause` is the object whose delete rule did it.
  case delete(Int32, cause: ObjectReference?)
  case column(Int32, column: Int, old: Value, new: Value)
  case transient(Int32, property: Int, old: Value?, new: Value)
  /// A to-one was set to another slot; -1 is nil.
  case reference(Int32, property: Int, old: Int32, new: Int32)
  case member(MemberStep)
  case arrangement(ArrangementStep)
}

/// A member was added to a to-many or removed from it.
struct MemberStep {
  let slot: Int32
  let property: Int
  let member: Int32
  let isMember: Bool
  /// The member's state in the unsaved changes before.
  let previous: Bool?
  /// The former position of a member removed from an ordered relationship.
  let place: Int?
  /// The former position among the members added since the last save.
  var addition: Int?
}

/// The members of an ordered to-many were reordered.
struct ArrangementStep {
  let slot: Int32
  let property: Int
  let old: [Int32]
  /// Whether there was an unsaved order before.
  let wasChanged: Bool
  let new: [Int32]
}

/// The steps that are undone together.
struct UndoGroup {
  struct Entry {
    unowned(unsafe) let table: ObjectTable
    var step: UndoStep
    /// Whether the step was reversed: undoing this entry makes it again.
    var isReversed = false
  }

  var entries = UndoEntries()
  /// The context's number of saves when the steps were recorded. Until the next save, undoing them leaves no
  /// changes at all.
  var epoch: Int
  /// The store's state when the steps were undone: as long as it has no other one, they can be redone as they are.
  var stamp: StoreStamp?
}

/// The state of a deleted object, from which an undo restores it.
struct DeletedState {
  /// The values of its columns, as far as they were set where it had no row.
  var columns: ChangedColumns
  var transients: [Int: Value]?
  /// The to-ones to objects without a row, which may have one when the object is restored.
  var references: [(property: Int, slot: Int32)] = []
  /// The unsaved to-manys of an object that never had a row.
  var collections: [ObjectTable.CollectionKey: CollectionState] = [:]
}

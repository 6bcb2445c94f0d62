internal import Modeling

/// A change to the graph that can be taken back and made again.
///
/// Values are absolute, so that a step means the same after a save; slots stand for objects whose keys may change.
enum UndoStep {
  /// Objects in consecutive slots were made.
  case insert(first: Int32, count: Int32)
  case delete(Int32)
  case column(Int32, column: Int, old: Value, new: Value)
  case transient(Int32, property: Int, old: Value?, new: Value)
  /// A to-one leads to another slot; -1 is nil.
  case reference(Int32, property: Int, old: Int32, new: Int32)
  case member(MemberStep)
  case arrangement(ArrangementStep)
}

/// A member came into a to-many or left it.
struct MemberStep {
  let slot: Int32
  let property: Int
  let member: Int32
  let isMember: Bool
  /// What the unsaved changes said about the member before.
  let previous: Bool?
  /// Where an ordered relationship had a member that left.
  let place: Int?
}

/// The members of an ordered to-many were put into another order.
struct ArrangementStep {
  let slot: Int32
  let property: Int
  let old: [Int32]
  /// Whether there was an unsaved arrangement before.
  let wasChanged: Bool
  let new: [Int32]
}

/// The steps that are taken back together.
struct UndoGroup {
  struct Entry {
    let table: ObjectTable
    var step: UndoStep
  }

  var entries: [Entry] = []
  /// How many saves the context had made when the steps were taken: until the next one, taking them back leaves no
  /// change at all.
  var epoch: Int
}

/// What an object was before it went, for bringing it back.
struct Grave {
  /// The values of all columns.
  var columns: [Value?]
  var transients: [Int: Value]?
  /// The to-ones that lead to objects without a row, which may have one when the object comes back.
  var references: [(property: Int, slot: Int32)] = []
  /// Unsaved changes of the to-manys, of an object that never had a row.
  var collections: [ObjectTable.CollectionKey: CollectionState] = [:]
}

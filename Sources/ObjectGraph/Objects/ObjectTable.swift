public import Modeling
internal import Storage

/// The objects of one root entity that a context knows, as a structure of arrays: an object is a slot.
///
/// A slot costs 24 bytes and its share of the index about 8; values are packed in a block of their own. A clean slot
/// holds nothing that could not be read again, so the context may drop its row (a fault) or the slot itself once
/// nobody refers to it.
///
/// Invariant: `index` finds exactly the slots in use, each under its key.
public final class ObjectTable {
  public let root: Entity
  /// The context that owns the table; it outlives it.
  public unowned let context: ObjectContext
  /// The entities a slot can be of: the root and its descendants.
  let family: [Entity]
  let shapes: [EntityShape]

  /// How many slots were ever made: slots are `0..<count`, some of them free.
  private(set) var count = 0
  private(set) var freeSlots: [Int32] = []
  private var capacity = 0
  private var keys: UnsafeMutablePointer<Int64>
  private var rows: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private var states: UnsafeMutablePointer<SlotState>
  private var index = KeyIndex()

  /// The cursor that stands on the row of `currentSlot`: its values are read from the statement.
  private(set) var cursor: RowCursor?
  private(set) var currentSlot: Int32 = -1
  /// Where the last batch of faults ended and how large it was; runs of faults are filled in growing batches.
  var faultRun = (next: Int32(-1), size: 1)

  /// The unsaved changes of the slots that have any.
  var changes: [Int32: ObjectChanges] = [:]
  /// Values of transient attributes, by slot and property.
  var transients: [Int32: [Int: Value]] = [:]
  /// To-many relationships that were read or changed, by slot and property.
  var collections: [CollectionKey: CollectionState] = [:]

  struct CollectionKey: Hashable {
    let slot: Int32
    let property: Int
  }

  init(root: Entity, context: ObjectContext) {
    self.root = root
    self.context = context
    family = root.family
    shapes = family.map { EntityShape($0, context.store.layout(of: $0)) }
    keys = .allocate(capacity: 0)
    rows = .allocate(capacity: 0)
    states = .allocate(capacity: 0)
  }

  deinit {
    for slot in 0..<count { rows[slot].map { PackedRow(base: $0).free() } }
    keys.deallocate()
    rows.deallocate()
    states.deallocate()
  }

  // MARK: Slots

  /// The slot of `key`, made as a fault if the context did not know it.
  func register(_ key: Int64, _ entity: Entity) -> Int32 {
    if let slot = index.find(key, keys) {
      let member = memberIndex(of: entity)
      if member != 0 { states[Int(slot)].entity = member }
      return slot
    }
    return add(key, entity)
  }

  /// The slot of `key`, if the context knows it.
  func slot(of key: Int64) -> Int32? { index.find(key, keys) }

  /// Takes a slot for a key that has none.
  func add(_ key: Int64, _ entity: Entity) -> Int32 {
    let slot: Int32
    if let free = freeSlots.popLast() {
      slot = free
    } else {
      if count == capacity { grow() }
      slot = Int32(count)
      count += 1
    }
    keys[Int(slot)] = key
    rows[Int(slot)] = nil
    states[Int(slot)] = SlotState(entity: memberIndex(of: entity), isUsed: true)
    index.insert(slot, keys)
    return slot
  }

  /// Marks the slot's object as gone: deleted and saved, or inserted and rolled back.
  ///
  /// The slot stays taken until nobody refers to it, so that no other object can appear in its place.
  func bury(_ slot: Int32) {
    guard !isGone(slot) else { return }
    index.remove(slot, keys)
    dropRow(slot)
    changes[slot] = nil
    transients[slot] = nil
    states[Int(slot)].isDirty = false
    states[Int(slot)].isGone = true
  }

  /// Gives a clean slot that nobody refers to back for other objects.
  func release(_ slot: Int32) {
    if !isGone(slot) { index.remove(slot, keys) }
    dropRow(slot)
    transients[slot] = nil
    states[Int(slot)] = SlotState()
    freeSlots.append(slot)
  }

  /// Files a slot under another key: a temporary one became permanent.
  func rekey(_ slot: Int32, to key: Int64) {
    index.remove(slot, keys)
    keys[Int(slot)] = key
    index.insert(slot, keys)
  }

  /// The key of the slot's row.
  public func key(_ slot: Int32) -> Int64 { keys[Int(slot)] }

  /// The slot's own entity.
  public func entity(_ slot: Int32) -> Entity { family[Int(states[Int(slot)].entity)] }

  /// What is known of the slot's entity.
  func shape(_ slot: Int32) -> EntityShape { shapes[Int(states[Int(slot)].entity)] }

  /// The identity of the slot's object.
  public func objectID(_ slot: Int32) -> ObjectID { ObjectID(entity: entity(slot), key: keys[Int(slot)]) }

  func isUsed(_ slot: Int32) -> Bool { states[Int(slot)].isUsed }

  /// Whether the slot's object was deleted and saved, or rolled back before it was ever saved.
  public func isGone(_ slot: Int32) -> Bool { states[Int(slot)].isGone }

  /// Whether the slot has unsaved changes, so that it must not be dropped.
  public func isDirty(_ slot: Int32) -> Bool { states[Int(slot)].isDirty }

  func setDirty(_ slot: Int32, _ isDirty: Bool) { states[Int(slot)].isDirty = isDirty }

  /// The number of slots in use.
  var liveCount: Int { count - freeSlots.count }

  // MARK: Rows

  /// Lets the slot's values be read from the row that `cursor` stands on.
  func stand(_ newCursor: RowCursor, on slot: Int32) {
    if currentSlot >= 0, let cursor, cursor !== newCursor, rows[Int(currentSlot)] == nil, !isGone(currentSlot) {
      setRow(currentSlot, cursor.pack())
    }
    cursor = newCursor
    currentSlot = slot
  }

  /// Ends reading from `ended`: its object becomes a fault.
  func leave(_ ended: RowCursor) {
    guard cursor === ended else { return }
    cursor = nil
    currentSlot = -1
  }

  /// Whether the slot's values are not in memory.
  public func isFault(_ slot: Int32) -> Bool { rows[Int(slot)] == nil && slot != currentSlot }

  func row(_ slot: Int32) -> PackedRow? { rows[Int(slot)].map { PackedRow(base: $0) } }

  func setRow(_ slot: Int32, _ row: PackedRow) {
    dropRow(slot)
    rows[Int(slot)] = row.base
    context.account(bytes: row.byteCount)
  }

  func dropRow(_ slot: Int32) {
    guard let base = rows[Int(slot)] else { return }
    let row = PackedRow(base: base)
    context.account(bytes: -row.byteCount)
    row.free()
    rows[Int(slot)] = nil
  }

  private func memberIndex(of entity: Entity) -> UInt8 {
    if entity === root { return 0 }
    return UInt8(family.firstIndex { $0 === entity } ?? 0)
  }

  private func grow() {
    let larger = max(64, capacity * 2)
    func moved<Element>(_ old: UnsafeMutablePointer<Element>) -> UnsafeMutablePointer<Element> {
      let new = UnsafeMutablePointer<Element>.allocate(capacity: larger)
      new.moveInitialize(from: old, count: count)
      old.deallocate()
      return new
    }
    keys = moved(keys)
    rows = moved(rows)
    states = moved(states)
    capacity = larger
  }
}

/// What is known of a slot beside its key and row.
struct SlotState {
  /// The index of the slot's entity in the table's family.
  var entity: UInt8 = 0
  var isUsed = false
  var isDirty = false
  var isGone = false
}

extension ObjectTable {
  /// Checks the invariants of slots and index; for tests.
  func checkIndex() -> [String] {
    var problems: [String] = []
    var used = 0
    for slot in 0..<Int32(count) where isUsed(slot) {
      used += 1
      if isGone(slot) { continue }
      if self.slot(of: key(slot)) != slot { problems.append("slot \(slot) of \(root.name) is not found under its key") }
      if isDirty(slot) != (changes[slot] != nil) { problems.append("slot \(slot) of \(root.name): dirty flag differs") }
    }
    if used != liveCount { problems.append("\(root.name): \(used) slots in use, \(liveCount) counted") }
    return problems
  }
}

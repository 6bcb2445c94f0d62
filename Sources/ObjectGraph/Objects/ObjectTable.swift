public import Modeling
internal import Storage

/// The objects of one root entity that a context knows, as a structure of arrays: an object is a slot.
///
/// A slot costs 20 bytes and its share of the index about 8; values are packed in a block of their own. A clean slot
/// holds nothing that could not be read again, so the context may drop its row (a fault) or the slot itself once
/// nobody refers to it.
///
/// Invariant: the index finds exactly the slots in use whose objects are not gone, each under its key.
public final class ObjectTable {
  /// The topmost entity of the objects.
  public let root: Entity
  /// The context that owns the table; it outlives it.
  public unowned let context: ObjectContext
  /// Whether the context saves into another one, where objects are then read.
  let isChild: Bool
  /// The entities a slot can be of: the root and its descendants.
  let family: [Entity]
  let shapes: [EntityShape]

  private let slots: UnsafeMutablePointer<SlotStorage>

  /// The cursor that stands on the row of `currentSlot`: its values are read from the statement.
  private(set) var cursor: RowCursor?
  /// The same cursor, to be read from without counting references a million times.
  private(set) var unretainedCursor: Unmanaged<RowCursor>?
  private(set) var currentSlot: Int32 = -1
  /// Where the last batch of faults ended and how large it was; runs of faults are filled in growing batches.
  var faultRun = (next: Int32(-1), size: 1)

  /// Questions about relationships that were asked of one object after the other.
  var runs: [Question: BatchRun] = [:]
  /// The questions that the store was asked since a cursor last looked; a cursor answers them ahead.
  var demands: Set<Question> = [] {
    didSet { slots.pointee.hasDemands = !demands.isEmpty }
  }
  /// Whether there are any.
  var hasDemands: Bool { slots.pointee.hasDemands }
  /// How often relationships were read, so that a cursor sees whether reading ahead is worth it.
  var relationshipReads = 0
  /// The fetch result that an object was taken from last.
  var currentResult: Unmanaged<FetchResult>?
  /// The to-one that led to an object last.
  var approach: Approach?
  /// The keys of rows that references name by other columns, by property and values.
  var resolved: [Int: [[Value]: Int64]] = [:]
  /// The slots whose rows are gone and that count as deleted for it.
  var inaccessible: Set<Int32> = []

  /// The unsaved changes of the slots that have any.
  var changes = SlotMap<ObjectChanges>()
  /// Finds changed objects by their values, where somebody looked for one among many.
  var pendingKeys: [PendingKeys] = []
  /// Values of transient attributes, by slot and property.
  var transients: [Int32: [Int: Value]] = [:]
  /// What fetched properties found, by slot and number; kept until the object is refreshed.
  var fetched: [Int32: [Int: FetchedObjects]] = [:]
  /// What objects that are gone were, for an undo that brings them back.
  var graves: [Int32: Grave] = [:]
  /// To-many relationships that were read or changed, by slot and property.
  var collections: [CollectionKey: CollectionState] = [:]

  struct CollectionKey: Hashable {
    let slot: Int32
    let property: Int
  }

  init(root: Entity, context: ObjectContext) {
    self.root = root
    self.context = context
    isChild = context.parent != nil
    family = root.family
    shapes = family.map { EntityShape($0, context.store.layout(of: $0)) }
    slots = .allocate(capacity: 1)
    slots.initialize(to: SlotStorage())
  }

  deinit {
    slots.pointee.deallocate()
    slots.deallocate()
  }

  // MARK: Slots

  /// How many slots were ever made: slots are `0..<count`, some of them free.
  var count: Int { slots.pointee.count }

  /// The number of slots in use.
  var liveCount: Int { slots.pointee.count - slots.pointee.freeCount }

  /// The slot of `key`, made as a fault if the context did not know it.
  func register(_ key: Int64, _ entity: Entity) -> Int32 {
    let slot = slots.pointee.find(key)
    guard slot >= 0 else { return slots.pointee.add(key, member: member(of: ownEntity(key, entity))) }
    // What leads to the object may know no more of it than an ancestor of its entity.
    if entity !== root, case let known = self.entity(slot), entity !== known, entity.isKind(of: known) {
      slots.pointee.states[Int(slot)].member = member(of: entity)
    }
    return slot
  }

  /// The slot of a row that was read, which says itself of what entity it is.
  ///
  /// A row that became one of another entity since, by SQL, is another object.
  func register(rowOf key: Int64, _ entity: Entity) -> Int32 {
    let slot = register(key, entity)
    if self.entity(slot) === entity { return slot }
    bury(slot)
    return add(key, entity)
  }

  /// The slot of `key`, made as a fault of the root entity if the context did not know it.
  func register(_ key: Int64) -> Int32 {
    let slot = slots.pointee.find(key)
    return slot >= 0 ? slot : slots.pointee.add(key, member: member(of: ownEntity(key, root)))
  }

  /// The slot of `key`, if the context knows it.
  func slot(of key: Int64) -> Int32? {
    let slot = slots.pointee.find(key)
    return slot >= 0 ? slot : nil
  }

  /// Takes a slot for a key that has none.
  func add(_ key: Int64, _ entity: Entity) -> Int32 { slots.pointee.add(key, member: member(of: entity)) }

  /// Marks the slot's object as gone: deleted and saved, or inserted and rolled back.
  ///
  /// The slot stays taken until nobody refers to it, so that no other object can appear in its place.
  func bury(_ slot: Int32) {
    guard !isGone(slot) else { return }
    slots.pointee.unfile(slot)
    dropRow(slot)
    changes[slot] = nil
    transients[slot] = nil
    fetched[slot] = nil
    slots.pointee.states[Int(slot)].isDirty = false
    slots.pointee.states[Int(slot)].isGone = true
  }

  /// Takes back that the slot's object is gone: it is filed under its key again, without values.
  func exhume(_ slot: Int32) {
    guard isGone(slot) else { return }
    slots.pointee.states[Int(slot)].isGone = false
    slots.pointee.file(slot)
  }

  /// Gives a clean slot that nobody refers to back for other objects.
  func release(_ slot: Int32) {
    if !isGone(slot) { slots.pointee.unfile(slot) }
    dropRow(slot)
    if !transients.isEmpty { transients[slot] = nil }
    if !fetched.isEmpty { fetched[slot] = nil }
    if !inaccessible.isEmpty { inaccessible.remove(slot) }
    slots.pointee.free(slot)
  }

  /// Files a slot under another key: a temporary one became permanent.
  func rekey(_ slot: Int32, to key: Int64) { slots.pointee.rekey(slot, to: key) }

  /// The key of the slot's row.
  public func key(_ slot: Int32) -> Int64 { slots.pointee.keys[Int(slot)] }

  /// The slot's own entity.
  public func entity(_ slot: Int32) -> Entity { family[slots.pointee.states[Int(slot)].member] }

  /// What is known of the slot's entity.
  func shape(_ slot: Int32) -> EntityShape { shapes[slots.pointee.states[Int(slot)].member] }

  /// The identity of the slot's object.
  public func objectID(_ slot: Int32) -> ObjectID { ObjectID(entity: entity(slot), key: key(slot)) }

  func isUsed(_ slot: Int32) -> Bool { slots.pointee.states[Int(slot)].isUsed }

  /// Whether the slot's object was deleted and saved, or rolled back before it was ever saved.
  public func isGone(_ slot: Int32) -> Bool { slots.pointee.states[Int(slot)].isGone }

  /// Whether the slot has unsaved changes, so that it must not be dropped.
  public func isDirty(_ slot: Int32) -> Bool { slots.pointee.states[Int(slot)].isDirty }

  func setDirty(_ slot: Int32, _ isDirty: Bool) { slots.pointee.states[Int(slot)].isDirty = isDirty }

  /// Marks the slot as unchanged; the row that its changes were based on is let go where it may be out of date.
  func becomeClean(_ slot: Int32) {
    setDirty(slot, false)
    if isChild || context.hasStaleBases { dropRow(slot) }
  }

  private func member(of entity: Entity) -> Int {
    entity === root ? 0 : family.firstIndex { $0 === entity } ?? 0
  }

  // MARK: Rows

  /// Lets the slot's values be read from the row that `newCursor` stands on.
  func stand(_ newCursor: RowCursor, on slot: Int32) {
    if cursor !== newCursor {
      if currentSlot >= 0, let cursor, cursor.isCurrent, row(currentSlot) == nil, !isGone(currentSlot) {
        setRow(currentSlot, cursor.pack())
      }
      cursor = newCursor
      unretainedCursor = Unmanaged.passUnretained(newCursor)
    }
    currentSlot = slot
  }

  /// Ends reading from `ended`: its object becomes a fault.
  func leave(_ ended: RowCursor) {
    guard cursor === ended else { return }
    cursor = nil
    unretainedCursor = nil
    currentSlot = -1
  }

  /// Whether the slot's values are not in memory.
  public func isFault(_ slot: Int32) -> Bool { slots.pointee.rows[Int(slot)] == nil && slot != currentSlot }

  func row(_ slot: Int32) -> PackedRow? { slots.pointee.rows[Int(slot)].map { PackedRow(base: $0) } }

  func setRow(_ slot: Int32, _ row: PackedRow) {
    dropRow(slot)
    if !pendingKeys.isEmpty, isDirty(slot) { touchPendingKeys(slot) }
    slots.pointee.rows[Int(slot)] = row.base
    context.account(bytes: row.byteCount)
  }

  /// Gives the slot another row and returns the one it had, which is the caller's to free.
  func exchangeRow(_ slot: Int32, _ new: PackedRow?) -> PackedRow? {
    let old = row(slot)
    if !pendingKeys.isEmpty { touchPendingKeys(slot) }
    slots.pointee.rows[Int(slot)] = new?.base
    context.account(bytes: (new?.byteCount ?? 0) - (old?.byteCount ?? 0))
    return old
  }

  func dropRow(_ slot: Int32) {
    guard let base = slots.pointee.rows[Int(slot)] else { return }
    let row = PackedRow(base: base)
    if !pendingKeys.isEmpty, isDirty(slot) { touchPendingKeys(slot) }
    context.account(bytes: -row.byteCount)
    row.free()
    slots.pointee.rows[Int(slot)] = nil
  }
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

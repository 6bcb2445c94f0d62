public import Modeling
internal import Stores

/// The registered objects of one root entity, as a structure of arrays: an object is a slot.
///
/// A slot takes 20 bytes and about 8 in the index; values are packed in a separate block. A clean slot
/// holds nothing that could not be read again, so the context may drop its row (a fault), or the slot itself once
/// it is unreferenced.
///
/// Invariant: the index holds exactly the used slots whose objects are not gone, each under its key.
public final class ObjectTable {
  /// The topmost entity of the objects.
  public let root: Entity
  /// The context that owns the table; it outlives it, so that references to it need no count, which each change of a
  /// value would pay for several times.
  public unowned(unsafe) let context: ObjectContext
  /// Whether the context has a parent, from which objects are then read.
  let isChild: Bool
  /// The possible entities of a slot: the root and its descendants.
  let family: [Entity]
  let shapes: [EntityShape]
  /// Whether objects have columns that refer to others.
  let hasReferences: Bool

  private let slots: UnsafeMutablePointer<SlotStorage>

  /// The cursor positioned on the row of `currentSlot`, whose values are read from the statement.
  private(set) var cursor: RowCursor?
  /// The same cursor, unretained, so that reading a million rows counts no references.
  private(set) var unretainedCursor: Unmanaged<RowCursor>?
  private(set) var currentSlot: Int32 = -1
  /// The end and size of the last batch of faults; batches grow while faults are fired in sequence.
  var faultRun = (next: Int32(-1), size: 1)

  /// The relationship reads that are repeated object by object.
  var runs: [Question: BatchRun] = [:]
  /// The reads since a cursor last checked, which it performs ahead.
  var demands: Set<Question> = [] {
    didSet { slots.pointee.hasDemands = !demands.isEmpty }
  }
  /// Whether there are any such reads.
  var hasDemands: Bool { slots.pointee.hasDemands }
  /// A count of relationship reads, by which a cursor decides whether reading ahead pays.
  var relationshipReads = 0
  /// The fetch result of the last access.
  var currentResult: Unmanaged<FetchResult>?
  /// The to-one that was followed last.
  var approach: Approach?
  /// Cached keys of rows that references identify by other columns, by property and values.
  var resolved: [Int: [[Value]: Int64]] = [:]
  /// The slots that count as deleted because their rows are gone.
  var inaccessible: Set<Int32> = []

  /// The unsaved changes of the slots that have any.
  let changes = ChangeMap()
  /// An index of changed objects by their values, built when a lookup needs it.
  var pendingKeys: [PendingKeys] = []
  /// Values of transient attributes, by slot and property.
  var transients: [Int32: [Int: Value]] = [:]
  /// Cached results of fetched properties, by slot and index; kept until the object is refreshed.
  var fetched: [Int32: [Int: FetchedObjects]] = [:]
  /// The states of deleted objects, from which an undo restores them.
  var deletedStates: [Int32: DeletedState] = [:]
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
    hasReferences = shapes.contains { $0.isReferenceColumn.contains(true) }
    slots = .allocate(capacity: 1)
    slots.initialize(to: SlotStorage())
  }

  deinit {
    slots.pointee.deallocate()
    slots.deallocate()
  }

  // MARK: Slots

  /// The number of slots ever created: slots are `0..<count`, some of them free.
  var count: Int { slots.pointee.count }

  /// The number of slots in use.
  var liveCount: Int { slots.pointee.count - slots.pointee.freeCount }

  /// Returns the slot of `key`, registering a fault if needed.
  func register(_ key: Int64, _ entity: Entity) -> Int32 {
    let slot = slots.pointee.find(key)
    guard slot >= 0 else {
      return slots.pointee.add(key, member: member(of: isChild ? ownEntity(key, entity) : entity))
    }
    // A reference may only know an ancestor of the object's entity.
    if entity !== root, case let known = self.entity(slot), entity !== known, entity.isKind(of: known) {
      if slots.pointee.states[Int(slot)].isSettled { return replace(slot, entity) }
      slots.pointee.states[Int(slot)].member = member(of: entity)
    }
    return slot
  }

  /// Returns the slot of a row that was read; the row itself contains its entity.
  ///
  /// A row whose entity was changed by SQL, or which took the key of a deleted one, counts as another object.
  func register(rowOf key: Int64, _ entity: Entity) -> Int32 {
    let slot = register(key, entity)
    guard self.entity(slot) === entity else { return replace(slot, entity) }
    slots.pointee.states[Int(slot)].isSettled = true
    return slot
  }

  /// Registers another object under the key of a slot, whose object is gone.
  private func replace(_ slot: Int32, _ entity: Entity) -> Int32 {
    let key = key(slot)
    markGone(slot)
    return add(key, entity)
  }

  /// Holds the slot's object to the entity by which it is known from now on: a row of another one is another object.
  public func settleEntity(_ slot: Int32) { slots.pointee.states[Int(slot)].isSettled = true }

  /// Returns the slot of `key`, registering a fault of the root entity if needed.
  func register(_ key: Int64) -> Int32 {
    let slot = slots.pointee.find(key)
    return slot >= 0 ? slot : slots.pointee.add(key, member: isChild ? member(of: ownEntity(key, root)) : 0)
  }

  /// Returns the slot of `key` if it is registered.
  func slot(of key: Int64) -> Int32? {
    let slot = slots.pointee.find(key)
    return slot >= 0 ? slot : nil
  }

  /// Registers a new slot for the key of an object whose own entity is known.
  func add(_ key: Int64, _ entity: Entity) -> Int32 {
    let slot = slots.pointee.add(key, member: member(of: entity))
    settleEntity(slot)
    return slot
  }

  /// Marks the slot's object as gone: deleted and saved, or inserted and rolled back.
  ///
  /// The slot stays in use until it is unreferenced, so that no other object can take its place.
  func markGone(_ slot: Int32) {
    guard !isGone(slot) else { return }
    slots.pointee.unfile(slot)
    dropRow(slot)
    changes.remove(slot)
    transients[slot] = nil
    fetched[slot] = nil
    slots.pointee.states[Int(slot)].isDirty = false
    slots.pointee.states[Int(slot)].isGone = true
  }

  /// Restores a slot whose object was gone: registers it under its key again, as a fault.
  func reregister(_ slot: Int32) {
    guard isGone(slot) else { return }
    slots.pointee.states[Int(slot)].isGone = false
    slots.pointee.file(slot)
  }

  /// Frees a clean, unreferenced slot.
  func release(_ slot: Int32) {
    if !isGone(slot) { slots.pointee.unfile(slot) }
    dropRow(slot)
    if !transients.isEmpty { transients[slot] = nil }
    if !fetched.isEmpty { fetched[slot] = nil }
    if !inaccessible.isEmpty { inaccessible.remove(slot) }
    slots.pointee.free(slot)
  }

  /// Registers a slot under another key, when a temporary key became permanent.
  func rekey(_ slot: Int32, to key: Int64) { slots.pointee.rekey(slot, to: key) }

  /// The key of the slot's row.
  public func key(_ slot: Int32) -> Int64 { slots.pointee.keys[Int(slot)] }

  /// Returns the slot's exact entity.
  public func entity(_ slot: Int32) -> Entity { family[slots.pointee.states[Int(slot)].member] }

  /// Returns the shape of the slot's entity.
  func shape(_ slot: Int32) -> EntityShape { shapes[slots.pointee.states[Int(slot)].member] }

  /// The identity of the slot's object.
  public func objectID(_ slot: Int32) -> ObjectID { ObjectID(entity: entity(slot), key: key(slot)) }

  func isUsed(_ slot: Int32) -> Bool { slots.pointee.states[Int(slot)].isUsed }

  /// Whether the slot's object was deleted and saved, or rolled back before its first save.
  public func isGone(_ slot: Int32) -> Bool { slots.pointee.states[Int(slot)].isGone }

  /// Whether the slot has unsaved changes, so that it must not be dropped.
  public func isDirty(_ slot: Int32) -> Bool { slots.pointee.states[Int(slot)].isDirty }

  func setDirty(_ slot: Int32, _ isDirty: Bool) { slots.pointee.states[Int(slot)].isDirty = isDirty }

  /// Marks the slot as clean; the base row of its changes is dropped if it may be out of date.
  func becomeClean(_ slot: Int32) {
    setDirty(slot, false)
    if isChild || context.hasStaleBases { dropRow(slot) }
  }

  private func member(of entity: Entity) -> Int {
    entity === root ? 0 : family.firstIndex { $0 === entity } ?? 0
  }

  // MARK: Rows

  /// Makes the slot read its values from the present row of `newCursor`.
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

  /// Ends reading from the cursor `ended`; its object becomes a fault.
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

  /// Replaces the slot's row and returns the old one, which the caller frees.
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
      if let changes = changes[slot], !context.isLogged(self, slot, at: changes.order) {
        problems.append("slot \(slot) of \(root.name): the change is missing in the order of changes")
      }
      if isDirty(slot) != (changes[slot] != nil) { problems.append("slot \(slot) of \(root.name): dirty flag differs") }
    }
    if used != liveCount { problems.append("\(root.name): \(used) slots in use, \(liveCount) counted") }
    return problems
  }
}

public import Modeling
internal import Queries
public import Stores

/// A managed object context: each row of the store as at most one object, with changes kept until they are saved.
///
/// It is confined to one thread. Clean objects live as long as they are referenced, changed objects until they are
/// saved or rolled back.
public final class ObjectContext {
  /// The store that holds the objects' rows.
  public let store: any ObjectStore
  /// The store's own flag, which each change of a value asks.
  let isReadOnly: Bool
  /// The context that this context saves into; nil if it saves into the store.
  public let parent: ObjectContext?
  /// The context of the layer above, such as the context of typed objects.
  public weak var face: AnyObject?
  /// Returns, for a table, whether a slot is referenced from outside. If nil, clean objects are kept until `reset()`.
  public var isReferenced: ((ObjectTable) -> (Int32) -> Bool)?
  /// Called with the change in bytes when rows are allocated or freed.
  public var onMemory: ((Int) -> Void)?
  /// Called with root entities whose derived values a save here has changed, so that other contexts can refresh them.
  public var onDerivedChange: ((Set<Entity>) -> Void)?
  /// Called when a save has ended well, with how much it has written, which may be nothing.
  public var onSave: ((WorkCounts) -> Void)?
  /// Called after an undo, a redo or a rollback, with the numbers of objects.
  public var onTakeBack: ((TakenBack, WorkCounts) -> Void)?
  private(set) lazy var derivedDependencies = DerivedDependencies(store.model)
  /// The hooks that run when objects are created, saved and deleted.
  public var hooks = ObjectHooks()
  /// The context's name in the store's history.
  public var name: String?
  /// The author of this context's transactions in the store's history.
  public var transactionAuthor: String?
  /// Counts of the statements that fired faults.
  public internal(set) var statistics = FaultStatistics()
  /// Called for each of these statements.
  public var onRead: ((FaultRead) -> Void)?
  /// Reports slow reads; nil if they are not observed.
  public var slowReadWatch: SlowRead.Watch?
  /// If true, an object whose row is gone counts as deleted and its values are nil; otherwise reading it throws.
  public var shouldDeleteInaccessibleFaults = false

  /// Whether any transient relationship has ever been set.
  var holdsTransientTargets = false
  /// The unsaved targets of transient relationships, with the permanent keys that they have received since.
  private var transientTargetKeys: [Int64: Int64] = [:]
  private var tables: [ObjectIdentifier: ObjectTable] = [:]
  /// The tables in use, in the order in which they were made, so that work on all of them has a fixed order.
  private(set) var allTables: [ObjectTable] = []
  /// The progress of the current save.
  var progress = SaveProgress()
  private var nextTemporaryKey = ObjectID.temporaryLimit
  /// The contexts that save into this one.
  private var children: [WeakContext] = []
  /// The undo history; nil until undo is first used.
  var undoManager: UndoManager?
  /// A number that changes whenever the members of any to-many change, by which child contexts detect such changes.
  var membershipSerial = 0
  /// The sum of these numbers of all parents.
  var baseSerial: Int { parent.map { $0.membershipSerial + $0.baseSerial } ?? 0 }
  /// The nesting depth of `transaction` calls.
  var transactionDepth = 0
  /// The states to restore if the open transactions fail, outermost first.
  var openStates: [PendingState] = []
  /// The changed slots in the order of their first change; some may have no changes any more.
  var changeLog: [ObjectReference] = []
  /// The key changes of saves, recorded for live results; nil if none follow the context.
  var savedObjects: [SavedObject]?
  /// The live fetch results, whose objects must be kept.
  var results: [WeakResult] = []
  var sweepThreshold = leastSwept
  /// So few that the slots of a pass over a store stay in the processor's cache, and so many that a sweep costs a row nothing.
  private static let leastSwept = 1024
  /// How a save resolves conflicts with changed rows and with unique values that are already in use.
  public var mergePolicy = MergePolicy.error
  /// Whether clean objects follow what other contexts, batch requests, SQL and other processes write.
  ///
  /// They follow at the context's next read. In Core Data the default is false.
  public var automaticallyMergesChangesFromParent = true
  /// The store's stamp at or before which no clean object's row was read.
  var seenStamp: StoreStamp
  /// Whether rows of registered objects may be gone without the context: others have written since it was made.
  var mayMissRows = false
  /// Whether changes may be based on rows that were read before `seenStamp`.
  var hasStaleBases = false

  /// Makes an empty context over `store`.
  public init(store: any ObjectStore) {
    self.store = store
    isReadOnly = store.isReadOnly
    parent = nil
    seenStamp = store.stamp
  }

  /// Makes an empty context whose objects are those of `parent` as they are there, and which saves into it.
  public init(parent: ObjectContext) {
    store = parent.store
    isReadOnly = parent.isReadOnly
    self.parent = parent
    seenStamp = parent.store.stamp
    parent.children.removeAll { $0.context == nil }
    parent.children.append(WeakContext(context: self))
  }

  /// The number of parents above this context.
  public var depth: Int { parent.map { $0.depth + 1 } ?? 0 }

  /// The living child contexts.
  var liveChildren: [ObjectContext] { children.compactMap(\.context) }

  /// Returns the table that holds the objects of the inheritance tree of `entity`.
  public func table(for entity: Entity) -> ObjectTable {
    let root = entity.root
    if let table = tables[ObjectIdentifier(root)] { return table }
    let table = ObjectTable(root: root, context: self)
    tables[ObjectIdentifier(root)] = table
    allTables.append(table)
    return table
  }

  // MARK: Objects

  /// Inserts an object of `entity` with its default values. It has no row until the next save.
  ///
  /// - Parameter key: The key that its row will have, which no row has; nil if the store chooses it.
  /// - Throws: GraphError.abstractEntity, .readOnlyEntity or .validating; StoreError.readOnly; what the hook
  ///   awakeFromInsert throws.
  public func insert(_ entity: Entity, key: Int64? = nil) throws -> ManagedObject {
    if entity.isAbstract { throw GraphError(.abstractEntity(entity.name)) }
    if entity.isReadOnly { throw GraphError(.readOnlyEntity(entity.name)) }
    if store.isReadOnly { throw store.readOnlyError }
    if progress.isValidating { throw GraphError(.validating(entity: entity.name)) }
    let table = table(for: entity)
    // A look-up for the row has left a fault.
    if let key, let fault = table.slot(of: key) { table.markGone(fault) }
    let slot = table.add(key ?? takeTemporaryKey(), entity)
    table.insert(slot)
    let object = ManagedObject(table: table, slot: slot)
    do { try hooks.awakeFromInsert?(object) } catch {
      discard(object)
      throw error
    }
    return object
  }

  /// Returns an object of `entity` that could not be inserted: it is gone from the beginning.
  public func rejectedObject(of entity: Entity) -> ManagedObject {
    let table = table(for: entity)
    let slot = table.add(takeTemporaryKey(), entity)
    table.markGone(slot)
    return ManagedObject(table: table, slot: slot)
  }

  /// Returns a temporary key that is unique among this context, its parents and its children.
  private func takeTemporaryKey() -> Int64 {
    if let parent { return parent.takeTemporaryKey() }
    nextTemporaryKey -= 1
    return nextTemporaryKey + 1
  }

  /// Returns the object with an ID, without checking that its row exists.
  public func object(_ id: ObjectID) -> ManagedObject {
    let table = table(for: id.entity)
    return ManagedObject(table: table, slot: table.register(id.key, id.entity))
  }

  /// Returns the object with an ID; nil if the store has no such row.
  ///
  /// - Throws: StoreError.
  public func existingObject(_ id: ObjectID) throws -> ManagedObject? {
    let table = table(for: id.entity)
    guard !id.isTemporary else { return table.slotOfUnsaved(id).map { ManagedObject(table: table, slot: $0) } }
    // Reading the row may show that it now belongs to another object.
    _ = try object(id).exists()
    let object = object(id)
    guard try object.exists(), !object.isDeleted, object.entity.isKind(of: id.entity) else { return nil }
    return object
  }

  /// Returns the registered objects: the changed ones and those that are referenced.
  public func registeredObjects() -> [ManagedObject] {
    allTables.sorted { $0.root.name < $1.root.name }.flatMap { table -> [ManagedObject] in
      let isReferenced = isReferenced?(table) ?? { _ in true }
      return (0..<Int32(clamping: table.count)).compactMap { slot in
        guard table.isUsed(slot), !table.isGone(slot), table.isDirty(slot) || isReferenced(slot) else { return nil }
        return ManagedObject(table: table, slot: slot)
      }
    }
  }

  /// Records the unsaved target of a transient relationship, whose key may change.
  func noteTransientTarget(_ key: Int64) {
    if key <= ObjectID.temporaryLimit { transientTargetKeys[key] = transientTargetKeys[key] ?? key }
  }

  /// Records the permanent key of a recorded target.
  func noteTransientTarget(_ old: Int64, is key: Int64) {
    if !transientTargetKeys.isEmpty, transientTargetKeys[old] != nil { transientTargetKeys[old] = key }
  }

  /// Returns the present key of a recorded target.
  func presentKey(ofTransientTarget key: Int64) -> Int64 { transientTargetKeys[key] ?? key }

  /// Records a slot's first change; returns its position in the order of changes.
  func logChange(_ table: ObjectTable, _ slot: Int32) -> Int {
    changeLog.append(ObjectReference(table: table, slot: slot))
    return changeLog.count - 1
  }

  /// Whether a slot's first change has a position in the order of changes; for tests.
  func isLogged(_ table: ObjectTable, _ slot: Int32, at position: Int) -> Bool {
    changeLog.indices.contains(position) && changeLog[position] == ObjectReference(table: table, slot: slot)
  }

  /// Removes the effects of an object's discarded changes from collections: its memberships and the pairs
  /// it had added.
  func forgetCollections(of table: ObjectTable, _ slot: Int32) {
    membershipSerial += 1
    for owners in allTables {
      for (key, state) in owners.collections where state.isChanged {
        let isOwn = owners === table && key.slot == slot
        if isOwn, case .join = owners.shape(key.slot).layout.properties[key.property] {
          owners.collections[key] = nil
        } else if self.table(for: owners.entity(key.slot).destination(at: key.property)) === table {
          state.forget(slot)
        }
      }
    }
  }

  // MARK: Memory

  func account(bytes: Int) { onMemory?(bytes) }

  /// Frees unreferenced clean objects if there are many more objects than after the last sweep.
  func sweepIfNeeded() {
    guard let isReferenced else { return }
    var live = allTables.reduce(0) { $0 + $1.liveCount }
    guard live > sweepThreshold else { return }
    var pinned: [ObjectIdentifier: Set<Int32>] = [:]
    results.removeAll { $0.result == nil }
    for result in results { result.result?.pin(into: &pinned) }
    undoManager?.pin(into: &pinned) { $0.destinationTable($1, $2) }
    for state in openStates { state.pin(into: &pinned, of: self) }
    pinUntold(into: &pinned)
    for table in allTables {
      table.pinMembers(of: table.collections, into: &pinned)
      table.pinTargets(of: table.deletedStates, into: &pinned)
    }
    for found in allTables.flatMap(\.fetched.values).flatMap(\.values) {
      pinned[ObjectIdentifier(self.table(for: found.entity)), default: []].formUnion(found.slots)
    }
    for table in allTables {
      table.sweep(pinned: pinned[ObjectIdentifier(table)] ?? [], isReferenced: isReferenced(table))
    }
    live = allTables.reduce(0) { $0 + $1.liveCount }
    sweepThreshold = max(Self.leastSwept, live * 2)
  }

  /// Forgets every object, clean or changed, and the undo history.
  public func reset() {
    rollback()
    for table in allTables { table.refreshClean() }
  }

  // MARK: Words

  /// Returns a key as it is shown to users.
  func keyText(of id: ObjectID) -> String {
    if id.isTemporary { return id.description }
    return store.keyValues(of: id.entity, key: id.key).map { text(of: $0) }.joined(separator: ", ")
  }

  func text(of value: Value) -> String { value.displayText }
}

/// A context that may be gone.
struct WeakContext {
  weak var context: ObjectContext?
}

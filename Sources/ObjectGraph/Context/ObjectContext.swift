public import Modeling
internal import Queries
public import Storage

/// Objects in memory over a store: each row at most once, changes kept until they are saved together.
///
/// Used from one thread. Clean objects are held only as long as somebody refers to them, changed ones until they are
/// saved or rolled back.
public final class ObjectContext {
  /// The store the objects are rows of.
  public let store: SQLiteStore
  /// The context that a save goes to instead of the store.
  public let parent: ObjectContext?
  /// Answers for a table whether somebody outside refers to a slot; without it clean objects are kept until `reset()`.
  public var isReferenced: ((ObjectTable) -> (Int32) -> Bool)?
  /// Told of the bytes that rows take or give back.
  public var onMemory: ((Int) -> Void)?
  /// Told of root entities whose objects have other derived values since a save here, so that other contexts hear of it.
  public var onDerivedChange: ((Set<Entity>) -> Void)?
  private(set) lazy var derivedDependencies = DerivedDependencies(store.model)
  /// What is called when objects are made, saved and deleted.
  public var hooks = ObjectHooks()
  /// What the store's history calls the context.
  public var name: String?
  /// Who changes objects here, as the store's history tells it.
  public var transactionAuthor: String?
  /// How often the store was asked for faults.
  public internal(set) var statistics = FaultStatistics()
  /// Told of each time that it is asked.
  public var onRead: ((FaultRead) -> Void)?
  /// From what time on reads are slow, and who is told; nil where nobody asks.
  public var slowReadWatch: SlowRead.Watch?
  /// Whether an object whose row is gone counts as deleted and has nil for every value; else reading it is an error.
  public var shouldDeleteInaccessibleFaults = false

  /// Whether a transient relationship was ever made to lead anywhere.
  var holdsTransientTargets = false
  /// The unsaved objects that transient relationships were made to lead to, and the keys that they got since.
  private var transientTargetKeys: [Int64: Int64] = [:]
  private var tables: [ObjectIdentifier: ObjectTable] = [:]
  /// Where a save under way stands.
  var progress = SaveProgress()
  private var nextTemporaryKey = ObjectID.temporaryLimit
  /// The contexts that save into this one.
  private var children: [WeakContext] = []
  /// What can be taken back; nil until it is asked for.
  var undoManager: UndoManager?
  /// Changes with the members of any to-many, so that children can tell whether theirs are still what they were.
  var membershipSerial = 0
  /// The same of all contexts above.
  var baseSerial: Int { parent.map { $0.membershipSerial + $0.baseSerial } ?? 0 }
  /// How deep calls of `transaction` are nested.
  var transactionDepth = 0
  /// The states that transactions under way may have to put back.
  var openStates: [PendingState] = []
  /// The slots with changes in the order of their first change; some have none any more.
  var changeLog: [ObjectReference] = []
  /// What saves did to keys, for those who follow the context; nil where nobody does.
  var settledObjects: [SettledObject]?
  /// Fetch results alive, whose objects must be kept.
  var results: [WeakResult] = []
  private var sweepThreshold = 8192
  /// What a save does about rows that others changed, and about unique values that others have.
  public var mergePolicy = MergePolicy.error
  /// Whether unchanged objects follow what others write: other contexts, batch requests, SQL, other processes.
  ///
  /// They follow when the context reads next. Core Data's contexts do so only when they are told to.
  public var automaticallyMergesChangesFromParent = true
  /// Every row of an unchanged object was read at this moment or later.
  var seenStamp: StoreStamp
  /// Whether the rows that changes are based on may have been read before `seenStamp`.
  var hasStaleBases = false

  /// Makes an empty context over `store`.
  public init(store: SQLiteStore) {
    self.store = store
    parent = nil
    seenStamp = store.stamp
  }

  /// Makes an empty context whose objects are those of `parent` as they are there, and which saves into it.
  public init(parent: ObjectContext) {
    store = parent.store
    self.parent = parent
    seenStamp = parent.store.stamp
    parent.children.removeAll { $0.context == nil }
    parent.children.append(WeakContext(context: self))
  }

  /// How many contexts are above this one.
  public var depth: Int { parent.map { $0.depth + 1 } ?? 0 }

  /// The contexts alive that save into this one.
  var liveChildren: [ObjectContext] { children.compactMap(\.context) }

  /// The table of the objects of `entity` and its relatives.
  public func table(for entity: Entity) -> ObjectTable {
    let root = entity.root
    if let table = tables[ObjectIdentifier(root)] { return table }
    let table = ObjectTable(root: root, context: self)
    tables[ObjectIdentifier(root)] = table
    return table
  }

  /// All tables that were needed so far.
  var allTables: some Collection<ObjectTable> { tables.values }

  // MARK: Objects

  /// Makes an object of `entity` with its default values; it has no row before the next save.
  public func insert(_ entity: Entity) throws -> ManagedObject {
    if entity.isAbstract { throw GraphError(.abstractEntity(entity.name)) }
    if entity.isReadOnly { throw GraphError(.readOnlyEntity(entity.name)) }
    if store.isReadOnly { throw store.readOnlyError }
    if progress.isValidating { throw GraphError(.validating(entity: entity.name)) }
    let table = table(for: entity)
    let slot = table.add(takeTemporaryKey(), entity)
    table.insert(slot)
    let object = ManagedObject(table: table, slot: slot)
    do { try hooks.awakeFromInsert?(object) } catch {
      discard(object)
      throw error
    }
    return object
  }

  /// A key for an object without a row; no other object of this context or its relatives has it.
  private func takeTemporaryKey() -> Int64 {
    if let parent { return parent.takeTemporaryKey() }
    nextTemporaryKey -= 1
    return nextTemporaryKey + 1
  }

  /// The object with an ID, without asking the store whether it is there.
  public func object(_ id: ObjectID) -> ManagedObject {
    let table = table(for: id.entity)
    return ManagedObject(table: table, slot: table.register(id.key, id.entity))
  }

  /// The object with an ID; nil when the store has no such row.
  public func existingObject(_ id: ObjectID) throws -> ManagedObject? {
    let table = table(for: id.entity)
    guard !id.isTemporary else { return table.slotOfUnsaved(id).map { ManagedObject(table: table, slot: $0) } }
    // Reading the row may show that it is another object by now.
    _ = try object(id).exists()
    let object = object(id)
    guard try object.exists(), !object.isDeleted, object.entity.isKind(of: id.entity) else { return nil }
    return object
  }

  /// The objects the context knows: the changed ones, and those that somebody refers to.
  public func registeredObjects() -> [ManagedObject] {
    tables.values.sorted { $0.root.name < $1.root.name }.flatMap { table -> [ManagedObject] in
      let isReferenced = isReferenced?(table) ?? { _ in true }
      return (0..<Int32(clamping: table.count)).compactMap { slot in
        guard table.isUsed(slot), !table.isGone(slot), table.isDirty(slot) || isReferenced(slot) else { return nil }
        return ManagedObject(table: table, slot: slot)
      }
    }
  }

  /// Notes that a transient relationship leads to an object, whose key may change.
  func noteTransientTarget(_ key: Int64) {
    if key <= ObjectID.temporaryLimit { transientTargetKeys[key] = transientTargetKeys[key] ?? key }
  }

  /// Notes that an object without a row got a key.
  func noteTransientTarget(_ old: Int64, is key: Int64) {
    if !transientTargetKeys.isEmpty, transientTargetKeys[old] != nil { transientTargetKeys[old] = key }
  }

  /// The key that an object has by now to which a transient relationship was made to lead.
  func presentKey(ofTransientTarget key: Int64) -> Int64 { transientTargetKeys[key] ?? key }

  /// Notes a slot's first change; returns its place in the order of changes.
  func logChange(_ table: ObjectTable, _ slot: Int32) -> Int {
    changeLog.append(ObjectReference(table: table, slot: slot))
    return changeLog.count - 1
  }

  /// Takes what an object's discarded changes meant out of the collections: its place as a member, and the pairs it
  /// was changed to have.
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

  /// Gives back the clean objects nobody refers to, when there are many more than after the last time.
  func sweepIfNeeded() {
    guard let isReferenced else { return }
    var live = tables.values.reduce(0) { $0 + $1.liveCount }
    guard live > sweepThreshold else { return }
    var pinned: [ObjectIdentifier: Set<Int32>] = [:]
    results.removeAll { $0.result == nil }
    for result in results { result.result?.pin(into: &pinned) }
    undoManager?.pin(into: &pinned) { $0.destinationTable($1, $2) }
    for state in openStates { state.pin(into: &pinned, of: self) }
    pinUntold(into: &pinned)
    for table in tables.values {
      table.pinMembers(of: table.collections, into: &pinned)
      table.pinTargets(of: table.graves, into: &pinned)
    }
    for found in tables.values.flatMap(\.fetched.values).flatMap(\.values) {
      pinned[ObjectIdentifier(self.table(for: found.entity)), default: []].formUnion(found.slots)
    }
    for table in tables.values {
      table.sweep(pinned: pinned[ObjectIdentifier(table)] ?? [], isReferenced: isReferenced(table))
    }
    live = tables.values.reduce(0) { $0 + $1.liveCount }
    sweepThreshold = max(8192, live * 2)
  }

  /// Forgets every object, clean or changed, and what could be taken back.
  public func reset() {
    rollback()
    for table in tables.values { table.refreshClean() }
  }

  // MARK: Words

  /// A key as people write it.
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

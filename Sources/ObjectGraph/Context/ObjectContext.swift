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
  /// Answers for a table whether somebody outside refers to a slot; without it clean objects are kept until `reset()`.
  public var isReferenced: ((ObjectTable) -> (Int32) -> Bool)?
  /// Told of the bytes that rows take or give back.
  public var onMemory: ((Int) -> Void)?
  /// Told of root entities whose objects have other derived values since a save here, so that other contexts hear of it.
  public var onDerivedChange: ((Set<Entity>) -> Void)?
  private(set) lazy var derivedDependencies = DerivedDependencies(store.model)
  /// How often the store was asked for faults.
  public internal(set) var statistics = FaultStatistics()

  private var tables: [ObjectIdentifier: ObjectTable] = [:]
  private var nextTemporaryKey = ObjectID.temporaryLimit
  /// The slots with changes in the order of their first change; some have none any more.
  var changeLog: [ObjectReference] = []
  /// Fetch results alive, whose objects must be kept.
  var results: [WeakResult] = []
  private var sweepThreshold = 8192
  private var seenDataVersion: Int64?

  /// Makes an empty context over `store`.
  public init(store: SQLiteStore) { self.store = store }

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
    if store.isReadOnly { throw StoreError(.readOnly, path: store.path) }
    let table = table(for: entity)
    let slot = table.add(nextTemporaryKey, entity)
    nextTemporaryKey -= 1
    table.change(slot, .inserted)
    return ManagedObject(table: table, slot: slot)
  }

  /// The object with an ID, without asking the store whether it is there.
  public func object(_ id: ObjectID) -> ManagedObject {
    let table = table(for: id.entity)
    return ManagedObject(table: table, slot: table.register(id.key, id.entity))
  }

  /// The object with an ID; nil when the store has no such row.
  public func existingObject(_ id: ObjectID) throws -> ManagedObject? {
    let table = table(for: id.entity)
    guard !id.isTemporary else { return table.slot(of: id.key).map { ManagedObject(table: table, slot: $0) } }
    // Reading the row may show that it is another object by now.
    _ = try object(id).exists()
    let object = object(id)
    guard try object.exists(), !object.isDeleted, object.entity.isKind(of: id.entity) else { return nil }
    return object
  }

  /// Notes a slot's first change; returns its place in the order of changes.
  func logChange(_ table: ObjectTable, _ slot: Int32) -> Int {
    changeLog.append(ObjectReference(table: table, slot: slot))
    return changeLog.count - 1
  }

  /// Takes what an object's discarded changes meant out of the collections: its place as a member, and the pairs it
  /// was changed to have.
  func forgetCollections(of table: ObjectTable, _ slot: Int32) {
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
    for table in tables.values {
      for (key, state) in table.collections where state.isChanged {
        let destination = self.table(for: table.entity(key.slot).destination(at: key.property))
        pinned[ObjectIdentifier(destination), default: []].formUnion(state.overrides.keys)
        pinned[ObjectIdentifier(destination), default: []].formUnion(state.arrangement ?? [])
      }
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

  /// Forgets every object, clean or changed.
  public func reset() {
    rollback()
    for table in tables.values { table.refreshClean() }
  }

  /// Turns every clean object into a fault, so that what others wrote is seen.
  public func refreshAllObjects() {
    for table in tables.values { table.refreshClean() }
  }

  /// Refreshes the clean objects when another connection wrote since the last look. About a microsecond.
  func noticeForeignWrites() {
    let version = store.dataVersion
    if let seen = seenDataVersion, seen != version { refreshAllObjects() }
    seenDataVersion = version
  }

  // MARK: Words

  /// A key as people write it.
  func keyText(of id: ObjectID) -> String {
    if id.isTemporary { return id.description }
    return store.keyValues(of: id.entity, key: id.key).map { text(of: $0) }.joined(separator: ", ")
  }

  func text(of value: Value) -> String { value.displayText }
}

/// How often faults were filled.
public struct FaultStatistics: Sendable {
  /// Statements that asked for faults.
  public var faultBatches = 0
  /// Rows they brought.
  public var rowsFaulted = 0
}

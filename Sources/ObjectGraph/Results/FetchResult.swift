public import Modeling
public import Queries
internal import Stores

/// The result of a fetch: all keys at once, with objects created in batches on access.
///
/// It takes about 12 bytes per object, plus the values of the accessed batches.
public final class FetchResult {
  /// The context the objects belong to.
  public let context: ObjectContext
  /// The fetched entity.
  public let entity: Entity
  /// The request that this is the result of; nil where none was fetched.
  public internal(set) var request: FetchRequest?
  private let table: ObjectTable
  private var keys: [Int64]
  /// The slot of each object; -1 before its first access.
  private var slots: [Int32]
  private let batchSize: Int
  /// The index of the last access.
  private var lastIndex = 0

  /// Creates a result with `keys`; `slots` has the known slots, and -1 for the others.
  public init(context: ObjectContext, entity: Entity, keys: [Int64], slots: [Int32]? = nil, batchSize: Int = 0) {
    self.context = context
    self.entity = entity
    table = context.table(for: entity)
    self.keys = keys
    self.slots = slots ?? Array(repeating: -1, count: keys.count)
    self.batchSize = batchSize > 0 ? batchSize : 256
    context.results.append(WeakResult(result: self))
  }

  /// The number of objects.
  public var count: Int { keys.count }

  /// The table of the slots.
  public var objects: ObjectTable { table }

  /// Returns the slot of the object at the zero-based `index`, and registers its batch.
  public func slot(at index: Int) -> Int32 {
    lastIndex = index
    if table.currentResult?.toOpaque() != Unmanaged.passUnretained(self).toOpaque() {
      table.currentResult = Unmanaged.passUnretained(self)
    }
    if slots[index] >= 0 { return slots[index] }
    for next in index..<min(index + batchSize, keys.count) where slots[next] < 0 {
      slots[next] = table.register(keys[next], entity)
    }
    return slots[index]
  }

  /// Returns the index of an object that was just accessed here.
  func position(of slot: Int32) -> Int? {
    lastIndex < slots.count && slots[lastIndex] == slot ? lastIndex : nil
  }

  /// Returns the slot at `index`, registering it if needed; nil past the end.
  func knownSlot(at index: Int) -> Int32? {
    guard index < keys.count else { return nil }
    if slots[index] < 0 { slots[index] = table.register(keys[index], entity) }
    return slots[index]
  }

  deinit {
    if table.currentResult?.toOpaque() == Unmanaged.passUnretained(self).toOpaque() { table.currentResult = nil }
  }

  /// The object at `index`, from 0.
  public subscript(index: Int) -> ManagedObject {
    get throws { ManagedObject(table: table, slot: slot(at: index)) }
  }

  /// All objects.
  ///
  /// - Throws: StoreError.
  public func objectList() throws -> [ManagedObject] { try keys.indices.map { try self[$0] } }

  /// The IDs, without registering the objects.
  public var objectIDs: [ObjectID] {
    keys.indices.map { slots[$0] >= 0 ? table.objectID(slots[$0]) : ObjectID(entity: entity, key: keys[$0]) }
  }

  /// Returns the zero-based index of an object. O(n).
  public func index(of object: ManagedObject) -> Int? {
    guard object.table === table else { return nil }
    if let index = slots.firstIndex(of: object.slot) { return index }
    let key = table.key(object.slot)
    return keys.firstIndex(of: key)
  }

  /// Turns clean objects into faults, so that the next access reads the store.
  func refreshClean() {
    for key in keys {
      guard let slot = table.slot(of: key), !table.isDirty(slot) else { continue }
      table.refreshClean(slot)
    }
  }

  /// Fires the faults of all objects.
  func fillAll() throws {
    var start = 0
    while start < keys.count {
      let end = min(start + 1024, keys.count)
      for index in start..<end { slots[index] = table.register(keys[index], entity) }
      let faults = (start..<end).filter { table.isFault(slots[$0]) && !table.isDirty(slots[$0]) }
      try table.fill(keys: faults.map { keys[$0] })
      start = end
    }
  }

  /// Pins the result's slots.
  func pin(into pinned: inout [ObjectIdentifier: Set<Int32>]) {
    pinned[ObjectIdentifier(table), default: []].formUnion(slots.lazy.filter { $0 >= 0 })
  }
}

/// A weak reference to a fetch result.
struct WeakResult {
  weak var result: FetchResult?
}

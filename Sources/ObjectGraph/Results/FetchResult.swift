public import Modeling
internal import Storage

/// The objects that a fetch found: their keys at once, the objects in batches as they are looked at.
///
/// About 12 bytes an object, and the values of the batches touched.
public final class FetchResult {
  /// The context the objects belong to.
  public let context: ObjectContext
  /// The entity that was asked for.
  public let entity: Entity
  private let table: ObjectTable
  private var keys: [Int64]
  /// The slot of each object, or -1 before it was looked at.
  private var slots: [Int32]
  private let batchSize: Int
  /// The place that was looked at last.
  private var lastIndex = 0

  /// Holds the objects with `keys`; those whose slot is known already have it in `slots`, the others -1.
  public init(context: ObjectContext, entity: Entity, keys: [Int64], slots: [Int32]? = nil, batchSize: Int = 0) {
    self.context = context
    self.entity = entity
    table = context.table(for: entity)
    self.keys = keys
    self.slots = slots ?? Array(repeating: -1, count: keys.count)
    self.batchSize = batchSize > 0 ? batchSize : 256
    context.results.append(WeakResult(result: self))
  }

  /// How many objects were found.
  public var count: Int { keys.count }

  /// The table of the slots.
  public var objects: ObjectTable { table }

  /// The slot of the object at `index`, from 0; its batch is registered with it.
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

  /// The place of an object that was just taken from here.
  func position(of slot: Int32) -> Int? {
    lastIndex < slots.count && slots[lastIndex] == slot ? lastIndex : nil
  }

  /// The slot at `index`, registered if need be; nil behind the end.
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
  public func objectList() throws -> [ManagedObject] { try keys.indices.map { try self[$0] } }

  /// The IDs, without touching the objects.
  public var objectIDs: [ObjectID] {
    keys.indices.map { slots[$0] >= 0 ? table.objectID(slots[$0]) : ObjectID(entity: entity, key: keys[$0]) }
  }

  /// The place of an object, from 0. O(n).
  public func index(of object: ManagedObject) -> Int? {
    guard object.table === table else { return nil }
    if let index = slots.firstIndex(of: object.slot) { return index }
    let key = table.key(object.slot)
    return keys.firstIndex(of: key)
  }

  /// Reads the values of all objects now.
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

  /// Notes the slots that must not be given back.
  func pin(into pinned: inout [ObjectIdentifier: Set<Int32>]) {
    pinned[ObjectIdentifier(table), default: []].formUnion(slots.lazy.filter { $0 >= 0 })
  }
}

/// A fetch result that may be gone.
struct WeakResult {
  weak var result: FetchResult?
}

internal import Modeling
internal import Queries
internal import Stores

/// Compares memory with the store in batches of objects.
struct ParityComparison {
  private var parity = Parity()
  /// The IDs of the objects that differ. The context may give the slot of such an object to another one during the comparison.
  private var ids: [ObjectID] = []

  private let predicate: Predicate
  private let entity: Entity
  private let context: ObjectContext
  private let limit: Int
  private let memory: CompiledPredicate
  private let store: CompiledPredicate
  /// The transient attribute because of which the store cannot evaluate the predicate.
  private let transient: PropertyPath?
  private var batch: [Entry] = []
  private static let batchSize = 1000

  /// An object evaluated in memory that the store is to evaluate.
  private struct Entry {
    var id: ObjectID
    var isInMemory: Bool
    /// The answer that the store's semantics give for the values in memory.
    var isInStore: Bool
    /// Why the semantics differ; nil if they agree.
    var disagreement: Disagreement?
  }

  init(_ predicate: Predicate, _ entity: Entity, _ context: ObjectContext, limit: Int) throws {
    self.predicate = predicate
    self.entity = entity
    self.context = context
    self.limit = limit
    memory = try CompiledPredicate(predicate, entity: entity, semantics: .memory)
    store = try CompiledPredicate(predicate, entity: entity, semantics: .store)
    transient = predicate.paths.first { (try? $0.resolve(in: entity))?.finalAttribute?.isTransient == true }
    if transient == nil { try predicate.check(in: entity, for: .fetch) }
  }

  var isBatchFull: Bool { batch.count >= Self.batchSize }

  /// Evaluates an object in memory and adds it to the batch.
  mutating func add(_ object: ManagedObject) throws {
    let isInMemory = try memory.evaluate(object) == true
    let isInStore = try store.evaluate(object) == true
    let disagreement = isInMemory == isInStore ? nil : try predicate.disagreement(for: object)
    batch.append(
      Entry(id: object.objectID, isInMemory: isInMemory, isInStore: isInStore, disagreement: disagreement))
    parity.comparedCount += 1
  }

  /// Has the store evaluate the batch, and records the differences.
  mutating func askStore() throws {
    let selected = try keys(among: batch.map(\.id))
    for entry in batch {
      let isInStore = selected.contains(entry.id.key)
      guard entry.isInMemory != isInStore else { continue }
      add(entry.id, isInMemory: entry.isInMemory, cause(of: entry, isInStore))
    }
    batch.removeAll(keepingCapacity: true)
  }

  private func cause(of entry: Entry, _ isInStore: Bool) -> Parity.Cause {
    if let transient { return .transient(transient) }
    if isInStore == entry.isInStore { return entry.disagreement.map { .answer($0) } ?? .unexplained }
    if entry.id.isTemporary { return .unsavedObject }
    return sequence(first: context, next: \.parent).contains(where: \.hasChanges) ? .unsavedChange : .unexplained
  }

  /// Records objects that are deleted here and that the store selects.
  mutating func addDeleted() throws {
    let deleted = context.deletedObjects.filter { $0.entity.isKind(of: entity) }
    let selected = try keys(among: deleted.map(\.objectID))
    for object in deleted where selected.contains(object.objectID.key) {
      add(object.objectID, isInMemory: false, .unsavedDeletion)
    }
  }

  private mutating func add(_ id: ObjectID, isInMemory: Bool, _ cause: Parity.Cause) {
    parity.add(context.object(id), isInMemory: isInMemory, cause, limit: limit)
    if ids.count < parity.differences.count { ids.append(id) }
  }

  /// Returns what was found.
  func result() -> Parity {
    var result = parity
    for (index, id) in ids.enumerated() { result.differences[index].object = context.object(id) }
    return result
  }

  /// Returns the keys that the store selects among these objects.
  private func keys(among ids: [ObjectID]) throws -> Set<Int64> {
    let stored = ids.filter { !$0.isTemporary }
    guard transient == nil, !stored.isEmpty else { return [] }
    var request = FetchRequest(entity)
    let members = Expression.constant(.list(stored.map { .object($0) }))
    request.predicate = .comparison(Comparison(.object, .in, members)) & predicate
    return Set(try context.store.keys(request))
  }
}

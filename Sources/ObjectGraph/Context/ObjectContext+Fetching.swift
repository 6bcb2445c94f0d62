public import Modeling
public import Queries
internal import Stores

extension ObjectContext {
  /// The objects that a request selects.
  ///
  /// If the request includes pending changes, unsaved changes of the fetched entity count: deleted objects are left
  /// out, and updated and inserted objects are evaluated in memory. Changes of related objects count once they are
  /// saved.
  ///
  /// - Throws: PredicateError, StoreError.
  public func fetch(_ request: FetchRequest) throws -> FetchResult {
    prepareToRead()
    let result = try watched(request) { try makeResult(request) }
    result.request = request
    try prepare(result, as: request)
    return result
  }

  /// Reads what a request asks to be in memory: the values of its objects, and what its key paths lead to.
  ///
  /// - Throws: PredicateError, StoreError.
  public func prepare(_ result: FetchResult, as request: FetchRequest) throws {
    if !request.returnsObjectsAsFaults { try result.fillAll() }
    if !request.relationshipKeyPathsForPrefetching.isEmpty { try prefetch(request, for: result) }
  }

  /// Returns a cursor over the objects that a request selects; it needs constant memory.
  ///
  /// - Throws: PredicateError, StoreError.
  public func cursor(_ request: FetchRequest) throws -> ObjectCursor {
    prepareToRead()
    let table = table(for: request.entity)
    if try isAsStored(request), !request.shouldRefreshRefetchedObjects {
      return ObjectCursor(
        context: self, rows: try store.cursor(request), table: table, clock: ReadClock(self, request))
    }
    return ObjectCursor(context: self, result: try makeResult(request), table: table)
  }

  /// Returns the fetch request of one of the model's templates, with its variables substituted.
  ///
  /// A key path on a variable is read from `objects`; these are also among `variables`.
  ///
  /// - Throws: PredicateError for a variable that the template does not have.
  public func fetchRequest(
    _ template: FetchRequestTemplate, variables: [String: Value] = [:], objects: [String: ManagedObject] = [:]
  ) throws -> FetchRequest {
    var request = try template.request(in: store.model)
    if !variables.isEmpty {
      request.predicate = try (request.predicate ?? .constant(true)).bind(variables, objects: objects)
    }
    return request
  }

  /// The number of objects that a request selects.
  ///
  /// - Throws: PredicateError, StoreError.
  public func count(_ request: FetchRequest) throws -> Int {
    prepareToRead()
    return try watched(request) {
      try isAsStored(request) ? try store.count(request) : try makeResult(request).count
    }
  }

  /// The first object that a request selects.
  ///
  /// - Throws: PredicateError, StoreError.
  public func first(_ request: FetchRequest) throws -> ManagedObject? {
    var request = request
    request.fetchLimit = 1
    let result = try fetch(request)
    return result.count == 0 ? nil : try result[0]
  }

  /// Returns the object identified by the entity's single unique attribute, or else by its key. Unsaved objects count.
  ///
  /// - Throws: StoreError.
  public func find(_ entity: Entity, _ values: [Value]) throws -> ManagedObject? {
    prepareToRead()
    if let unique = entity.uniqueAttributeIndex, values.count == 1 {
      return try find(entity, where: [unique], equal: values)
    }
    return try find(entity, key: values)
  }

  /// Returns the object whose key columns have the given values.
  ///
  /// - Throws: StoreError.
  public func find(_ entity: Entity, key values: [Value]) throws -> ManagedObject? {
    prepareToRead()
    guard let key = try store.key(of: entity, fromKeyValues: values) else { return nil }
    return try existingObject(ObjectID(entity: entity, key: key))
  }

  /// Returns the object whose attributes at `indices` have `values`. Unsaved objects count.
  ///
  /// - Throws: StoreError.
  public func find(_ entity: Entity, where indices: [Int], equal values: [Value]) throws -> ManagedObject? {
    prepareToRead()
    let table = table(for: entity)
    let changed = try table.changedSlot(entity, at: indices, values)
    if changed >= 0 { return ManagedObject(table: table, slot: changed) }
    if let parent {
      guard let found = try parent.find(entity, where: indices, equal: values) else { return nil }
      guard let object = try existingObject(found.objectID), !object.hasChanges else { return nil }
      return object
    }
    guard let key = try store.key(of: entity, where: indices, equal: values) else { return nil }
    guard let object = try existingObject(ObjectID(entity: entity, key: key)), !object.hasChanges else { return nil }
    return object
  }

  func prepareToRead() {
    noticeRemoteWrites()
    sweepIfNeeded()
  }

  private func makeResult(_ request: FetchRequest) throws -> FetchResult {
    let result = try findObjects(of: request)
    if request.shouldRefreshRefetchedObjects {
      result.refreshClean()
      for child in liveChildren { child.forgetRows() }
    }
    return result
  }

  private func findObjects(of request: FetchRequest) throws -> FetchResult {
    let pending = try pendingObjects(of: request)
    guard !pending.isEmpty else {
      let keys = try baseKeys(request)
      return FetchResult(context: self, entity: request.entity, keys: keys, batchSize: request.fetchBatchSize)
    }
    return try PendingMerge(context: self, request: request, pending: pending).result()
  }

  /// Returns the keys that a request selects in the store, or in the parent, without this context's changes.
  func baseKeys(_ request: FetchRequest) throws -> [Int64] {
    guard let parent else { return try store.keys(request) }
    var request = request
    request.includesPendingChanges = true
    return try parent.makeResult(request).objectIDs.map(\.key)
  }

  /// Whether no unsaved change, here or in a parent, affects the result.
  func isAsStored(_ request: FetchRequest) throws -> Bool {
    guard try pendingObjects(of: request).isEmpty else { return false }
    guard let parent else { return true }
    var request = request
    request.includesPendingChanges = true
    return try parent.isAsStored(request)
  }

  /// Returns the changed objects by which the store's result must be corrected.
  func pendingObjects(of request: FetchRequest) throws -> [ManagedObject] {
    guard request.includesPendingChanges else { return [] }
    let table = table(for: request.entity)
    guard !table.changes.isEmpty else { return [] }
    let byOrder = zip(table.changes.keys, table.changes.values).sorted { $0.1.order < $1.1.order }
    return byOrder.compactMap { slot, _ in
      let entity = table.entity(slot)
      guard request.includesSubentities ? entity.isKind(of: request.entity) : entity === request.entity else {
        return nil
      }
      return ManagedObject(table: table, slot: slot)
    }
  }

  /// Reads the objects at the request's prefetch key paths, with one statement per relationship.
  private func prefetch(_ request: FetchRequest, for result: FetchResult) throws {
    let start = try result.objectList()
    for path in request.relationshipKeyPathsForPrefetching {
      var objects = start
      for hop in try path.resolve(in: request.entity).hops {
        if hop.isCast { objects = objects.filter { $0.entity.isKind(of: hop.owner) } }
        try prefetch(hop.index, of: objects, in: hop.owner)
        objects = Array(Set(try objects.flatMap { try $0.destinations(at: hop.index) })).filter { !$0.isDeleted }
      }
    }
  }

  private func prefetch(_ index: Int, of objects: [ManagedObject], in entity: Entity) throws {
    if entity.properties[index].isTransient { return }
    let table = table(for: entity)
    let slots = objects.map(\.slot)
    try table.fill(keys: objects.filter { $0.isFault && !$0.objectID.isTemporary }.map { table.key($0.slot) })
    guard entity.properties[index].relationship?.isToMany == true else {
      return try table.fillDestinations(index, of: slots, in: entity)
    }
    try table.fillCollections(index, of: slots, in: entity)
    let destination = self.table(for: entity.destination(at: index))
    let faults = Set(try objects.flatMap { try $0.destinations(at: index) }).filter {
      $0.isFault && !$0.objectID.isTemporary
    }
    try destination.fill(keys: faults.map { destination.key($0.slot) }.sorted(), from: (entity, index))
  }
}

extension ManagedObject {
  /// Returns the objects of the to-one or to-many relationship at `index`.
  func destinations(at index: Int) throws -> [ManagedObject] {
    let destination = table.destinationTable(slot, index)
    return try table.destinations(slot, index).map { ManagedObject(table: destination, slot: $0) }
  }
}

extension ObjectTable {
  /// Reads the members of a to-many for many owners with one statement; returns the number of members.
  @discardableResult
  func fillCollections(_ index: Int, of slots: [Int32], in entity: Entity) throws -> Int {
    let wanted = slots.filter {
      collections[CollectionKey(slot: $0, property: index)]?.resolved == nil && !objectID($0).isTemporary
    }
    guard !wanted.isEmpty else { return 0 }
    if isChild { return try wanted.reduce(0) { $0 + (try self.members($1, index).count) } }
    let destination = entity.destination(at: index)
    let table = context.table(for: destination)
    var members: [Int64: [Int64]] = [:]
    let pairs = try context.store.members(of: index, in: entity, owners: wanted.map { key($0) })
    context.note(.members, entity, index, rows: pairs.count)
    for pair in pairs { members[pair.owner, default: []].append(pair.member) }
    // In owner order, so that members that are read in sequence get neighbouring slots.
    for slot in wanted {
      let committed = (members[key(slot)] ?? []).map { table.register($0, destination) }
      resolve(collection(slot, index), with: try asShown(committed, slot, index))
    }
    return pairs.count
  }

  /// Counts the members of a to-many for many owners with one statement.
  func fillCounts(_ index: Int, of slots: [Int32], in entity: Entity) throws {
    let wanted = slots.filter { slot in
      guard !isTemporary(slot) else { return false }
      let state = collections[CollectionKey(slot: slot, property: index)]
      return state?.resolved == nil && state?.isChanged != true
    }
    guard !wanted.isEmpty else { return }
    context.note(.count, entity, index, rows: wanted.count)
    let counts = try context.store.memberCounts(of: index, in: entity, owners: wanted.map { key($0) })
    for slot in wanted { collection(slot, index).storedCount = counts[key(slot)] ?? 0 }
  }
}

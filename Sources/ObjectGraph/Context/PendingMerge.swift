internal import Modeling
internal import Queries
internal import Stores

/// Merges the unsaved changes of the fetched entity into the store's result of a request.
struct PendingMerge {
  let context: ObjectContext
  let request: FetchRequest
  let pending: [ManagedObject]

  /// The corrected result, in the order of the request's sort descriptors, with its offset and limit applied last.
  func result() throws -> FetchResult {
    var whole = request
    whole.fetchLimit = nil
    whole.fetchOffset = 0
    let table = context.table(for: request.entity)
    let computed = request.computingDerivedValues
    let order = try SortOrder(computed.sortDescriptors, entity: request.entity)
    let predicate = try computed.predicate.map { try CompiledPredicate($0, entity: request.entity, semantics: .store) }
    var matching: Set<Int32> = []
    var poll = InterruptionPoll()
    for object in pending where !object.isDeleted {
      try poll.step()
      if try predicate.map({ try $0.evaluate(object) == true }) ?? true { matching.insert(object.slot) }
    }
    let changed = Set(pending.map(\.slot))
    // The store ordered the others by the stored values of related objects, not by their unsaved ones.
    let stored = computed.ordersAlongRelationships ? ObjectContext(store: context.store) : nil
    func shown(_ slot: Int32) -> ManagedObject {
      guard let stored, !changed.contains(slot) else { return ManagedObject(table: table, slot: slot) }
      return table.base(of: table.key(slot), request.entity, stored: stored)
    }
    var slots: [Int32] = []
    var placed: Set<Int32> = []
    for key in try context.baseKeys(whole) {
      try poll.step()
      let slot = table.register(key, request.entity)
      // Without an order a changed object stays where its row is.
      let keepsPlace = request.sortDescriptors.isEmpty && matching.contains(slot)
      if keepsPlace { placed.insert(slot) }
      if keepsPlace || !changed.contains(slot) { slots.append(slot) }
    }
    for object in pending where matching.contains(object.slot) && !placed.contains(object.slot) {
      try poll.step()
      slots.insert(object.slot, at: try place(of: object, among: slots, in: table, order, shown))
    }
    slots = window(slots)
    return FetchResult(
      context: context, entity: request.entity, keys: slots.map { table.key($0) }, slots: slots,
      batchSize: request.fetchBatchSize)
  }

  /// Returns the position of an object in the result; equal objects are ordered by key, as in the store. O(log n).
  ///
  /// `shown` is the object by whose values a slot has its place.
  private func place(
    of object: ManagedObject, among slots: [Int32], in table: ObjectTable, _ order: SortOrder,
    _ shown: (Int32) -> ManagedObject
  ) throws -> Int {
    if request.sortDescriptors.isEmpty, case .columns = context.store.layout(of: request.entity).key {
      return slots.count
    }
    var low = 0
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      let order = try order.compare(object, shown(slots[middle]))
      if order < 0 || order == 0 && isBefore(table.key(object.slot), table.key(slots[middle])) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }

  /// Whether a key precedes another: in the store's order, with unsaved objects last in the order of their insertion.
  private func isBefore(_ left: Int64, _ right: Int64) -> Bool {
    let areTemporary = (left <= ObjectID.temporaryLimit, right <= ObjectID.temporaryLimit)
    if areTemporary.0 || areTemporary.1 { return areTemporary.0 == areTemporary.1 ? left > right : areTemporary.1 }
    guard case .columns = context.store.layout(of: request.entity).key else { return left < right }
    let values = (
      context.store.keyValues(of: request.entity, key: left), context.store.keyValues(of: request.entity, key: right)
    )
    for (left, right) in zip(values.0, values.1) {
      let order = left.order(right)
      if order != 0 { return order < 0 }
    }
    return false
  }

  private func window(_ slots: [Int32]) -> [Int32] {
    let rest = slots.dropFirst(request.fetchOffset)
    guard let limit = request.fetchLimit, limit > 0 else { return Array(rest) }
    return Array(rest.prefix(limit))
  }
}

extension FetchRequest {
  /// Whether the order depends on values of related objects.
  fileprivate var ordersAlongRelationships: Bool {
    sortDescriptors.flatMap(\.expression.paths).contains { path in
      (try? path.resolve(in: entity)).map { !$0.hops.isEmpty } ?? true
    }
  }
}

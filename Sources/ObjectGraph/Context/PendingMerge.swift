internal import Modeling
internal import Queries
internal import Storage

/// Corrects what the store answered to a request by the unsaved changes of the fetched entity.
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
    let order = try SortOrder(request.sortDescriptors, entity: request.entity)
    let predicate = try request.predicate.map { try CompiledPredicate($0, entity: request.entity, semantics: .store) }
    var matching: Set<Int32> = []
    for object in pending where !object.isDeleted {
      if try predicate.map({ try $0.evaluate(object) == true }) ?? true { matching.insert(object.slot) }
    }
    let changed = Set(pending.map(\.slot))
    var slots: [Int32] = []
    var placed: Set<Int32> = []
    for key in try context.baseKeys(whole) {
      let slot = table.register(key, request.entity)
      // Without an order a changed object stays where its row is.
      let keepsPlace = request.sortDescriptors.isEmpty && matching.contains(slot)
      if keepsPlace { placed.insert(slot) }
      if keepsPlace || !changed.contains(slot) { slots.append(slot) }
    }
    for object in pending where matching.contains(object.slot) && !placed.contains(object.slot) {
      slots.insert(object.slot, at: try place(of: object, among: slots, in: table, order))
    }
    slots = window(slots)
    return FetchResult(
      context: context, entity: request.entity, keys: slots.map { table.key($0) }, slots: slots,
      batchSize: request.fetchBatchSize)
  }

  /// Where the object belongs: behind its equals. O(log n) comparisons.
  private func place(
    of object: ManagedObject, among slots: [Int32], in table: ObjectTable, _ order: SortOrder
  ) throws -> Int {
    guard !request.sortDescriptors.isEmpty else { return slots.count }
    var low = 0
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      let other = ManagedObject(table: table, slot: slots[middle])
      if try order.compare(object, other) < 0 { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func window(_ slots: [Int32]) -> [Int32] {
    let rest = slots.dropFirst(request.fetchOffset)
    guard let limit = request.fetchLimit, limit > 0 else { return Array(rest) }
    return Array(rest.prefix(limit))
  }
}

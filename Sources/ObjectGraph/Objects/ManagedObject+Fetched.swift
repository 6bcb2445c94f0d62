internal import Modeling
internal import Queries

/// What a fetched property found. The slots are kept from being given back as long as this is known.
struct FetchedObjects {
  let entity: Entity
  let keys: [Int64]
  let slots: [Int32]
}

extension ManagedObject {
  /// The objects of the fetched property at `index` of the entity's `fetchedProperties`.
  ///
  /// Fetched when they are first asked for; the same ones until the object is refreshed, by itself or with all others.
  ///
  /// - Throws: PredicateError, StoreError.
  public func fetched(at index: Int) throws -> FetchResult {
    try table.checkLiving(slot)
    if let known = table.fetched[slot]?[index] {
      return FetchResult(context: context, entity: known.entity, keys: known.keys, slots: known.slots, batchSize: 0)
    }
    var request = try entity.fetchedProperties[index].request(in: context.store.model)
    request.predicate = try request.predicate?.binding(FetchedProperty.source, to: self)
    let result = try context.fetch(request)
    let slots = (0..<result.count).map { result.slot(at: $0) }
    table.fetched[slot, default: [:]][index] = FetchedObjects(
      entity: result.entity, keys: slots.map { result.objects.key($0) }, slots: slots)
    return result
  }
}

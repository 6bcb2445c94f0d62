internal import Modeling
internal import Queries

/// The cached result of a fetched property. Its slots are pinned as long as it is kept.
struct FetchedObjects {
  let entity: Entity
  let keys: [Int64]
  let slots: [Int32]
}

extension ManagedObject {
  /// The objects of the fetched property at `index` of the entity's `fetchedProperties`.
  ///
  /// They are fetched on first access and kept until the object is refreshed.
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

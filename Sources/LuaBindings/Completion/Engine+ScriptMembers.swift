public import Modeling

// What scripts have added to objects, for completion.
extension Engine {
  /// The names of the methods, or of the computed properties, that scripts gave to an entity, sorted.
  public func scriptMembers(of entity: Entity, areMethods: Bool) -> [String] {
    guard let store = openStores.first(where: { $0.objectStore.model.entities.contains(entity) }) else { return [] }
    let members = store.members(of: entity)
    return (areMethods ? members.methods : members.computed).keys.sorted()
  }
}

public import Modeling

// Methods and properties that scripts have added to objects, for completion.
extension Engine {
  /// The sorted names of the methods, or of the computed properties, that scripts have added to an entity.
  public func scriptMembers(of entity: Entity, areMethods: Bool) -> [String] {
    guard let store = openStores.first(where: { $0.objectStore.model.entities.contains(entity) }) else { return [] }
    let members = store.members(of: entity)
    return (areMethods ? members.methods : members.computed).keys.sorted()
  }
}

public import Queries

extension ObjectContext {
  /// A request for each relationship that may lead to an object, in the order of the model: the objects that hold it there.
  ///
  /// - Returns: the name of each relationship, and a request of the entity that declares it.
  public func references(to object: ManagedObject) -> [(relationship: String, request: FetchRequest)] {
    store.model.entities.flatMap { entity in
      entity.properties.indices.compactMap { index in
        let property = entity.properties[index]
        guard let relationship = property.relationship, !property.isTransient,
          // A subentity's objects are among those of the entity that declares the relationship.
          entity.parent?.index(of: property.name) == nil,
          object.entity.isKind(of: entity.destination(at: index))
        else { return nil }
        let comparison = Comparison(
          .path(PropertyPath([property.name])), .equal, .constant(.object(object.objectID)),
          modifier: relationship.isToMany ? .any : .direct)
        var request = FetchRequest(entity)
        request.predicate = .comparison(comparison)
        return (property.name, request)
      }
    }
  }
}

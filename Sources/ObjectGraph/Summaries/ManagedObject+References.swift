internal import Modeling
public import Queries

extension ManagedObject {
  /// A request for each relationship that may lead to the object, in the order of the model: the objects that hold it there.
  ///
  /// Each is of the entity that declares the relationship.
  public var referenceRequests: [(relationship: String, request: FetchRequest)] {
    context.store.model.entities.flatMap { entity in
      entity.properties.indices.compactMap { index in
        let property = entity.properties[index]
        guard let relationship = property.relationship, !property.isTransient,
          // A subentity's objects are among those of the entity that declares the relationship.
          entity.parent?.index(of: property.name) == nil,
          self.entity.isKind(of: entity.destination(at: index))
        else { return nil }
        let comparison = Comparison(
          .path(PropertyPath([property.name])), .equal, .constant(.object(objectID)),
          modifier: relationship.isToMany ? .any : .direct)
        var request = FetchRequest(entity)
        request.predicate = .comparison(comparison)
        return (property.name, request)
      }
    }
  }

  /// A request for the objects that the relationship at `index` leads to.
  ///
  /// A relationship with an inverse is asked by it, which an index answers; the members of one without are named.
  ///
  /// - Throws: StoreError.
  public func request(along index: Int) throws -> FetchRequest {
    let property = entity.properties[index]
    var request = FetchRequest(entity.destination(at: index))
    let comparison: Comparison
    if property.relationship?.isToMany != true {
      let target = try related(at: index)?.objectID
      comparison = Comparison(.object, .equal, .constant(target.map(Value.object) ?? .null))
    } else if let inverse = property.relationship?.inverse,
      let back = request.entity.properties.first(where: { $0.name == inverse }), !back.isTransient,
      !property.isTransient
    {
      comparison = Comparison(
        .path(PropertyPath([inverse])), .equal, .constant(.object(objectID)),
        modifier: back.relationship?.isToMany == true ? .any : .direct)
    } else {
      let members = try members(at: index).map { Expression.constant(.object($0.objectID)) }
      comparison = Comparison(.object, .in, .aggregate(members))
    }
    request.predicate = .comparison(comparison)
    return request
  }
}

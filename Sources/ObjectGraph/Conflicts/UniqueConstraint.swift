internal import Modeling

/// A uniqueness constraint and the entity that declares it.
struct UniqueConstraint {
  var entity: Entity
  var properties: [Int]

  /// Returns the constraints that apply to objects of an entity.
  static func all(of entity: Entity) -> [UniqueConstraint] {
    var found: [UniqueConstraint] = []
    var candidate: Entity? = entity
    while let declaring = candidate {
      let inherited = declaring.parent?.uniquenessConstraints.count ?? 0
      for names in declaring.uniquenessConstraints.dropFirst(inherited) {
        let properties = names.compactMap { declaring.index(of: $0) }
        if properties.count == names.count { found.append(UniqueConstraint(entity: declaring, properties: properties)) }
      }
      candidate = declaring.parent
    }
    return found
  }
}

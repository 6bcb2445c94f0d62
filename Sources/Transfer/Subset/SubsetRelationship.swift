import Modeling
import Stores

/// A relationship with the entity that declares it.
struct SubsetRelationship: Hashable {
  let entity: Entity
  let index: Int

  var relationship: Relationship { entity.properties[index].relationship! }
  var destination: Entity { entity.destination(at: index) }
  /// `Quake.reports`
  var name: String { "\(entity.name).\(entity.properties[index].name)" }

  /// The least number of members by the rules of the model; 0 for a to-one.
  var minimumCount: Int {
    guard relationship.isToMany else { return 0 }
    return max(relationship.minimumCount ?? 0, relationship.isOptional ? 0 : 1)
  }

  /// Whether each object needs the destination.
  var isMandatoryToOne: Bool { !relationship.isToMany && !relationship.isOptional }

  /// All relationships of a store that are stored, each once.
  static func all(of store: any ObjectStore) -> [SubsetRelationship] {
    store.model.entities.flatMap { entity -> [SubsetRelationship] in
      let inherited = entity.parent?.properties.count ?? 0
      return (inherited..<entity.properties.count).compactMap { index in
        guard entity.properties[index].relationship != nil, store.layout(of: entity).properties[index] != .none else {
          return nil
        }
        return SubsetRelationship(entity: entity, index: index)
      }
    }
  }

  /// The relationships with the names, which may stand with their entity or without.
  ///
  /// - Throws: CopyError for a name that is none, or that of several.
  static func named(_ names: [String], among all: [SubsetRelationship]) throws -> Set<SubsetRelationship> {
    Set(
      try names.map { name in
        let found = all.filter { $0.name == name || $0.entity.properties[$0.index].name == name }
        if found.count > 1 { throw CopyError.ambiguousRelationship(name, found.map(\.name)) }
        if let found = found.first { return found }
        // The relationship may be inherited by the entity that is named.
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        let inherited = all.first { one in
          parts.count == 2 && one.entity.properties[one.index].name == parts[1]
            && one.entity.family.contains { $0.name == parts[0] }
        }
        if let inherited { return inherited }
        let known = all.flatMap { [$0.name, $0.entity.properties[$0.index].name] }
        throw CopyError.unknownRelationship(name, nearest: nearestName(to: name, in: known))
      })
  }
}

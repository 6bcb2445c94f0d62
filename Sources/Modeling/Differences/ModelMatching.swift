/// Matches the entities and properties of a new model with those of an old one: by the renaming identifier, or else by
/// name.
public struct ModelMatching: Sendable {
  /// The model before.
  public let old: Model
  /// The model after.
  public let new: Model
  private var sources: [Entity: Entity] = [:]
  private var results: [Entity: Entity] = [:]
  private var properties: [Entity: [Int: Int]] = [:]

  /// Matches the models.
  public init(from old: Model, to new: Model) {
    self.old = old
    self.new = new
    let matched = Self.match(
      new.descriptions.map { Names(name: $0.name, former: $0.renamingIdentifier) },
      old.descriptions.map { Names(name: $0.name, former: $0.renamingIdentifier) })
    for (index, source) in matched { sources[new.entities[index]] = old.entities[source] }
    for (entity, source) in sources {
      results[source] = entity
      properties[entity] = Self.match(entity.properties.map(Names.init), source.properties.map(Names.init))
    }
  }

  /// The old entity of `entity`; nil for a new one.
  public func source(of entity: Entity) -> Entity? { sources[entity] }

  /// The index, in the old entity, of the old property of the one at `index`.
  public func source(ofProperty index: Int, in entity: Entity) -> Int? { properties[entity]?[index] }

  /// The new entity of an old one; nil for a removed one.
  public func result(of entity: Entity) -> Entity? { results[entity] }

  private struct Names {
    var name: String
    var former: String?
    /// Relationships and attributes are never matched with each other.
    var isRelationship = false

    init(name: String, former: String?) {
      self.name = name
      self.former = former
    }

    init(_ property: Property) {
      name = property.name
      former = property.attribute?.renamingIdentifier ?? property.relationship?.renamingIdentifier
      isRelationship = property.relationship != nil
    }
  }

  private static func match(_ new: [Names], _ old: [Names]) -> [Int: Int] {
    var matches: [Int: Int] = [:]
    var taken: Set<Int> = []
    func pair(_ condition: (Names, Names) -> Bool) {
      for (index, wanted) in new.enumerated() where matches[index] == nil {
        let found = old.indices.first { candidate in
          !taken.contains(candidate) && old[candidate].isRelationship == wanted.isRelationship
            && condition(wanted, old[candidate])
        }
        guard let found else { continue }
        matches[index] = found
        taken.insert(found)
      }
    }
    // A model keeps its renaming identifiers after the renaming, so the old model may have the same identifier.
    pair { $0.former != nil && $0.former == $1.former && $0.name == $1.name }
    pair { $0.former != nil && $0.former == $1.name }
    pair { $0.former != nil && $0.former == $1.former }
    pair { $0.name == $1.name }
    return matches
  }
}

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

  /// What has to be equal for two names to match.
  private struct Key: Hashable {
    var texts: [String]
    var isRelationship: Bool

    /// Nil without one of the texts.
    init?(_ texts: String?..., in names: Names) {
      self.texts = texts.compactMap(\.self)
      isRelationship = names.isRelationship
      if self.texts.count < texts.count { return nil }
    }
  }

  private static func match(_ new: [Names], _ old: [Names]) -> [Int: Int] {
    var matches: [Int: Int] = [:]
    var taken: Set<Int> = []
    func pair(_ wanted: (Names) -> Key?, with offered: (Names) -> Key?) {
      // The last of those with a key is the first one, as they are taken from the end.
      var candidates: [Key: [Int]] = [:]
      for index in old.indices.reversed() where !taken.contains(index) {
        if let key = offered(old[index]) { candidates[key, default: []].append(index) }
      }
      for (index, names) in new.enumerated() where matches[index] == nil {
        guard let key = wanted(names), let found = candidates[key]?.popLast() else { continue }
        matches[index] = found
        taken.insert(found)
      }
    }
    // A model keeps its renaming identifiers after the renaming, so the old model may have the same identifier.
    pair({ Key($0.former, $0.name, in: $0) }, with: { Key($0.former, $0.name, in: $0) })
    pair({ Key($0.former, in: $0) }, with: { Key($0.name, in: $0) })
    pair({ Key($0.former, in: $0) }, with: { Key($0.former, in: $0) })
    pair({ Key($0.name, in: $0) }, with: { Key($0.name, in: $0) })
    return matches
  }
}

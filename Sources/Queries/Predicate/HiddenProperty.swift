public import Modeling

/// An attribute that is kept out of a store's model, so that nothing above the store knows it.
///
///     HiddenProperty("User.token")                     the attribute of User and of its subentities
///     HiddenProperty("*.password")                     that of every entity
public struct HiddenProperty: Hashable, Sendable {
  /// The entity's name; `*` for every entity.
  public let entity: String
  /// The attribute's name.
  public let property: String

  /// Reads `ENTITY.PROPERTY`; nil for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    (entity, property) = (String(parts[0]), String(parts[1]))
  }

  /// Whether it is the attribute of that name of an entity, its parents or its subentities, which share it.
  public func covers(_ name: String, of entity: Entity) -> Bool {
    name == property && (self.entity == "*" || entity.root.family.contains { $0.name == self.entity })
  }
}

extension Model {
  /// The model without some attributes, and without everything that is made of them: derived attributes, indexes, unique
  /// constraints, fetched properties and request templates that name them.
  ///
  /// - Throws: ModelError where the rest is no model.
  public func hiding(_ hidden: [HiddenProperty]) throws(ModelError) -> Model {
    guard !hidden.isEmpty else { return self }
    var descriptions = self.descriptions
    let names = entities.flatMap { entity in
      entity.attributes.map(\.name).filter { name in hidden.contains { $0.covers(name, of: entity) } }
    }
    for (index, entity) in entities.enumerated() {
      descriptions[index].remove { name in hidden.contains { $0.covers(name, of: entity) } }
      descriptions[index].fetchedProperties.removeAll { $0.fetchRequest.names(anyOf: names) }
    }
    var reduced = try made(of: descriptions, without: names)
    // What is derived may itself be what others are derived from.
    while true {
      var isSettled = true
      for (index, entity) in reduced.entities.enumerated() {
        let broken = entity.attributes.filter { !$0.canBeDerived(in: entity) }.map(\.name)
        guard !broken.isEmpty else { continue }
        isSettled = false
        descriptions[index].remove(where: broken.contains)
      }
      if isSettled { return reduced }
      reduced = try made(of: descriptions, without: names)
    }
  }

  private func made(of descriptions: [EntityDescription], without names: [String]) throws(ModelError) -> Model {
    try Model(
      descriptions, version: version,
      fetchRequestTemplates: fetchRequestTemplates.filter { !$0.value.names(anyOf: names) },
      configurations: configurations, cloudKitConfigurations: cloudKitConfigurations, hasSwiftTypes: hasSwiftTypes)
  }
}

extension EntityDescription {
  /// Removes attributes, and the constraints and indexes that name them.
  fileprivate mutating func remove(where isHidden: (String) -> Bool) {
    let known = Set(properties.map(\.name))
    properties.removeAll { $0.attribute != nil && isHidden($0.name) }
    let removed = known.subtracting(properties.map(\.name))
    uniquenessConstraints.removeAll { $0.contains(where: isHidden) }
    indexes.removeAll { index in
      let texts = index.properties + [index.predicate ?? ""]
      return index.properties.contains(where: isHidden)
        || removed.contains { name in texts.contains { $0.contains(name) } }
    }
  }
}

extension Attribute {
  /// Whether what it is derived from is there; true for what is not derived.
  fileprivate func canBeDerived(in entity: Entity) -> Bool {
    guard let derivation else { return true }
    guard let expression = try? Expression.parse(derivation) else { return false }
    return (try? expression.check(in: entity)) != nil
  }
}

extension FetchRequestTemplate {
  /// Whether its texts have one of the names, in any meaning: what might tell of a hidden property is left out.
  fileprivate func names(anyOf names: [String]) -> Bool {
    let texts = [predicate ?? ""] + sortDescriptors
    return names.contains { name in texts.contains { $0.contains(name) } }
  }
}

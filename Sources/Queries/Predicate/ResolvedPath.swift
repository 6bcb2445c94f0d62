public import Modeling

/// A path whose every component was found in the model.
public struct ResolvedPath: Hashable, Sendable {
  /// The entity the path starts at.
  public let start: Entity
  /// Indices of the relationships walked, each in the properties of the entity reached before it.
  public let relationships: [Int]
  /// The entity in which the path ends.
  public let end: Entity
  /// The index of the final attribute in the properties of `end`; nil when the path ends at a relationship.
  public let attribute: Int?
  /// The elements walked within a composite attribute, or keys within a transformable one.
  public let elements: [String]

  /// Whether a to-many relationship is among those walked.
  public var isToMany: Bool { toManyCount > 0 }

  /// How many to-many relationships are walked.
  public var toManyCount: Int {
    var entity = start
    var count = 0
    for index in relationships {
      if entity.properties[index].relationship?.isToMany == true { count += 1 }
      entity = entity.destination(at: index)
    }
    return count
  }

  /// The first relationship walked that is in memory only.
  public var transientRelationship: String? {
    var entity = start
    for index in relationships {
      guard let relationship = entity.properties[index].relationship else { return nil }
      if relationship.isTransient { return "\(entity.name).\(relationship.name)" }
      entity = entity.destination(at: index)
    }
    return nil
  }

  /// The attribute at the end.
  public var finalAttribute: Attribute? { attribute.flatMap { end.properties[$0].attribute } }

  /// The element of a composite attribute that the path ends at; nil where it ends at no declared element.
  public var finalElement: Attribute? { elements.isEmpty ? nil : finalAttribute?.element(at: elements) }
}

extension PropertyPath {
  /// Finds every component in the model, from `entity` on.
  ///
  /// - Throws: the first name that is not there, with its place and the nearest one that is.
  public func resolve(in entity: Entity) throws(PredicateError) -> ResolvedPath {
    var current = entity
    var relationships: [Int] = []
    for (position, name) in components.enumerated() {
      guard let index = current.index(of: name) else {
        if let owner = current.family.first(where: { $0.index(of: name) != nil }) {
          throw PredicateError(
            .propertyOfSubentity(name, entity: current.name, subentity: owner.name), at: origin(ofComponent: position))
        }
        throw PredicateError(
          .unknownProperty(name, entity: current.name, nearest: nearest(to: position, in: current)),
          at: origin(ofComponent: position))
      }
      switch current.properties[index] {
      case .relationship:
        relationships.append(index)
        current = current.destination(at: index)
      case .attribute(let attribute):
        let rest = Array(components[(position + 1)...])
        if !rest.isEmpty, attribute.type != .composite, attribute.type != .transformable {
          let path = components[...position].joined(separator: ".")
          let function = KeySynonyms.function(for: rest[0], of: attribute.type)
          throw PredicateError(
            .notARelationship(
              name, entity: current.name, type: attribute.type, instead: function.map { "\($0.rawValue)(\(path))" }),
            at: origin(ofComponent: position))
        }
        return ResolvedPath(start: entity, relationships: relationships, end: current, attribute: index, elements: rest)
      }
    }
    return ResolvedPath(start: entity, relationships: relationships, end: current, attribute: nil, elements: [])
  }

  /// What was probably meant by a component that `entity` does not have: what the name is in other languages, a property
  /// that is one relationship away, or the one spelt most like it.
  private func nearest(to position: Int, in entity: Entity) -> String? {
    let name = components[position]
    if position > 0,
      let aggregate = KeySynonyms.aggregate(for: name, of: components[..<position].joined(separator: "."))
    {
      return aggregate
    }
    if position == 0, name.lowercased() == "objectid" { return "SELF" }
    if name == "entity" {
      let owner = components[..<position].joined(separator: ".")
      return "entityName(\(owner.isEmpty ? "SELF" : owner))"
    }
    let letters = name.lowercased().filter { $0 != "_" }
    for (index, property) in entity.properties.enumerated() where property.relationship != nil {
      for attribute in entity.destination(at: index).properties where attribute.attribute != nil {
        // `authorName`, and `name` where only the author has one.
        let isMeant =
          attribute.name == name || letters == (property.name + attribute.name).lowercased().filter { $0 != "_" }
        if isMeant { return "\(property.name).\(attribute.name)" }
      }
    }
    let names = entity.properties.map(\.name)
    let longer = names.filter { name.count > 2 && $0.lowercased().hasPrefix(letters) }
    return longer.min { $0.count < $1.count } ?? nearestName(to: name, in: names)
  }

  /// The place of one component: the pieces between points, where there are as many as components.
  func origin(ofComponent position: Int) -> Origin? {
    guard let origin else { return nil }
    let bytes = Array(origin.text.utf8)[origin.range]
    let pieces = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard pieces.count == components.count else { return origin }
    return Origin(text: origin.text, range: pieces[position].startIndex..<pieces[position].endIndex)
  }
}

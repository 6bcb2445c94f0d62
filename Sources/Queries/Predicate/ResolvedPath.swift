public import Modeling

/// A path whose components were all found in the model.
public struct ResolvedPath: Hashable, Sendable {
  /// A relationship that a path follows.
  public struct Hop: Hashable, Sendable {
    /// The entity that has the relationship.
    public let owner: Entity
    /// The relationship's index there.
    public let index: Int
    /// Whether the path casts here, so that objects of other entities than `owner` yield nil.
    public let isCast: Bool

    /// The relationship.
    public var relationship: Relationship? { owner.properties[index].relationship }
    /// Whether it leads to many objects.
    public var isToMany: Bool { relationship?.isToMany == true }
    /// The destination entity.
    public var destination: Entity { owner.destination(at: index) }

    /// Whether it can be followed from an object of `entity`.
    func starts(at entity: Entity) -> Bool { !isCast || entity.isKind(of: owner) }
  }

  /// The entity the path starts at.
  public let start: Entity
  /// The relationships that the path follows.
  public let hops: [Hop]
  /// The entity in which the path ends.
  public let end: Entity
  /// The index of the final attribute in the properties of `end`; nil when the path ends at a relationship.
  public let attribute: Int?
  /// Whether the path casts before the final attribute, so that objects of other entities than `end` yield nil.
  public let endsInCast: Bool
  /// The elements within a composite attribute, or keys within a transformable one, that the path follows.
  public let elements: [String]

  /// Whether the path follows a to-many relationship.
  public var isToMany: Bool { hops.contains(where: \.isToMany) }

  /// The number of to-many relationships on the path.
  public var toManyCount: Int { hops.count(where: \.isToMany) }

  /// Whether the path casts an object to a subentity.
  public var hasCasts: Bool { endsInCast || hops.contains(where: \.isCast) }

  /// The first transient relationship on the path.
  public var transientRelationship: String? {
    hops.firstResult { hop in
      hop.relationship.flatMap { $0.isTransient ? "\(hop.owner.name).\($0.name)" : nil }
    }
  }

  /// The attribute at the end.
  public var finalAttribute: Attribute? { attribute.flatMap { end.properties[$0].attribute } }

  /// The element of a composite attribute at the end; nil if the path does not end at a declared element.
  public var finalElement: Attribute? { elements.isEmpty ? nil : finalAttribute?.element(at: elements) }
}

extension PropertyPath {
  /// Finds every component in the model, starting at `entity`.
  ///
  /// - Throws: the first unknown name, with its place and the most similar known name.
  public func resolve(in entity: Entity) throws(PredicateError) -> ResolvedPath {
    var current = entity
    var hops: [ResolvedPath.Hop] = []
    for (position, component) in components.enumerated() {
      let name = component.name
      let reached = current
      if component.entity != nil { current = try cast(current, at: position) }
      let isCast = current !== reached
      guard let index = current.index(of: name) else {
        if let owner = current.family.first(where: { $0.index(of: name) != nil }) {
          throw PredicateError(
            .propertyOfSubentity(
              name, entity: current.name, subentity: owner.name, instead: taken(position, as: owner).text),
            at: origin(ofComponent: position))
        }
        throw PredicateError(
          .unknownProperty(name, entity: current.name, nearest: nearest(to: position, in: current)),
          at: origin(ofComponent: position))
      }
      switch current.properties[index] {
      case .relationship:
        hops.append(ResolvedPath.Hop(owner: current, index: index, isCast: isCast))
        current = current.destination(at: index)
      case .attribute(let attribute):
        let rest = Array(components[(position + 1)...])
        let isKeyed = attribute.type == .composite || attribute.type == .transformable
        if let next = rest.first, !isKeyed || rest.contains(where: { $0.entity != nil }) {
          let path = PropertyPath(Array(components[...position])).text
          let function = KeySynonyms.function(for: next.name, of: attribute.type)
          throw PredicateError(
            .notARelationship(
              name, entity: current.name, type: attribute.type, instead: function.map { "\($0.rawValue)(\(path))" }),
            at: origin(ofComponent: position))
        }
        return ResolvedPath(
          start: entity, hops: hops, end: current, attribute: index, endsInCast: isCast, elements: rest.map(\.name))
      }
    }
    return ResolvedPath(start: entity, hops: hops, end: current, attribute: nil, endsInCast: false, elements: [])
  }

  /// The entity to which a component casts objects of `reached`; `reached` itself if all of them are of the named
  /// entity.
  private func cast(_ reached: Entity, at position: Int) throws(PredicateError) -> Entity {
    let name = components[position].entity ?? reached.name
    let family = reached.root.family
    guard let target = family.first(where: { $0.name == name }) else {
      throw PredicateError(
        .unknownSubentity(name, of: reached.root.name, nearest: nearestName(to: name, in: family.map(\.name))),
        at: origin(ofEntity: name, before: position))
    }
    return reached.isKind(of: target) ? reached : target
  }

  /// The path up to a component, with the object before it cast to `entity`.
  private func taken(_ position: Int, as entity: Entity) -> PropertyPath {
    var path = PropertyPath(Array(components[...position]))
    path.components[position].entity = entity.name
    return path
  }

  /// The probable meaning of a component that `entity` does not have: an equivalent of another language's name, a
  /// property one relationship away, or the most similar name.
  private func nearest(to position: Int, in entity: Entity) -> String? {
    let name = components[position].name
    let before = PropertyPath(Array(components[..<position]))
    if position > 0, let aggregate = KeySynonyms.aggregate(for: name, of: before.text) {
      return aggregate
    }
    if position == 0, name.lowercased() == "objectid" { return "SELF" }
    if name == "entity" {
      return "entityName(\(position == 0 ? "SELF" : before.text))"
    }
    let letters = name.lowercased().filter { $0 != "_" }
    for (index, property) in entity.properties.enumerated() where property.relationship != nil {
      for attribute in entity.destination(at: index).properties where attribute.attribute != nil {
        // `authorName`, or `name` if only the author has one.
        let isMeant =
          attribute.name == name || letters == (property.name + attribute.name).lowercased().filter { $0 != "_" }
        if isMeant { return "\(property.name).\(attribute.name)" }
      }
    }
    let names = entity.properties.map(\.name)
    let longer = names.filter { name.count > 2 && $0.lowercased().hasPrefix(letters) }
    return longer.min { $0.count < $1.count } ?? nearestName(to: name, in: names)
  }

  /// The place of one component: the text between points, if the text has as many parts as the path.
  func origin(ofComponent position: Int) -> Origin? {
    guard let origin else { return nil }
    let bytes = Array(origin.text.utf8)[origin.range]
    let pieces = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard pieces.count == components.count else { return origin }
    return Origin(text: origin.text, range: pieces[position].startIndex..<pieces[position].endIndex)
  }

  /// The place of the entity's name in the cast before a component: its last occurrence before that.
  private func origin(ofEntity entity: String, before position: Int) -> Origin? {
    guard let place = origin(ofComponent: position) else { return nil }
    let (bytes, name) = (Array(place.text.utf8.prefix(place.range.upperBound)), Array(entity.utf8))
    guard !name.isEmpty, bytes.count >= name.count else { return place }
    let start = (0...bytes.count - name.count).last { bytes[$0..<$0 + name.count].elementsEqual(name) }
    return start.map { Origin(text: place.text, range: $0..<$0 + name.count) } ?? place
  }
}

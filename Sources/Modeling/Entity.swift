/// An entity of a model, with its names resolved.
///
/// `properties` begins with the inherited ones, so that a property has the same index in an entity and in all its
/// subentities. Entities are compared by identity. Their model retains them.
public final class Entity: @unchecked Sendable {
  /// The description of this entity, with its own properties only.
  public let description: EntityDescription
  /// All properties, inherited ones first.
  public let properties: [Property]
  /// All fetched properties, inherited ones first; they are not in `properties`.
  public let fetchedProperties: [FetchedProperty]
  /// The entity it inherits from.
  public let parent: Entity?
  /// The rules for the values of each attribute, by property index; nil for relationships.
  public let rules: [ValueRules?]
  /// All uniqueness constraints, inherited ones first; each a list of property names.
  public let uniquenessConstraints: [[String]]
  /// The index of the attribute that identifies an object, if exactly one is unique by itself.
  public let uniqueAttributeIndex: Int?
  /// The topmost ancestor, or the entity itself.
  public var root: Entity { topmost ?? self }

  /// Direct subentities, in the model's order.
  public var subentities: [Entity] { children.map(\.entity) }
  /// The destination and inverse of each relationship, by property index. Written only by Model.
  var links: [Int: Link] = [:]

  /// Written only by Model, before the entity is published.
  private var children: [Child] = []
  private let topmost: Entity?
  private let indices: [String: Int]

  /// The destination of a relationship and the index of its inverse there.
  struct Link {
    unowned let destination: Entity
    let inverse: Int?
  }

  /// A subentity, held weakly because it retains its parent.
  private struct Child {
    unowned let entity: Entity
  }

  init(_ description: EntityDescription, parent: Entity?) {
    self.description = description
    self.parent = parent
    topmost = parent?.root
    properties = (parent?.properties ?? []) + description.properties
    fetchedProperties = (parent?.fetchedProperties ?? []) + description.fetchedProperties
    rules = properties.map { $0.attribute.map { ValueRules($0, of: description.name) } }
    indices = Dictionary(properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let unique = description.properties.compactMap { $0.attribute?.isUnique == true ? [$0.name] : nil }
    uniquenessConstraints = (parent?.uniquenessConstraints ?? []) + unique + description.uniquenessConstraints
    let single = uniquenessConstraints.filter { $0.count == 1 }
    uniqueAttributeIndex = single.count == 1 ? indices[single[0][0]] : nil
  }

  /// Appends `entity` to the subentities; for Model only.
  func adopt(_ entity: Entity) { children.append(Child(entity: entity)) }

  /// The entity's name, unique in the model.
  public var name: String { description.name }
  /// Whether only subentities have objects of their own.
  public var isAbstract: Bool { description.isAbstract }
  /// Whether its objects cannot be inserted, updated or deleted.
  public var isReadOnly: Bool { description.isReadOnly }

  /// The index in `properties` of the property with a name.
  public func index(of name: String) -> Int? { indices[name] }

  /// The property with a name.
  public func property(named name: String) -> Property? { indices[name].map { properties[$0] } }

  /// The composite attribute and the element at a dotted path; nil for any other path.
  public func compositeElement(at path: String) -> (attribute: Int, names: [String], element: Attribute)? {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count > 1, let index = index(of: names[0]), let attribute = properties[index].attribute,
      let element = attribute.element(at: names.dropFirst()), element.type != .composite
    else { return nil }
    return (index, Array(names.dropFirst()), element)
  }

  /// The destination of the relationship at `index`.
  ///
  /// - Precondition: the property at `index` is a relationship.
  public func destination(at index: Int) -> Entity {
    guard let link = links[index] else { preconditionFailure("\(name) has no relationship at \(index)") }
    return link.destination
  }

  /// The index, in the destination's properties, of the inverse of the relationship at `index`; nil without an inverse.
  public func inverse(at index: Int) -> Int? { links[index]?.inverse }

  /// Whether the entity is `other` or one of its descendants.
  public func isKind(of other: Entity) -> Bool {
    var candidate: Entity? = self
    while let entity = candidate {
      if entity === other { return true }
      candidate = entity.parent
    }
    return false
  }

  /// The entity and all its descendants, depth first.
  public var family: [Entity] { [self] + subentities.flatMap(\.family) }

  /// The attributes, in order.
  public var attributes: [Attribute] { properties.compactMap(\.attribute) }

  /// The relationships, in order.
  public var relationships: [Relationship] { properties.compactMap(\.relationship) }

  /// The attribute that identifies an object, if exactly one is unique by itself.
  public var uniqueAttribute: Attribute? { uniqueAttributeIndex.flatMap { properties[$0].attribute } }
}

extension Entity: Hashable {
  /// Whether both are the same entity.
  public static func == (left: Entity, right: Entity) -> Bool { left === right }
  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Entity {
  /// The index of the attribute by which people recognize an object: a name, a title, a unique text; nil if there is
  /// none.
  public var titleAttribute: Int? {
    let texts = properties.indices.filter { properties[$0].attribute?.type == .string }
    for name in ["name", "title", "label", "fullName", "displayName"] {
      if let index = texts.first(where: { properties[$0].name.lowercased() == name.lowercased() }) { return index }
    }
    if let uniqueAttributeIndex { return uniqueAttributeIndex }
    return texts.first { index in
      let name = properties[index].name.lowercased()
      return name.hasSuffix("name") || name.hasSuffix("title")
    }
  }
}

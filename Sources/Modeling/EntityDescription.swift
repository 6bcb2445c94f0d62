/// A property of an entity.
public enum Property: Hashable, Sendable {
  case attribute(Attribute)
  case relationship(Relationship)

  /// The name of the attribute or relationship.
  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }

  /// The attribute; nil for a relationship.
  public var attribute: Attribute? {
    if case .attribute(let attribute) = self { attribute } else { nil }
  }

  /// The relationship; nil for an attribute.
  public var relationship: Relationship? {
    if case .relationship(let relationship) = self { relationship } else { nil }
  }

  /// Whether it exists in memory only.
  public var isTransient: Bool { attribute?.isTransient ?? relationship?.isTransient ?? false }

  /// Whether it can be set: it is neither derived nor read-only.
  public var isWritable: Bool { attribute?.isWritable ?? true }
}

/// An entity as a model declares it, with unresolved names.
public struct EntityDescription: Hashable, Sendable {
  /// The name, unique in the model.
  public var name: String
  /// The name of the parent entity, whose properties it inherits.
  public var parent: String?
  /// Whether only subentities have objects of their own.
  public var isAbstract = false
  /// Whether its objects cannot be inserted, updated or deleted: a view, or a table without a key.
  public var isReadOnly = false
  /// Its own properties, in order.
  public var properties: [Property]
  /// Its own fetched properties, in order.
  public var fetchedProperties: [FetchedProperty] = []
  /// Sets of properties whose combined values are unique among all objects.
  public var uniquenessConstraints: [[String]] = []
  /// The indexes over properties that are searched or sorted together.
  public var indexes: [FetchIndex] = []
  /// The name of the class of its objects in an app, if an Apple model gives one.
  public var className: String?
  /// The author's modifier of the version hash, which distinguishes two versions that are stored alike.
  public var versionHashModifier: String?
  /// The name the entity had in an earlier model.
  public var renamingIdentifier: String?
  /// The author's own notes.
  public var userInfo: [String: String] = [:]

  /// Describes an entity with the given properties of its own.
  public init(_ name: String, parent: String? = nil, properties: [Property] = []) {
    self.name = name
    self.parent = parent
    self.properties = properties
  }
}

public import Modeling

/// A suggested index of an entity's properties, in order.
public struct IndexAdvice: Hashable, Sendable {
  /// A property, or an element within a composite, with its direction.
  public struct Key: Hashable, Sendable {
    /// The property's name, or the dotted path of an element.
    public var name: String
    /// Whether the smallest value comes first.
    public var isAscending: Bool

    /// Creates a key.
    public init(_ name: String, ascending: Bool = true) {
      self.name = name
      isAscending = ascending
    }
  }

  /// The entity of the properties.
  public var entity: Entity
  /// The keys, most important first.
  public var keys: [Key]

  /// Creates an index of `entity`.
  public init(_ entity: Entity, _ keys: [Key]) {
    self.entity = entity
    self.keys = keys
  }

  /// The declaration of the index in a model of our own: `magnitude = Double { indexed = true }`, or a line of `_`; nil
  /// if a model cannot declare it.
  public var modelText: String? {
    // An index serves both directions if all of its keys have the same.
    guard Set(keys.map(\.isAscending)).count == 1 else { return nil }
    if keys.count == 1, let attribute = entity.property(named: keys[0].name)?.attribute, attribute.isWritable,
      let word = attribute.type.modelWord
    {
      return "\(keys[0].name) = \(word) { indexed = true }"
    }
    return "_ = { indexes = { { \(keys.map(\.name.quotedForLua).joined(separator: ", ")) } } }"
  }

  /// The keys in a script's notation: `place, -time`.
  public var keyText: String {
    keys.map { ($0.isAscending ? "" : "-") + $0.name }.joined(separator: ", ")
  }
}

extension AttributeType {
  /// The declaration's type word, if a model can declare an index of the attribute alone.
  fileprivate var modelWord: String? {
    switch self {
    case .integer16: "Integer16"
    case .integer32: "Integer32"
    case .integer64: "Int"
    case .double: "Double"
    case .float: "Float"
    case .decimal: "Decimal"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .uuid: "UUID"
    case .url: "URL"
    case .data: "Data"
    case .transformable, .composite, .any: nil
    }
  }
}

/// The reason why an index cannot be created.
public enum IndexObstacle: Error, Hashable, Sendable {
  /// The entity has no such property.
  case unknownProperty(String, entity: String, nearest: String?)
  /// A path through a to-many relationship, or keys of several entities.
  case severalEntities([String])
  /// The store has no column of the entity for it.
  case noColumn(String, entity: String)
  case view(String)
  case noKeys
  /// No keys were given, and there is no index to suggest.
  case noAdvice
}

/// An attribute of an entity: its type and the rules its values keep.
public struct Attribute: Hashable, Sendable {
  /// The name, unique among the properties of the entity.
  public var name: String
  /// What values it holds.
  public var type: AttributeType
  /// Whether an object may be saved without a value.
  public var isOptional = true
  /// Kept in memory only; has no column.
  public var isTransient = false
  /// The value of new objects; `.null` for none.
  public var defaultValue = Value.null
  /// The smallest value allowed, for numbers and dates.
  public var minimum = Value.null
  /// The largest value allowed, for numbers and dates.
  public var maximum = Value.null
  /// The smallest length allowed, in characters, for strings.
  public var minimumLength: Int?
  /// The largest length allowed, in characters, for strings.
  public var maximumLength: Int?
  /// A regular expression that the whole string must match.
  public var regularExpression: String?
  /// Whether no two objects have the same value.
  public var isUnique = false
  /// Whether the store keeps an index of it.
  public var isIndexed = false
  /// The expression a derived attribute is computed from, such as `day(time)`; kept by the store.
  public var derivation: String?
  /// The elements of a composite attribute.
  public var elements: [Attribute] = []
  /// Whether the store refuses writes to it: a generated column of a foreign SQLite file.
  public var isReadOnly = false
  /// Whether the store's history keeps the value that a deleted object had.
  public var preservesValueInHistoryOnDeletion = false
  /// The name the attribute had in an earlier model.
  public var renamingIdentifier: String?
  /// The author's own notes.
  public var userInfo: [String: String] = [:]

  /// Makes an optional attribute without further rules.
  public init(_ name: String, _ type: AttributeType) {
    self.name = name
    self.type = type
  }

  /// Whether the value is computed and cannot be set.
  public var isDerived: Bool { derivation != nil }

  /// Whether a script may set it.
  public var isWritable: Bool { derivation == nil && !isReadOnly }
}

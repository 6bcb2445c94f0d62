/// An attribute of an entity: its type and the rules its values keep.
public struct Attribute: Hashable, Sendable {
  public var name: String
  public var type: AttributeType
  public var isOptional = true
  /// Kept in memory only; has no column.
  public var isTransient = false
  /// The value of new objects; `.null` for none.
  public var defaultValue = Value.null
  /// The smallest and largest value allowed, for numbers and dates.
  public var minimum = Value.null
  public var maximum = Value.null
  /// Lengths in characters, for strings.
  public var minimumLength: Int?
  public var maximumLength: Int?
  /// A regular expression that the whole string must match.
  public var regularExpression: String?
  public var isUnique = false
  public var isIndexed = false
  /// The expression a derived attribute is computed from, such as `day(time)`; kept by the store.
  public var derivation: String?
  /// The elements of a composite attribute.
  public var elements: [Attribute] = []
  /// Whether the store refuses writes to it: a generated column of a foreign SQLite file.
  public var isReadOnly = false
  /// The name the attribute had in an earlier model.
  public var renamingIdentifier: String?
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

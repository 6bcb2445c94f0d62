/// An attribute of an entity: its type and the rules for its values.
public struct Attribute: Hashable, Sendable {
  /// The name, unique among the properties of the entity.
  public var name: String
  /// The type of its values.
  public var type: AttributeType
  /// Whether an object may be saved without a value.
  public var isOptional = true
  /// Whether it exists in memory only, without a column.
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
  /// Whether the store has an index of it.
  public var isIndexed = false
  /// The expression from which the store computes a derived attribute, such as `day(time)`.
  public var derivation: String?
  /// The elements of a composite attribute.
  public var elements: [Attribute] = []
  /// Whether the store refuses writes to it: a generated column of a plain SQLite file.
  public var isReadOnly = false
  /// Whether the store's history preserves the value of a deleted object.
  public var preservesValueInHistoryOnDeletion = false
  /// The rarely used facts; nil if the attribute has none.
  private var rare: RareFacts?
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

// MARK: Rare facts

/// The rarely used facts of an attribute, stored separately: attributes are copied into the frames of recursive code
/// and must be small.
private final class RareFacts: Hashable, Sendable {
  struct Values: Hashable, Sendable {
    var allowsExternalBinaryDataStorage = false
    var valueClassName: String?
    var valueTransformerName: String?
    var compositeName: String?
    var validationPredicates: [ValidationPredicate] = []
    var versionHashModifier: String?
    var namesUndefinedType = false
  }

  let values: Values

  init(_ values: Values) { self.values = values }

  static func == (left: RareFacts, right: RareFacts) -> Bool { left.values == right.values }

  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension Attribute {
  private var rareValues: RareFacts.Values {
    get { rare?.values ?? RareFacts.Values() }
    set { rare = newValue == RareFacts.Values() ? nil : RareFacts(newValue) }
  }

  /// Whether an app may keep large values in external files next to the store.
  public var allowsExternalBinaryDataStorage: Bool {
    get { rareValues.allowsExternalBinaryDataStorage }
    set { rareValues.allowsExternalBinaryDataStorage = newValue }
  }

  /// The name of the class of its values in an app, for transformable attributes.
  public var valueClassName: String? {
    get { rareValues.valueClassName }
    set { rareValues.valueClassName = newValue }
  }

  /// The name of the value transformer that encodes its values in an app, for transformable attributes.
  public var valueTransformerName: String? {
    get { rareValues.valueTransformerName }
    set { rareValues.valueTransformerName = newValue }
  }

  /// The name of a composite's type in an Apple model.
  public var compositeName: String? {
    get { rareValues.compositeName }
    set { rareValues.compositeName = newValue }
  }

  /// Conditions on its values in addition to bounds, lengths and pattern.
  public var validationPredicates: [ValidationPredicate] {
    get { rareValues.validationPredicates }
    set { rareValues.validationPredicates = newValue }
  }

  /// The author's modifier of the version hash, which distinguishes two versions that are stored alike.
  public var versionHashModifier: String? {
    get { rareValues.versionHashModifier }
    set { rareValues.versionHashModifier = newValue }
  }

  /// Whether a document of an Apple model gives its type as `Undefined` rather than omitting it.
  public var namesUndefinedType: Bool {
    get { rareValues.namesUndefinedType }
    set { rareValues.namesUndefinedType = newValue }
  }
}

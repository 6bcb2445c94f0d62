public import Modeling
public import Stores

/// The destination of a field of imported rows; fields without a column are ignored.
public struct ImportColumn: Hashable, Sendable {
  /// The index of the field in a row.
  public var field: Int
  /// The destination.
  public var target: Target
  /// Texts that mean nil, such as `NA`, in addition to empty fields.
  public var nullTexts: [String] = []
  /// The notation of its numbers and dates.
  public var notation = TextNotation()

  /// The destination of a field.
  public enum Target: Hashable, Sendable {
    /// The value of the attribute with this index.
    case attribute(Int)
    /// The to-one relationship with this index, whose destination is found by an attribute's value, or by its key.
    case reference(Int, by: Int?, missing: MissingReference)
  }

  /// The action for a value that no destination has.
  public enum MissingReference: Hashable, Sendable {
    /// The import fails.
    case refuse
    /// The relationship becomes nil; the report counts such rows.
    case null
  }

  /// Creates a column for a field.
  public init(field: Int, _ target: Target, nullTexts: [String] = [], notation: TextNotation = TextNotation()) {
    self.field = field
    self.target = target
    self.nullTexts = nullTexts
    self.notation = notation
  }
}

/// The progress of an import.
public struct ImportProgress: Sendable {
  /// The number of rows read.
  public var rows: Int
  /// The number of bytes read.
  public var bytes: Int
  /// The total number of bytes, if known.
  public var totalBytes: Int?
}

/// The result of an import.
public struct ImportReport: Hashable, Sendable {
  /// The number of inserted rows.
  public var inserted = 0
  /// The number of updated rows.
  public var updated = 0
  /// The number of invalid rows that were skipped.
  public var skipped = 0
  /// The number of to-one relationships left nil because no destination had the value.
  public var missingReferences = 0
}

/// The reason why a row cannot be imported.
public struct ImportError: Error, Sendable {
  /// The kind of error.
  public var fact: Fact
  /// The place of the field; nil for errors of the mapping.
  public var place: TextPlace?
  /// The index of the field in the row.
  public var field: Int?
  /// The number of the row, from 1; nil for errors of the mapping.
  public var row: Int?

  /// Creates an error at a place of the source.
  public init(fact: Fact, place: TextPlace? = nil, field: Int? = nil) {
    self.fact = fact
    self.place = place
    self.field = field
  }

  /// The kinds of errors.
  public enum Fact: Hashable, Sendable {
    /// The text cannot be read as the attribute's type.
    case value(ValueError)
    /// The value violates a rule of the attribute.
    case violation(Violation)
    /// No object of the entity has this value.
    case noSuchObject(entity: String, property: String, value: String)
    /// The row cannot be written, for example because another row has the same unique value.
    case store(StoreError)
    /// A mandatory property has neither a field nor a default.
    case missingProperty(entity: String, property: String)
    /// A column is not a property of the entity.
    case noSuchProperty(entity: String, nearest: String?)
    /// The property cannot be imported: it is derived, a to-many relationship, or not stored.
    case notImportable(entity: String, property: String)
  }
}

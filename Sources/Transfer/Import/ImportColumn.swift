public import Modeling
public import Storage

/// Where a field of imported rows goes; fields without a column are left out.
public struct ImportColumn: Hashable, Sendable {
  /// The index of the field in a row.
  public var field: Int
  /// What the field is.
  public var target: Target
  /// Texts, besides nothing at all, that stand for nil, such as `NA`.
  public var nullTexts: [String] = []
  /// How its fields write numbers and dates.
  public var notation = TextNotation()

  /// What a field is.
  public enum Target: Hashable, Sendable {
    /// The value of the attribute with this index.
    case attribute(Int)
    /// What a to-one leads to, by the value of a destination's attribute, or by its key.
    case reference(Int, by: Int?, missing: MissingReference)
  }

  /// What is done with a value that no destination has.
  public enum MissingReference: Hashable, Sendable {
    /// The import ends.
    case refuse
    /// The to-one is nil; the report counts such rows.
    case null
  }

  /// Puts field `field` into `target`.
  public init(field: Int, _ target: Target, nullTexts: [String] = [], notation: TextNotation = TextNotation()) {
    self.field = field
    self.target = target
    self.nullTexts = nullTexts
    self.notation = notation
  }
}

/// How an import goes on.
public struct ImportProgress: Sendable {
  /// The rows read.
  public var rows: Int
  /// The bytes read.
  public var bytes: Int
  /// How many bytes there are, where that is known.
  public var totalBytes: Int?
}

/// What an import did.
public struct ImportReport: Hashable, Sendable {
  /// New rows.
  public var inserted = 0
  /// Rows that were there and were changed.
  public var updated = 0
  /// Rows left out because they were wrong, where that was allowed.
  public var skipped = 0
  /// To-ones left nil because no destination had the value.
  public var missingReferences = 0
}

/// Why a row cannot be imported, as facts; the shell turns them into sentences.
public struct ImportError: Error, Sendable {
  /// What is wrong.
  public var fact: Fact
  /// Where the field stands; nil for mistakes of the mapping.
  public var place: TextPlace?
  /// The index of the field in the row.
  public var field: Int?
  /// The number of the row, from 1; nil for mistakes of the mapping.
  public var row: Int?

  /// Reports `fact` at a place of the source.
  public init(fact: Fact, place: TextPlace? = nil, field: Int? = nil) {
    self.fact = fact
    self.place = place
    self.field = field
  }

  /// A kind of mistake.
  public enum Fact: Hashable, Sendable {
    /// The text is no value of the attribute.
    case value(ValueError)
    /// The value breaks a rule of the attribute.
    case violation(Violation)
    /// No object of the entity has this value.
    case noSuchObject(entity: String, property: String, value: String)
    /// The row itself cannot be written, for instance because another has the same unique value.
    case store(StoreError)
    /// A property that must have a value gets none: it has neither a field nor a default.
    case missingProperty(entity: String, property: String)
    /// A column that is no property of the entity.
    case noSuchProperty(entity: String, nearest: String?)
    /// The property cannot be imported: a derived attribute, a to-many, or kept nowhere.
    case notImportable(entity: String, property: String)
  }
}

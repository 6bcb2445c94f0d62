/// A value that violates a rule of its property.
public struct Violation: Error, Hashable, Sendable {
  /// The entity of the object.
  public var entity: String
  /// The property, and the element within it: `address.city`.
  public var property: String
  /// The violated rule.
  public var kind: Kind
  /// The violating value; for counts, the number of objects.
  public var value: Value
  /// The violated limit: a bound, a length, a count, a regular expression.
  public var bound: Value
  /// The message of a script's own rule.
  public var text: String?
  /// The objects whose mandatory to-one relationship prevents the deletion of this object.
  public var hold: Hold?

  /// Objects that refer to another one by a mandatory to-one relationship.
  public struct Hold: Hashable, Sendable {
    /// The entity of the objects.
    public var entity: String
    /// The to-one relationship.
    public var property: String
    /// The names of some of the objects.
    public var names: [String]
    /// The number of the objects.
    public var count: Int

    /// Reports `count` objects of `entity`.
    public init(entity: String, property: String, names: [String] = [], count: Int = 0) {
      self.entity = entity
      self.property = property
      self.names = names
      self.count = count
    }

    /// The maximum number of names in a message.
    public static let mostNames = 3
  }

  /// The rules, with the numbers of Core Data's validation errors as raw values.
  public enum Kind: Int, CaseIterable, Hashable, Sendable {
    /// The stored value is not of the property's type (NSManagedObjectValidationError).
    case wrongType = 1550
    /// Another object has the same values (NSManagedObjectConstraintValidationError).
    case notUnique = 1551
    case missingMandatory = 1570
    case tooFewObjects = 1580
    case tooManyObjects = 1590
    /// An object cannot be deleted while the relationship has destinations, or while other objects need it.
    case deleteDenied = 1600
    case numberTooLarge = 1610
    case numberTooSmall = 1620
    case dateTooLate = 1630
    case dateTooSoon = 1640
    case stringTooLong = 1660
    case stringTooShort = 1670
    case patternMismatch = 1680
    /// A rule of a script or program failed; Core Data leaves the number to the program.
    case custom = 0
  }

  /// Reports that `value` breaks the rule `kind`.
  public init(entity: String, property: String, kind: Kind, value: Value, bound: Value = .null) {
    self.entity = entity
    self.property = property
    self.kind = kind
    self.value = value
    self.bound = bound
  }

  /// The number of Core Data's error for this, such as 1570 for a missing mandatory value.
  public var code: Int { kind.rawValue }
}

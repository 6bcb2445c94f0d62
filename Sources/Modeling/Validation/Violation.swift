/// A value that breaks a rule of its property, as facts; the shell turns them into sentences.
public struct Violation: Error, Hashable, Sendable {
  /// The entity of the object.
  public var entity: String
  /// The property, and the element within it: `address.city`.
  public var property: String
  /// The rule that is broken.
  public var kind: Kind
  /// The value that breaks the rule; for counts, how many there are.
  public var value: Value
  /// The limit it breaks: a bound, a length, a count, a regular expression.
  public var bound: Value
  /// The message of a script's own rule.
  public var text: String?
  /// The mandatory to-one of other objects that leads to the object, for one that cannot be deleted because of it.
  public var hold: Hold?

  /// Objects that need another one.
  public struct Hold: Hashable, Sendable {
    /// The entity of the objects.
    public var entity: String
    /// The to-one by which they lead to the other.
    public var property: String
    /// The names of some of them.
    public var names: [String]
    /// How many they are.
    public var count: Int

    /// Reports `count` objects of `entity`.
    public init(entity: String, property: String, names: [String] = [], count: Int = 0) {
      self.entity = entity
      self.property = property
      self.names = names
      self.count = count
    }

    /// The most names that are worth telling.
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
    /// An object cannot be deleted while the relationship leads anywhere, or while others need it.
    case deleteDenied = 1600
    case numberTooLarge = 1610
    case numberTooSmall = 1620
    case dateTooLate = 1630
    case dateTooSoon = 1640
    case stringTooLong = 1660
    case stringTooShort = 1670
    case patternMismatch = 1680
    /// A rule that a script or a program has written says no; Core Data leaves the number to it.
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

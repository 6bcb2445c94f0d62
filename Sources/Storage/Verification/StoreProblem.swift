/// A violation of the rules of the program that made the file, or of SQLite's own.
public struct StoreProblem: Hashable, Sendable {
  /// What should hold.
  public enum Rule: String, Sendable, CaseIterable {
    /// The file is sound as SQLite sees it.
    case integrity
    /// Every foreign key that the tables declare leads to a row.
    case foreignKey
    /// Members of an ordered relationship have places, each its own.
    case order
    /// No key is above the one that is counted as the highest.
    case highestKey
    /// Entities have the numbers that the model gives them.
    case entityNumber
    /// The model's entities are those that the file was written with.
    case modelHash
    /// A row's entity is one of its table's.
    case entity
    /// A row's version is 1 or more.
    case version
    /// A to-one leads to a row of its destination.
    case destination
    /// The number beside a to-one is that of the destination's entity.
    case destinationEntity
    /// Two to-ones that are each other's inverse agree.
    case inverse
    /// Both ends of a pair are rows of the relationship's entities.
    case pair
    /// What is stored for an attribute is a value of its type.
    case type
    /// What must have a value has one.
    case mandatory
    /// Values that must differ do.
    case unique
    /// A count that triggers keep is right.
    case count
    /// Files with data are there, and each is some row's.
    case externalData
    /// Changes in the history belong to transactions and entities that exist.
    case history
  }

  /// What does not hold.
  public let rule: Rule
  /// The table; nothing for what concerns the file.
  public let table: String
  /// The key of the row, where it is about one.
  public var key: Int64?
  /// The column, property or file in question.
  public var subject: String?
  /// What should be there.
  public var expected: String?
  /// What is there.
  public var found: String?
}

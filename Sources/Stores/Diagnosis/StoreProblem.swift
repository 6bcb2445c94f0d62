/// A violation of the rules of the file's format, or of SQLite's own.
public struct StoreProblem: Hashable, Sendable {
  /// The violated rule.
  public enum Rule: String, Sendable, CaseIterable {
    /// SQLite's integrity check finds no problem.
    case integrity
    /// Every declared foreign key refers to an existing row.
    case foreignKey
    /// Members of an ordered relationship have distinct places.
    case order
    /// No key is greater than the recorded highest key.
    case highestKey
    /// Entities have the numbers of the model.
    case entityNumber
    /// The model's entities are those with which the file was written.
    case modelHash
    /// A row's entity belongs to its table.
    case entity
    /// A row's version is 1 or more.
    case version
    /// A to-one relationship refers to a row of its destination.
    case destination
    /// The entity number next to a to-one relationship is that of the destination.
    case destinationEntity
    /// Two inverse to-one relationships agree.
    case inverse
    /// Both ends of a pair are rows of the relationship's entities.
    case pair
    /// The stored value of an attribute is of its type.
    case type
    /// Mandatory properties have values.
    case mandatory
    /// Unique values differ.
    case unique
    /// A count that triggers maintain is correct.
    case count
    /// External data files exist, and a row refers to each.
    case externalData
    /// Changes in the history belong to transactions and entities that exist.
    case history
  }

  /// The violated rule.
  public let rule: Rule
  /// The table; empty for a problem of the whole file.
  public let table: String
  /// The key of the row, if the problem concerns one.
  public var key: Int64?
  /// The column, property or file concerned.
  public var subject: String?
  /// The expected value.
  public var expected: String?
  /// The found value.
  public var found: String?

  package init(
    rule: Rule, table: String, key: Int64? = nil, subject: String? = nil, expected: String? = nil, found: String? = nil
  ) {
    (self.rule, self.table, self.key) = (rule, table, key)
    (self.subject, self.expected, self.found) = (subject, expected, found)
  }
}

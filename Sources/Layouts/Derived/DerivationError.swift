public import Queries

/// A derived attribute that a store cannot maintain.
public struct DerivationError: Error, Hashable, Sendable {
  /// The entity that has the attribute.
  public let entity: String
  /// The attribute.
  public let attribute: String
  /// The text of its derivation.
  public let derivation: String
  /// The reason.
  public let obstacle: Obstacle

  /// The reason why a derivation cannot be maintained. It may use only SQLite's own functions, so that other programs
  /// can write the store.
  public enum Obstacle: Error, Hashable, Sendable {
    /// The text is invalid, or contains a name that the model does not have.
    case text(PredicateError)
    /// The attribute is derived from itself.
    case itself
    /// SQLite has no such function.
    case function(String)
    /// SQLite has no decimal arithmetic.
    case decimals
    /// The function takes a date.
    case needsDate(function: String)
    /// The aggregate takes an attribute.
    case needsAttribute(aggregate: String)
    /// The operator returns a collection.
    case noValue(aggregate: String)
    /// The path leads through a to-many.
    case manyValues(path: String)
    /// The path casts an object to a subentity.
    case castToEntity(path: String)
    /// The path ends at a relationship.
    case noAttribute(path: String)
    /// The path continues within an attribute that has no such element.
    case noElement(path: String)
    /// The path ends at an attribute that triggers maintain.
    case derivedThroughRelationships(path: String)
    /// The aggregate is not over a to-many relationship of the object itself.
    case notOwnToMany(path: String)
    /// The store has no column or table for the path.
    case notKept(path: String)
    /// Constants of this kind have no form in SQL.
    case constant(kind: String)
    /// The expression is neither a path, a function, arithmetic nor an aggregate.
    case expression
  }
}

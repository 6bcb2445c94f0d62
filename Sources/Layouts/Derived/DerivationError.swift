public import Queries

/// A derived attribute that a store cannot keep.
public struct DerivationError: Error, Hashable, Sendable {
  /// The entity that has the attribute.
  public let entity: String
  /// The attribute.
  public let attribute: String
  /// The text it is derived from.
  public let derivation: String
  /// What is in the way.
  public let obstacle: Obstacle

  /// Why a derivation cannot be kept. SQLite's own functions must do, so that other programs can write the store.
  public enum Obstacle: Error, Hashable, Sendable {
    /// The text cannot be read, or names what the model does not have.
    case text(PredicateError)
    /// It is made from itself.
    case itself
    /// SQLite has no such function.
    case function(String)
    /// SQLite computes with no decimals.
    case decimals
    /// The function takes a date.
    case needsDate(function: String)
    /// The aggregate takes an attribute.
    case needsAttribute(aggregate: String)
    /// The operator gives a collection.
    case noValue(aggregate: String)
    /// The path leads through a to-many.
    case manyValues(path: String)
    /// The path takes an object as one of a subentity.
    case castToEntity(path: String)
    /// The path ends at a relationship.
    case noAttribute(path: String)
    /// The path goes on within an attribute that declares no such element.
    case noElement(path: String)
    /// The path ends at an attribute that triggers keep.
    case derivedThroughRelationships(path: String)
    /// An aggregate is over one to-many of the object itself.
    case notOwnToMany(path: String)
    /// The store has no column or table for it.
    case notKept(path: String)
    /// Constants of the kind have no form in SQL.
    case constant(kind: String)
    /// Neither path, function, arithmetic nor aggregate.
    case expression
  }
}

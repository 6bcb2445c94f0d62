public import Modeling

/// An object as a predicate sees it when it is evaluated in memory.
///
/// Properties are given by their index in `entity.properties`. Reading may fetch, and so may throw.
public protocol PredicateSubject {
  /// The object's own entity.
  var entity: Entity { get }
  var objectID: ObjectID { get }
  /// The value of the attribute at `index`.
  func attribute(at index: Int) throws -> Value
  /// The object that the to-one relationship at `index` leads to; also nil if that object no longer exists.
  func toOne(at index: Int) throws -> (any PredicateSubject)?
  /// Returns the ID that the to-one relationship at `index` holds, whether or not that object exists.
  func reference(at index: Int) throws -> ObjectID?
  /// The objects that the to-many relationship at `index` leads to, in its order.
  func toMany(at index: Int) throws -> [any PredicateSubject]
}

extension PredicateSubject {
  /// The object that the relationship leads to; subjects that know dangling references return those too.
  public func reference(at index: Int) throws -> ObjectID? { try toOne(at: index)?.objectID }
}

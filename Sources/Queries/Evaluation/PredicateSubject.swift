public import Modeling

/// An object for the evaluation of predicates in memory.
///
/// Properties are identified by their index in `entity.properties`. Reading may fetch, and so may throw.
public protocol PredicateSubject {
  /// The object's own entity.
  var entity: Entity { get }
  var objectID: ObjectID { get }
  /// The value of the attribute at `index`.
  func attribute(at index: Int) throws -> Value
  /// The destination of the to-one relationship at `index`; also nil if that object no longer exists.
  func toOne(at index: Int) throws -> (any PredicateSubject)?
  /// The ID that the to-one relationship at `index` holds, whether or not that object exists.
  func reference(at index: Int) throws -> ObjectID?
  /// The destinations of the to-many relationship at `index`, in its order.
  func toMany(at index: Int) throws -> [any PredicateSubject]
}

extension PredicateSubject {
  /// The destination's ID; subjects that know dangling references return those, too.
  public func reference(at index: Int) throws -> ObjectID? { try toOne(at: index)?.objectID }
}

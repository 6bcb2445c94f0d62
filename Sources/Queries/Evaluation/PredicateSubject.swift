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
  /// The object that the to-one relationship at `index` leads to.
  func toOne(at index: Int) throws -> (any PredicateSubject)?
  /// The objects that the to-many relationship at `index` leads to, in its order.
  func toMany(at index: Int) throws -> [any PredicateSubject]
}

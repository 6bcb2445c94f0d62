package import Modeling

/// Stands where a predicate or an expression asks no object: one over a group, or about a value.
package struct NoSubject: PredicateSubject {
  package let entity: Entity

  package init(entity: Entity) { self.entity = entity }

  package var objectID: ObjectID { ObjectID(entity: entity, key: 0) }
  package func attribute(at index: Int) -> Value { .null }
  package func toOne(at index: Int) -> (any PredicateSubject)? { nil }
  package func toMany(at index: Int) -> [any PredicateSubject] { [] }
}

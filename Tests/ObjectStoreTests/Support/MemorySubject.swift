import Modeling
import Queries
import Stores

/// An object of a `MemoryStore` as predicates see it.
struct MemorySubject: PredicateSubject {
  let store: MemoryStore
  let entity: Entity
  let key: Int64

  init?(_ store: MemoryStore, _ entity: Entity, _ key: Int64) {
    guard let row = store.state.row(entity, key) else { return nil }
    self.store = store
    self.entity = row.entity
    self.key = key
  }

  var objectID: ObjectID { ObjectID(entity: entity, key: key) }

  func attribute(at index: Int) -> Value {
    guard case .column(let column) = store.layout(of: entity).properties[index] else { return .null }
    return store.state.row(entity, key)?.values[column] ?? .null
  }

  func reference(at index: Int) -> ObjectID? {
    guard case .reference(let columns, _) = store.layout(of: entity).properties[index],
      case .int(let target)? = store.state.row(entity, key)?.values[columns[0]]
    else { return nil }
    return ObjectID(entity: entity.destination(at: index), key: target)
  }

  func toOne(at index: Int) -> (any PredicateSubject)? {
    reference(at: index).flatMap { MemorySubject(store, $0.entity, $0.key) }
  }

  func toMany(at index: Int) -> [any PredicateSubject] {
    store.members(of: index, in: entity, owners: [key]).compactMap {
      MemorySubject(store, entity.destination(at: index), $0.member)
    }
  }
}

import Modeling
import Queries

/// Where the values that some paths lead to are in a row of values.
final class ValuePlaces {
  fileprivate let entity: Entity
  /// By the index of the attribute or to-one at the end of a path; -1 where none ends.
  fileprivate var ends: [Int]
  fileprivate var destinations: [Int: ValuePlaces] = [:]

  init(_ entity: Entity) {
    self.entity = entity
    ends = Array(repeating: -1, count: entity.properties.count)
  }

  /// Says in which place the value at the end of a path of to-ones is.
  func set(_ place: Int, for path: ResolvedPath) {
    var end = self
    let hops = path.attribute == nil ? path.hops.dropLast() : path.hops[...]
    for hop in hops {
      let next = end.destinations[hop.index] ?? ValuePlaces(hop.destination)
      end.destinations[hop.index] = next
      end = next
    }
    if let last = path.attribute ?? path.hops.last?.index { end.ends[last] = place }
  }
}

/// Some values of a row as predicates and expressions see them. What is not among them is nil.
struct ValueSubject: PredicateSubject {
  let places: ValuePlaces
  let values: [Value]

  var entity: Entity { places.entity }
  var objectID: ObjectID { ObjectID(entity: entity, key: 0) }

  func attribute(at index: Int) -> Value { places.ends[index] < 0 ? .null : values[places.ends[index]] }

  func reference(at index: Int) -> ObjectID? {
    if case .object(let id) = attribute(at: index) { id } else { nil }
  }

  func toOne(at index: Int) -> (any PredicateSubject)? {
    places.destinations[index].map { ValueSubject(places: $0, values: values) }
  }

  func toMany(at index: Int) -> [any PredicateSubject] { [] }
}

import Modeling
import Queries

@testable import RelationalStorage
@testable import SQLiteStorage
@testable import Stores

/// An object of the sample in memory, as predicates see it.
final class MemoryObject: PredicateSubject {
  let entity: Entity
  let key: Int64
  var values: [String: Value]
  var toOnes: [String: MemoryObject] = [:]
  var toManys: [String: [MemoryObject]] = [:]

  init(_ entity: Entity, _ key: Int64, _ values: [String: Value]) {
    self.entity = entity
    self.key = key
    self.values = values
  }

  var objectID: ObjectID { ObjectID(entity: entity, key: key) }
  func attribute(at index: Int) throws -> Value { values[entity.properties[index].name] ?? .null }
  func toOne(at index: Int) throws -> (any PredicateSubject)? { toOnes[entity.properties[index].name] }
  func toMany(at index: Int) throws -> [any PredicateSubject] { toManys[entity.properties[index].name] ?? [] }
}

/// The same objects in a store and in memory.
struct Twins {
  let sample: Sample
  private(set) var objects: [String: [MemoryObject]] = [:]

  init(_ model: Model? = nil) throws { sample = try Sample(model) }

  /// The objects of an entity and of those that descend from it, by their keys.
  func family(_ name: String) -> [MemoryObject] {
    sample.entity(name).family.flatMap { objects[$0.name] ?? [] }.sorted { $0.key < $1.key }
  }

  @discardableResult
  mutating func insert(_ name: String, _ values: [String: Value], toOnes: [String: MemoryObject] = [:]) throws
    -> MemoryObject
  {
    var row = values
    for (name, object) in toOnes { row[name] = .int(object.key) }
    let object = MemoryObject(sample.entity(name), try sample.insert(name, row), values)
    object.toOnes = toOnes
    for (name, other) in toOnes {
      let relationship = object.entity.index(of: name)!
      let inverse = object.entity.inverse(at: relationship)!
      other.toManys[other.entity.properties[inverse].name, default: []].append(object)
    }
    objects[name, default: []].append(object)
    return object
  }

  /// Puts the members of an ordered to-many into an order.
  func order(_ relationship: String, of owner: MemoryObject, _ members: [MemoryObject]) throws {
    let index = owner.entity.index(of: relationship)!
    try sample.store.setOrder(index, in: owner.entity, owner: owner.key, members: members.map(\.key))
    owner.toManys[relationship] = members
  }

  func link(_ name: String, _ relationship: String, _ owner: MemoryObject, _ member: MemoryObject) throws {
    let index = owner.entity.index(of: relationship)!
    try sample.store.link(index, in: owner.entity, owner: owner.key, member: member.key, order: nil)
    owner.toManys[relationship, default: []].append(member)
    let inverse = owner.entity.inverse(at: index)!
    member.toManys[member.entity.properties[inverse].name, default: []].append(owner)
  }

  /// The keys of the objects for which a predicate is true in memory, and for which its opposite is.
  func memory(_ name: String, _ predicate: Predicate) throws -> (yes: [Int64], no: [Int64]) {
    let compiled = try CompiledPredicate(predicate, entity: sample.entity(name))
    var (yes, no): ([Int64], [Int64]) = ([], [])
    for object in family(name) {
      switch try compiled.evaluate(object) {
      case true?: yes.append(object.key)
      case false?: no.append(object.key)
      case nil: break
      }
    }
    return (yes, no)
  }

  /// The same, as the store answers.
  func stored(_ name: String, _ predicate: Predicate) throws -> (yes: [Int64], no: [Int64]) {
    var request = FetchRequest(sample.entity(name))
    request.predicate = predicate
    let yes = try sample.store.keys(request)
    request.predicate = .not(predicate)
    return (yes.sorted(), try sample.store.keys(request).sorted())
  }
}

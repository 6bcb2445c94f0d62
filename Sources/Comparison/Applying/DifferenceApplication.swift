internal import Modeling
package import ObjectGraph
internal import Queries

/// Makes differences the unsaved changes of a context.
///
/// Objects are found by their identity. A value that the context's store has already is left as it is. A value that is
/// neither the former nor the new one is a conflict, which the merge policy settles as it does those of a save: base is the
/// former value, mine the new one, theirs that of the store.
package final class DifferenceApplication {
  /// The numbers of objects that have become unsaved changes.
  package struct Counts: Equatable {
    package var inserted = 0
    package var updated = 0
    package var deleted = 0
  }

  let context: ObjectContext
  let scope: ComparisonScope
  private let policy: MergePolicy
  private var differences: [ObjectDifference] = []
  /// The objects that were inserted here.
  var created: [ObjectName: ManagedObject] = [:]
  /// What was left as the store has it, because it is in conflict, or would be an error.
  package private(set) var conflicts: [ObjectConflict] = []
  /// The conflicts of some differences are left to their end, where the rest is applied.
  private let leavesConflicts: Bool

  /// `leavesConflicts` has objects in conflict stay as they are, in place of an error.
  package init(to context: ObjectContext, _ scope: ComparisonScope, policy: MergePolicy, leavesConflicts: Bool = false)
  {
    (self.context, self.scope, self.policy, self.leavesConflicts) = (context, scope, policy, leavesConflicts)
  }

  /// Adds a difference; one whose object is not compared is left out.
  package func add(_ difference: ObjectDifference) {
    if difference.isComparable { differences.append(difference) }
  }

  /// Makes the changes: all or, if this throws, none.
  ///
  /// - Throws: GraphError, ComparisonError.conflicts with all conflicts and ComparisonError.unknownEntity and
  ///   .unknownProperty for names that the store does not have; StoreError.
  package func apply() throws -> Counts {
    try context.undoingFailure {
      var counts = Counts()
      let targets = try differences.map { try target(of: $0) }
      let doomed = try zip(differences, targets).filter { $0.0.kind == .deleted }.compactMap { try self.doomed($0, $1) }
      let inserted = zip(differences, targets).filter { $0.0.kind == .inserted }
      var new: [(difference: ObjectDifference, object: ManagedObject)] = []
      for (difference, entity) in inserted {
        if let object = try insert(difference, entity) {
          new.append((difference, object))
          counts.inserted += 1
        }
      }
      // Relationships follow, when all new objects are there.
      for (difference, object) in new { try setRelationships(of: object, difference) }
      for (difference, entity) in zip(differences, targets) where difference.kind != .deleted {
        if created[ObjectName(entity, difference.identity)] == nil, try update(difference, entity) {
          counts.updated += 1
        }
      }
      // Deletions are last, so that no rule deletes what was moved elsewhere.
      // The rules of one deletion may reach another one.
      for object in doomed where !object.isDeleted { try object.delete() }
      counts.deleted = doomed.count
      if !conflicts.isEmpty, !leavesConflicts, !keepsStore { throw ComparisonError.conflicts(conflicts) }
      return counts
    }
  }

  private func target(of difference: ObjectDifference) throws -> Entity {
    let entity = try entity(difference.entity)
    for property in difference.properties { _ = try index(property.name, in: entity) }
    return entity
  }

  // MARK: Kinds of differences

  /// Inserts an object with its attributes; nil if the store has one of its identity.
  private func insert(_ difference: ObjectDifference, _ entity: Entity) throws -> ManagedObject? {
    if try find(entity, difference.identity) != nil { return nil }
    let key = identifiesByKey(entity) ? difference.identity.first?.key : nil
    let object = try context.insert(entity, key: key)
    created[ObjectName(entity, difference.identity)] = object
    for name in scope.properties[difference.entity] ?? [] {
      guard let index = entity.index(of: name), let attribute = entity.properties[index].attribute, attribute.isWritable
      else { continue }
      var value = Value.null
      if case .value(let known)? = difference.properties.first(where: { $0.name == name })?.new { value = known }
      try object.setAttribute(at: index, value)
    }
    return object
  }

  private func setRelationships(of object: ManagedObject, _ difference: ObjectDifference) throws {
    for property in difference.properties {
      let index = try index(property.name, in: object.entity)
      if object.entity.properties[index].relationship != nil { try set(property, at: index, of: object) }
    }
  }

  /// Changes an object, or one that was to be inserted and is there; returns whether anything has become a change.
  private func update(_ difference: ObjectDifference, _ entity: Entity) throws -> Bool {
    guard let object = try find(entity, difference.identity) else {
      // No policy can make the object, most of whose values are not known.
      conflicts.append(missing(difference, entity))
      return false
    }
    var wanted: [(property: PropertyDifference, index: Int)] = []
    var disputed: [PropertyConflict] = []
    for property in difference.properties {
      let index = try index(property.name, in: entity)
      switch try state(of: property, at: index, of: object) {
      case .new: break
      case .old: wanted.append((property, index))
      case .neither(let conflict):
        disputed.append(conflict)
        if policy == .objectTrump || policy == .overwrite { wanted.append((property, index)) }
      }
    }
    if !disputed.isEmpty {
      let kind: ObjectConflict.Kind = difference.kind == .inserted ? .notUnique(object.objectID) : .changed
      let conflict = ObjectConflict(
        object: object.objectID, label: label(difference), kind: kind, properties: disputed)
      if !takes(conflict), policy != .storeTrump { return false }
    }
    for (property, index) in wanted { try set(property, at: index, of: object) }
    return !wanted.isEmpty
  }

  /// The object to delete; nil if there is none, or if it is in conflict.
  private func doomed(_ difference: ObjectDifference, _ entity: Entity) throws -> ManagedObject? {
    guard let object = try find(entity, difference.identity), !object.isDeleted else { return nil }
    var disputed: [PropertyConflict] = []
    for name in scope.properties[difference.entity] ?? difference.properties.map(\.name) {
      guard let index = entity.index(of: name) else { continue }
      let former = difference.properties.first { $0.name == name }
      let property = PropertyDifference(name: name, old: former?.old ?? .nothing(entity, index), new: .value(.null))
      if case .neither(var conflict) = try state(of: property, at: index, of: object) {
        conflict.mine = .null
        disputed.append(conflict)
      }
    }
    if !disputed.isEmpty {
      let conflict = ObjectConflict(
        object: object.objectID, label: label(difference), kind: .deletedHere, properties: disputed)
      if !takes(conflict) { return nil }
    }
    return object
  }

  // MARK: Conflicts

  /// Whether the policy keeps what the store has.
  private var keepsStore: Bool { policy == .storeTrump || policy == .rollback }

  /// Whether the policy takes what is to be made; records the conflict if it does not.
  private func takes(_ conflict: ObjectConflict) -> Bool {
    if policy == .objectTrump || policy == .overwrite { return true }
    conflicts.append(conflict)
    return false
  }

  private func missing(_ difference: ObjectDifference, _ entity: Entity) -> ObjectConflict {
    let properties = difference.properties.map {
      PropertyConflict(property: $0.name, base: $0.old.plain, mine: $0.new.plain, theirs: .null, isMine: true)
    }
    let id = ObjectID(entity: entity, key: difference.identity.first?.key ?? ObjectID.temporaryLimit)
    return ObjectConflict(object: id, label: label(difference), kind: .deletedInStore, properties: properties)
  }

  private func label(_ difference: ObjectDifference) -> String {
    "\(difference.entity) \(difference.identity.map(\.displayText).joined(separator: ", "))"
  }
}

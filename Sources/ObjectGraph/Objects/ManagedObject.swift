public import Modeling
public import Queries

/// An object of a context: a handle on one slot of a table.
///
/// Two handles are equal if they stand for the same object. A handle of a clean, otherwise unreferenced object may
/// outlive the object's values, which are then read again.
public struct ManagedObject: Hashable {
  /// The table that keeps the object.
  public let table: ObjectTable
  /// Its place in the table.
  public let slot: Int32

  /// Creates the handle of a slot.
  public init(table: ObjectTable, slot: Int32) {
    self.table = table
    self.slot = slot
  }

  /// Returns whether two handles stand for the same object.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool {
    left.slot == right.slot && left.table === right.table
  }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(slot)
    hasher.combine(ObjectIdentifier(table))
  }

  /// The context the object belongs to.
  public var context: ObjectContext { table.context }

  /// Whether the values are not in memory yet.
  public var isFault: Bool { !isInserted && table.isFault(slot) }
  /// Whether the object was inserted since the last save.
  public var isInserted: Bool { table.changes[slot]?.kind == .inserted }
  /// Whether the object has a row and unsaved changes.
  public var isUpdated: Bool { table.changes[slot]?.kind == .updated }
  /// Whether the object was deleted, saved or not, here or by others.
  ///
  /// Where others may have deleted rows since the object was read, its row is read.
  public var isDeleted: Bool {
    table.isGone(slot) || table.changes[slot]?.kind == .deleted || table.inaccessible.contains(slot) || isMissing
  }
  /// The object whose deletion caused this one's, by a delete rule; nil for one that was deleted by itself.
  package var deletionCause: ManagedObject? {
    table.changes[slot]?.cause.map { ManagedObject(table: $0.table, slot: $0.slot) }
  }
  /// Whether the object could not be inserted: it is gone, and never had a row.
  public var wasRejected: Bool { table.isGone(slot) && objectID.isTemporary }

  /// Whether what wrote past the context has taken the row of an unchanged object away. The object stays, as an undo brings the
  /// row back.
  private var isMissing: Bool {
    guard context.mayMissRows, !hasChanges, !objectID.isTemporary, table.isFault(slot) else { return false }
    return (try? exists()) == false
  }

  /// Whether the next save writes anything for the object.
  public var hasChanges: Bool { table.isDirty(slot) }

  /// Sets the attribute at `index`.
  ///
  /// - Throws: GraphError, such as .wrongValue, .notWritable or .deletedObject; StoreError. Nothing is changed then.
  public func setAttribute(at index: Int, _ value: Value) throws { try table.setAttribute(slot, index, value) }

  /// Throws if the property at `index` takes no value, whichever it is.
  ///
  /// - Throws: GraphError, such as .notWritable, .readOnlyEntity or .deletedObject; the error of a read-only store.
  public func checkWritable(at index: Int) throws { try table.checkWritable(slot, at: index) }

  /// The target of the to-one at `index`, which may be a fault.
  ///
  /// - Throws: GraphError.deletedObject or .missingRow for an object that is gone, StoreError.
  public func related(at index: Int) throws -> ManagedObject? {
    try table.reference(slot, index).map { ManagedObject(table: table.destinationTable(slot, index), slot: $0) }
  }

  /// Sets the to-one at `index` to `object`.
  ///
  /// - Throws: GraphError, such as .wrongEntity, .otherContext or .deletedObject; StoreError. Nothing is changed
  ///   then.
  public func setRelated(at index: Int, to object: ManagedObject?) throws {
    try check(object, at: index)
    try table.setReference(slot, index, to: object?.slot)
  }

  /// The members of the to-many at `index`, in its order.
  ///
  /// - Throws: GraphError.deletedObject or .missingRow for an object that is gone, StoreError.
  public func members(at index: Int) throws -> [ManagedObject] {
    let destination = table.destinationTable(slot, index)
    return try table.members(slot, index).map { ManagedObject(table: destination, slot: $0) }
  }

  /// The number of members of the to-many at `index`.
  ///
  /// - Throws: GraphError.deletedObject or .missingRow for an object that is gone, StoreError.
  public func memberCount(at index: Int) throws -> Int { try table.memberCount(slot, index) }

  /// The `position`th member, from 0, of the to-many at `index`.
  ///
  /// - Throws: GraphError.deletedObject or .missingRow for an object that is gone, StoreError.
  public func member(at index: Int, position: Int) throws -> ManagedObject? {
    let members = try table.members(slot, index)
    guard members.indices.contains(position) else { return nil }
    return ManagedObject(table: table.destinationTable(slot, index), slot: members[position])
  }

  /// Adds or removes a member of the to-many at `index`.
  ///
  /// - Throws: GraphError, such as .wrongEntity, .otherContext or .deletedObject; StoreError. Nothing is changed
  ///   then.
  public func setMember(at index: Int, _ object: ManagedObject, isMember: Bool) throws {
    try checkPresent()
    try check(object, at: index)
    try table.setMember(slot, index, object.slot, isMember: isMember)
  }

  /// Replaces all members of the to-many at `index`.
  ///
  /// - Throws: GraphError, such as .wrongEntity, .otherContext or .deletedObject; StoreError. Nothing is changed
  ///   then.
  public func setMembers(at index: Int, _ objects: [ManagedObject]) throws {
    try checkPresent()
    for object in objects { try check(object, at: index) }
    try table.setMembers(slot, index, objects.map(\.slot))
  }

  /// Throws if the object's row is gone. Members are written in rows of their own, for which that would make no difference.
  private func checkPresent() throws {
    guard context.mayMissRows, !hasChanges, !objectID.isTemporary, table.isFault(slot) else { return }
    // The row is not kept: its absence shows a save that no values of the object itself are involved.
    if try !(table.existsInParent(slot) ?? table.hasRow(slot)) {
      throw GraphError(.deletedObject(objectID.description))
    }
  }

  /// Throws unless `object` fits the relationship at `index`.
  private func check(_ object: ManagedObject?, at index: Int) throws {
    guard let object else { return }
    let destination = entity.destination(at: index)
    let property = entity.properties[index].name
    guard object.context === context else { throw GraphError(.otherContext(entity: entity.name, property: property)) }
    guard object.entity.isKind(of: destination) else {
      throw GraphError(
        .wrongEntity(property: property, entity: entity.name, expected: destination.name, found: object.entity.name))
    }
    guard !object.isDeleted else { throw GraphError(.deletedObject(object.objectID.description)) }
  }
}

extension ManagedObject: PredicateSubject {
  /// The object's own entity.
  public var entity: Entity { table.entity(slot) }
  /// The object's identity; temporary until it is saved.
  public var objectID: ObjectID { table.objectID(slot) }

  /// The value of the attribute at `index`.
  ///
  /// - Throws: GraphError.deletedObject or .missingRow for an object that is gone, StoreError.
  public func attribute(at index: Int) throws -> Value { try table.attribute(slot, index) }

  /// The target of the to-one at `index`; nil also if its row is gone.
  ///
  /// - Throws: GraphError.deletedObject or .missingRow for an object that is gone, StoreError.
  public func toOne(at index: Int) throws -> (any PredicateSubject)? {
    guard let target = try table.knownReference(slot, index) else { return nil }
    let object = ManagedObject(table: table.destinationTable(slot, index), slot: target)
    return try object.exists() ? object : nil
  }

  /// The ID in the to-one at `index`, whether or not its row exists.
  ///
  /// - Throws: GraphError.deletedObject or .missingRow for an object that is gone, StoreError.
  public func reference(at index: Int) throws -> ObjectID? { try related(at: index)?.objectID }

  /// The members of the to-many at `index`.
  ///
  /// - Throws: GraphError.deletedObject or .missingRow for an object that is gone, StoreError.
  public func toMany(at index: Int) throws -> [any PredicateSubject] { try members(at: index) }

  /// Returns whether the object exists, as a row or as an unsaved object.
  ///
  /// - Throws: StoreError.
  public func exists() throws -> Bool {
    if table.isGone(slot) { return false }
    if isInserted { return true }
    if let exists = try table.existsInParent(slot) { return exists }
    if !isFault { return true }
    try table.fill(slot)
    return !table.isFault(slot)
  }
}

/// A property's value before and after the unsaved change.
public struct PropertyChange: Sendable {
  /// The name of the property.
  public var property: String
  /// The stored value.
  public var old: Value
  /// The value that the next save writes.
  public var new: Value
  /// The deleted target because of which the relationship becomes nil.
  public var cause: ObjectID?

  /// A property with another value.
  public init(property: String, old: Value, new: Value, cause: ObjectID? = nil) {
    self.property = property
    self.old = old
    self.new = new
    self.cause = cause
  }
}

extension ManagedObject {
  /// The properties with unsaved changes, in the entity's order, without to-manys.
  ///
  /// - Throws: StoreError.
  public func changes() throws -> [PropertyChange] {
    guard let changes = table.changes[slot] else { return [] }
    let layout = table.shape(slot).layout
    var list: [PropertyChange] = []
    for (index, property) in entity.properties.enumerated() {
      guard let column = layout.properties[index].ownColumns.first, let new = changes.columns[column] else { continue }
      var old = Value.null
      if changes.kind != .inserted { old = table.decoded(try table.storedColumn(slot, column), slot, column) }
      guard changes.kind == .inserted ? !new.isNull : old != new else { continue }
      list.append(PropertyChange(property: property.name, old: old, new: new))
    }
    return list
  }

  /// The stored values of all attributes and to-ones.
  ///
  /// - Throws: GraphError.deletedObject or .missingRow for an object that is gone, StoreError.
  public func committedValues() throws -> [(property: String, value: Value)] {
    guard !isInserted else { return [] }
    try table.checkLiving(slot)
    let layout = table.shape(slot).layout
    return try entity.properties.enumerated().compactMap { index, property in
      guard let column = layout.properties[index].ownColumns.first else { return nil }
      return (property.name, table.decoded(try table.storedColumn(slot, column), slot, column))
    }
  }

  /// The value that a column of the object's row has in the store, as far as it can be read.
  public func committedValue(inColumn column: Int) -> Value {
    guard !isInserted, let stored = try? table.storedColumn(slot, column) else { return .null }
    return table.decoded(stored, slot, column)
  }

  /// Turns the object into a fault; with `mergeChanges: false` its unsaved changes are discarded, too, or its unsaved
  /// deletion, with what the delete rules did.
  ///
  /// Discarding a deletion is a step of undo.
  ///
  /// - Throws: GraphError.deletedObject or .missingRow for an object that is gone, .forgottenDeletion or .relatedDeletion for
  ///   a deletion that cannot be discarded; StoreError.
  public func refresh(mergeChanges: Bool) throws {
    guard !isInserted else { return }
    if !mergeChanges, isUpdated { try table.discardChanges(slot) }
    if !mergeChanges, table.changes[slot]?.kind == .deleted {
      try context.discardDeletion(of: ObjectReference(table: table, slot: slot))
    }
    table.dropRow(slot)
    table.fetched[slot] = nil
    table.transients[slot] = nil
    table.inaccessible.remove(slot)
    for child in context.liveChildren { child.forgetRows() }
    if isUpdated { try table.fill(slot) }
    for key in table.collections.keys where key.slot == slot { table.collections[key]?.forgetMembers() }
    // It may lead elsewhere than the base of its changes did.
    if context.hasStaleBases { context.forgetResolvedCollections() }
  }

  /// Deletes the object and applies the delete rules of its relationships.
  ///
  /// - Throws: GraphError, such as .deletedObject, .readOnlyEntity or .validating; StoreError; what the hook
  ///   prepareForDeletion throws.
  public func delete() throws { try table.delete(slot) }
}

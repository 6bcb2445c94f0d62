public import Modeling
internal import Storage

// Attributes of slots. What ManagedObject and the Lua bindings offer is built on these.
extension ObjectTable {
  /// The value of the attribute at `index`, changed or as the store has it.
  public func attribute(_ slot: Int32, _ index: Int) throws -> Value {
    try checkLiving(slot)
    let shape = shape(slot)
    guard shape.types[index] != nil else { throw notAnAttribute(slot, index) }
    let column = shape.columnOfAttribute[index]
    if column >= 0 { return decoded(try self.column(slot, column), slot, column) }
    return transients[slot]?[index] ?? parentTransient(slot, index) ?? shape.rules[index]?.attribute.defaultValue
      ?? .null
  }

  /// Sets the attribute at `index` after checking that the value fits its type.
  ///
  /// - Throws: GraphError.wrongValue, or .notWritable for derived attributes.
  public func setAttribute(_ slot: Int32, _ index: Int, _ value: Value) throws {
    let shape = shape(slot)
    guard let rules = shape.rules[index] else { throw notAnAttribute(slot, index) }
    let column = shape.columnOfAttribute[index]
    let coerced: Value
    do {
      if column >= 0, shape.types[index] == .transformable {
        coerced = try shape.layout.coerce(value, at: index, of: rules.attribute, current: try attribute(slot, index))
      } else {
        coerced = try rules.coerce(value)
      }
    } catch let error as ValueError {
      throw GraphError(.wrongValue(error.of(shape.entity), entity: shape.entity.name, property: rules.attribute.name))
    }
    guard column >= 0 else {
      try checkLiving(slot)
      if let undo = recorder(of: slot) {
        undo.record(self, .transient(slot, property: index, old: transients[slot]?[index], new: coerced))
      }
      transients[slot, default: [:]][index] = coerced
      return
    }
    guard shape.isWritable[index] else {
      let reason = rules.attribute.isDerived ? "it is derived" : "the store computes it"
      throw GraphError(.notWritable(property: rules.attribute.name, entity: shape.entity.name, reason: reason))
    }
    try setColumn(slot, column, coerced)
  }

  private func notAnAttribute(_ slot: Int32, _ index: Int) -> GraphError {
    let entity = entity(slot)
    return GraphError(
      .notWritable(property: entity.properties[index].name, entity: entity.name, reason: "it is a relationship"))
  }

  /// Records a new value of a column; setting what the store has anyway is no change.
  func setColumn(_ slot: Int32, _ column: Int, _ value: Value) throws {
    try checkWritable(slot)
    if let changes = changes[slot] {
      guard changes.kind != .deleted else { throw GraphError(.deletedObject(objectID(slot).description)) }
      if changes.kind == .updated {
        if row(slot) == nil { try keepBase(slot) }
      } else if shape(slot).hasDefault[column] {
        changes.assignedDefaults.insert(column)
      }
      if let undo = recorder(of: slot) {
        let old = try changes.columns[column] ?? decoded(self.column(slot, column), slot, column)
        undo.record(self, .column(slot, column: column, old: old, new: value))
      }
      // What a hook sets to the value it has does not call the hooks again.
      if !context.progress.isSaving || changes.columns[column] != value { changes.version += 1 }
      changes.columns[column] = value
      if !pendingKeys.isEmpty { touchPendingKeys(slot) }
      return
    }
    let stored = decoded(try storedColumn(slot, column), slot, column)
    if stored == value { return }
    try keepBase(slot)
    recorder(of: slot)?.record(self, .column(slot, column: column, old: stored, new: value))
    change(slot, .updated).columns[column] = value
  }

  /// Makes the slot's object one that the next save inserts.
  func insert(_ slot: Int32) {
    recorder?.record(self, .insert(first: slot, count: 1))
    change(slot, .inserted)
  }

  /// The unsaved changes of the slot, begun as `kind` if there are none.
  @discardableResult
  func change(_ slot: Int32, _ kind: ObjectChanges.Kind) -> ObjectChanges {
    if !pendingKeys.isEmpty { touchPendingKeys(slot) }
    if let changes = changes[slot] {
      changes.version += 1
      return changes
    }
    let shape = shape(slot)
    let columns = kind == .inserted ? shape.defaults : Array(repeating: nil, count: shape.columnCount)
    let birth = kind == .inserted ? recorder?.serial ?? 0 : 0
    let new = ObjectChanges(kind, columns: columns, order: context.logChange(self, slot), birth: birth)
    if isChild, kind != .inserted { new.base = (parentBase(slot) ?? shownRow(slot)).map { BaseRow($0) } }
    changes[slot] = new
    setDirty(slot, true)
    return new
  }

  /// A copy of the row that the slot's values are read from; nil for a fault, and for what the parent has changed.
  private func shownRow(_ slot: Int32) -> PackedRow? {
    if let row = row(slot) { return row.copy() }
    return slot == currentSlot ? cursor?.pack() : nil
  }

  /// Keeps the row as it was just seen: what the changes are based on, and what the store is held against at the save.
  private func keepBase(_ slot: Int32) throws {
    // A child's changes are based on what its parent has.
    if isChild { return }
    if slot == currentSlot, let cursor {
      if !cursor.isCurrent { context.hasStaleBases = true }
      setRow(slot, cursor.pack())
    } else if row(slot) == nil {
      try fill(slot)
      if row(slot) == nil { throw missing(slot) }
    }
  }

  /// Throws if the slot's object is gone.
  func checkLiving(_ slot: Int32) throws {
    if isGone(slot) { throw GraphError(.deletedObject(objectID(slot).description)) }
  }

  /// Throws if the slot's object is gone or may not be changed.
  func checkWritable(_ slot: Int32) throws {
    try checkLiving(slot)
    if !inaccessible.isEmpty, inaccessible.contains(slot) {
      throw GraphError(.deletedObject(objectID(slot).description))
    }
    let entity = entity(slot)
    if context.progress.isValidating { throw GraphError(.validating(entity: entity.name)) }
    if entity.isReadOnly { throw GraphError(.readOnlyEntity(entity.name)) }
    if context.store.isReadOnly { throw context.store.readOnlyError }
  }
}

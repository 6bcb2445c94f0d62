public import Modeling
internal import Stores

// Attributes of slots: the basis of ManagedObject and the Lua bindings.
extension ObjectTable {
  /// Returns the value of the attribute at `index`, with unsaved changes.
  ///
  /// - Throws: GraphError.deletedObject or .missingRow for an object that is gone, StoreError.
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
    if column >= 0, shape.types[index] == .transformable {
      do {
        coerced = try shape.layout.coerce(value, at: index, of: rules.attribute, current: try attribute(slot, index))
      } catch let error as ValueError { throw shape.wrongValue(error, at: index) }
    } else {
      coerced = try shape.coerced(value, at: index)
    }
    guard column >= 0 else {
      try checkLiving(slot)
      if let undo = recorder(of: slot) {
        undo.record(self, .transient(slot, property: index, old: transients[slot]?[index], new: coerced))
      }
      transients[slot, default: [:]][index] = coerced
      return
    }
    guard shape.isWritable[index] else { throw notWritable(slot, index) }
    try setColumn(slot, column, coerced)
  }

  func notWritable(_ slot: Int32, _ index: Int) -> GraphError {
    let (entity, isDerived) = (entity(slot), shape(slot).rules[index]?.attribute.isDerived == true)
    let reason = isDerived ? "it is derived" : "the store computes it or only reads its type"
    return GraphError(.notWritable(property: entity.properties[index].name, entity: entity.name, reason: reason))
  }

  private func notAnAttribute(_ slot: Int32, _ index: Int) -> GraphError {
    let entity = entity(slot)
    return GraphError(
      .notWritable(property: entity.properties[index].name, entity: entity.name, reason: "it is a relationship"))
  }

  /// Records a new value of a column. Setting the stored value is no change.
  func setColumn(_ slot: Int32, _ column: Int, _ value: Value) throws {
    try checkWritable(slot)
    if let changes = changes[slot] {
      guard changes.kind != .deleted else { throw GraphError(.deletedObject(objectID(slot).description)) }
      if changes.kind == .updated {
        if row(slot) == nil { try keepBase(slot) }
      } else if shape(slot).hasDefault[column] {
        changes.noteAssigned(column)
      }
      if let undo = recorder(of: changes) {
        let old = try changes.columns[column] ?? decoded(self.column(slot, column), slot, column)
        undo.record(self, .column(slot, column: column, old: old, new: value))
      }
      // Setting an equal value in a hook does not call the hooks again.
      if !context.progress.isSaving || changes.columns[column] != value { changes.noteChange() }
      changes.columns[column] = value
      if !pendingKeys.isEmpty { touchPendingKeys(slot) }
      return
    }
    let stored = decoded(try storedColumn(slot, column), slot, column)
    if stored == value { return }
    try keepBase(slot)
    recorder?.record(self, .column(slot, column: column, old: stored, new: value))
    change(slot, .updated).columns[column] = value
  }

  /// Marks the slot's object as inserted.
  func insert(_ slot: Int32) {
    recorder?.record(self, .insert(first: slot, count: 1))
    change(slot, .inserted)
  }

  /// Returns the slot's unsaved changes, created as `kind` if there are none.
  @discardableResult
  func change(_ slot: Int32, _ kind: UnsavedChanges.Kind) -> UnsavedChanges {
    if !pendingKeys.isEmpty { touchPendingKeys(slot) }
    if let changes = changes[slot] {
      changes.noteChange()
      return changes
    }
    let shape = shape(slot)
    let columns = kind == .inserted ? shape.defaults : ChangedColumns()
    let birth = kind == .inserted ? recorder?.serial ?? 0 : 0
    let order = context.logChange(self, slot)
    let new = changes.set(slot, UnsavedChanges.Record(kind, columns: columns, order: order, birth: birth))
    if isChild, kind != .inserted { new.base = (parentBase(slot) ?? shownRow(slot)).map { BaseRow($0) } }
    setDirty(slot, true)
    return new
  }

  /// Returns a copy of the slot's row; nil for a fault, and for objects that the parent has changed.
  private func shownRow(_ slot: Int32) -> PackedRow? {
    if let row = row(slot) { return row.copy() }
    return slot == currentSlot ? cursor?.pack() : nil
  }

  /// Keeps the present row as the base of the changes, which the save compares with the store's row.
  private func keepBase(_ slot: Int32) throws {
    // A child's changes are based on the parent's state.
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

  /// Throws if no value of the property at `index` would be taken.
  func checkWritable(_ slot: Int32, at index: Int) throws {
    let shape = shape(slot)
    if shape.columnOfAttribute[index] >= 0, !shape.isWritable[index] { throw notWritable(slot, index) }
    if case .reference(let columns, _) = shape.layout.properties[index], !shape.layout.columns[columns[0]].isWritable {
      throw notWritable(slot, index)
    }
    try checkWritable(slot)
  }

  /// Throws if the slot's object is gone or may not be changed.
  func checkWritable(_ slot: Int32) throws {
    try checkLiving(slot)
    if !inaccessible.isEmpty, inaccessible.contains(slot) {
      throw GraphError(.deletedObject(objectID(slot).description))
    }
    if context.progress.isValidating { throw GraphError(.validating(entity: entity(slot).name)) }
    if shape(slot).isReadOnly { throw GraphError(.readOnlyEntity(entity(slot).name)) }
    if context.isReadOnly { throw context.store.readOnlyError }
  }
}

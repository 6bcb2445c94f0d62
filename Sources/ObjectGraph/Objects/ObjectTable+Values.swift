public import Modeling
internal import Storage

// Attributes of slots. What ManagedObject and the Lua bindings offer is built on these.
extension ObjectTable {
  /// The value of the attribute at `index`, changed or as the store has it.
  public func attribute(_ slot: Int32, _ index: Int) throws -> Value {
    try checkLiving(slot)
    guard let attribute = entity(slot).properties[index].attribute else {
      throw GraphError(
        .notWritable(
          property: entity(slot).properties[index].name, entity: entity(slot).name, reason: "it is a relationship"))
    }
    guard case .column(let column) = shape(slot).layout.properties[index] else {
      return transients[slot]?[index] ?? attribute.defaultValue
    }
    return try self.column(slot, column).decoded(as: attribute.type)
  }

  /// Sets the attribute at `index` after checking that the value fits its type.
  ///
  /// - Throws: GraphError.wrongValue, or .notWritable for derived attributes.
  public func setAttribute(_ slot: Int32, _ index: Int, _ value: Value) throws {
    let entity = entity(slot)
    guard let attribute = entity.properties[index].attribute else {
      throw GraphError(
        .notWritable(property: entity.properties[index].name, entity: entity.name, reason: "it is a relationship"))
    }
    let coerced: Value
    do { coerced = try attribute.coerce(value) } catch {
      throw GraphError(.wrongValue(error, entity: entity.name, property: attribute.name))
    }
    guard case .column(let column) = shape(slot).layout.properties[index] else {
      try checkLiving(slot)
      transients[slot, default: [:]][index] = coerced
      return
    }
    guard attribute.isWritable else {
      let reason = attribute.isDerived ? "it is derived" : "the store computes it"
      throw GraphError(.notWritable(property: attribute.name, entity: entity.name, reason: reason))
    }
    try setColumn(slot, column, coerced)
  }

  /// Records a new value of a column; setting what the store has anyway is no change.
  func setColumn(_ slot: Int32, _ column: Int, _ value: Value) throws {
    try checkWritable(slot)
    if let changes = changes[slot] {
      guard changes.kind != .deleted else { throw GraphError(.deletedObject(objectID(slot).description)) }
      changes.columns[column] = value
      return
    }
    let stored = try storedColumn(slot, column).decoded(as: shape(slot).layout.columns[column].type)
    if stored == value { return }
    keepRow(slot)
    change(slot, .updated).columns[column] = value
  }

  /// The unsaved changes of the slot, begun as `kind` if there are none.
  @discardableResult
  func change(_ slot: Int32, _ kind: ObjectChanges.Kind) -> ObjectChanges {
    if let changes = changes[slot] { return changes }
    let shape = shape(slot)
    let columns = kind == .inserted ? shape.defaults : Array(repeating: nil, count: shape.columnCount)
    let new = ObjectChanges(kind, columns: columns, order: context.logChange(self, slot))
    changes[slot] = new
    setDirty(slot, true)
    return new
  }

  /// Copies the row a cursor stands on, so that the old values stay at hand when it moves on.
  private func keepRow(_ slot: Int32) {
    guard slot == currentSlot, row(slot) == nil, let cursor else { return }
    setRow(slot, cursor.pack())
  }

  /// Throws if the slot's object is gone.
  func checkLiving(_ slot: Int32) throws {
    if isGone(slot) { throw GraphError(.deletedObject(objectID(slot).description)) }
  }

  /// Throws if the slot's object is gone or may not be changed.
  func checkWritable(_ slot: Int32) throws {
    try checkLiving(slot)
    let entity = entity(slot)
    if entity.isReadOnly { throw GraphError(.readOnlyEntity(entity.name)) }
    if context.store.isReadOnly { throw StoreError(.readOnly, path: context.store.path) }
  }
}

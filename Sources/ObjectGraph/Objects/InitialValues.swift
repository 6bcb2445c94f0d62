public import Modeling
internal import Stores

/// The attributes that new objects of one entity are made with: gathered for one object, given to it in one step, and then
/// used for the next.
///
/// What `awakeFromInsert` and relationships have set meanwhile stays, unless the attribute is among the gathered ones.
public final class InitialValues {
  private let shape: EntityShape
  /// By column; nil for those that were not given.
  private var values: [Value?]
  private var isEmpty = true

  /// Makes the place for values of objects that `table` keeps.
  public init(_ entity: Entity, in table: ObjectTable) {
    shape = table.shapes[table.family.firstIndex { $0 === entity } ?? 0]
    values = Array(repeating: nil, count: shape.columnCount)
  }

  /// Adds the value of an attribute, coerced to its type; returns false, without a check, for an attribute that must be
  /// set by itself.
  ///
  /// - Throws: GraphError.wrongValue.
  public func add(_ index: Int, _ value: Value) throws -> Bool {
    guard shape.isSetByItsValue[index] else { return false }
    values[shape.columnOfAttribute[index]] = try shape.coerced(value, at: index)
    isEmpty = false
    return true
  }

  /// Drops the gathered values.
  public func clear() {
    guard !isEmpty else { return }
    for column in values.indices { values[column] = nil }
    isEmpty = true
  }

  /// Sets the gathered attributes of an object of the entity, and drops them here.
  ///
  /// - Throws: GraphError for an object that may not be changed.
  public func give(to object: ManagedObject) throws {
    guard !isEmpty else { return }
    defer { clear() }
    let (table, slot) = (object.table, object.slot)
    try table.checkWritable(slot)
    guard let changes = table.changes[slot], changes.kind == .inserted, table.recorder(of: changes) == nil else {
      for (column, value) in values.enumerated() { if let value { try table.setColumn(slot, column, value) } }
      return
    }
    if shape.hasDefaults {
      for column in values.indices where values[column] != nil && shape.hasDefault[column] {
        changes.noteAssigned(column)
      }
    }
    for (column, value) in changes.columns where values[column] == nil { values[column] = value }
    changes.columns = ChangedColumns(packing: values)
    changes.noteChange()
    if !table.pendingKeys.isEmpty { table.touchPendingKeys(slot) }
  }
}

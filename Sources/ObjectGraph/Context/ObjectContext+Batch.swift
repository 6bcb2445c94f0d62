public import Modeling
public import Queries
internal import Storage

// Batch requests write at once, outside the context's pending changes.
extension ObjectContext {
  /// Changes attributes and to-ones of all objects a request selects; returns how many.
  ///
  /// - Throws: GraphError.pendingChanges when one of the rows has unsaved changes here.
  public func batchUpdate(_ request: FetchRequest, _ changes: [(property: Int, value: Value)]) throws -> Int {
    try checkNoPendingChanges(request)
    var coerced: [(property: Int, value: Value)] = []
    for (index, value) in changes { coerced.append((index, try batchValue(value, at: index, of: request.entity))) }
    let count = try attributed { try store.batchUpdate(request, coerced) }
    refreshAllObjects()
    return count
  }

  /// Deletes all objects a request selects, the delete rules enforced in the store; returns how many.
  ///
  /// - Throws: GraphError.pendingChanges when one of the rows has unsaved changes here.
  public func batchDelete(_ request: FetchRequest) throws -> Int {
    try checkNoPendingChanges(request)
    let count = try attributed { try store.batchDelete(request) }
    // Objects whose rows are gone say so when they are touched.
    refreshAllObjects()
    return count
  }

  /// Inserts rows, each given as values of properties; returns how many.
  public func batchInsert(_ entity: Entity, _ rows: () throws -> [(property: Int, value: Value)]?) throws -> Int {
    if entity.isAbstract { throw GraphError(.abstractEntity(entity.name)) }
    let table = table(for: entity)
    guard let shape = table.shapes.first(where: { $0.entity === entity }) else { return 0 }
    var count = 0
    func insertAll() throws {
      while let row = try rows() {
        var values = shape.defaults.map { $0 ?? .null }
        for (index, value) in row {
          let coerced = try batchValue(value, at: index, of: entity)
          switch shape.layout.properties[index] {
          case .column(let column): values[column] = coerced
          case .reference(let columns, let target):
            for (column, part) in zip(columns, try parts(of: coerced, target, at: index, of: entity)) {
              values[column] = part
            }
          case .inverse, .join, .none: break
          }
        }
        try check(values, shape, row: count + 1)
        _ = try store.insert(entity, values)
        count += 1
      }
    }
    try attributed { try store.transaction(insertAll) }
    return count
  }

  /// The columns' values of a to-one that leads to the object `value`.
  private func parts(of value: Value, _ target: ReferenceTarget, at index: Int, of entity: Entity) throws -> [Value] {
    guard case .object(let id) = value else { return [.null] }
    if case .key = target { return [.int(id.key)] }
    return try store.referenceValues(to: id.key, of: index, in: entity)
  }

  private func batchValue(_ value: Value, at index: Int, of entity: Entity) throws -> Value {
    switch entity.properties[index] {
    case .attribute(let attribute):
      guard attribute.isWritable else {
        throw GraphError(.notWritable(property: attribute.name, entity: entity.name, reason: "the store computes it"))
      }
      do { return try attribute.coerce(value) } catch {
        throw GraphError(.wrongValue(error, entity: entity.name, property: attribute.name))
      }
    case .relationship(let relationship):
      guard !relationship.isToMany else {
        throw GraphError(
          .notWritable(property: relationship.name, entity: entity.name, reason: "batch requests write no to-many"))
      }
      if case .object(let id) = value, id.isTemporary {
        throw GraphError(.unsupported("\(entity.name).\(relationship.name) leads to an object that is not saved"))
      }
      return value
    }
  }

  private func check(_ values: [Value], _ shape: EntityShape, row: Int) throws {
    for (index, property) in shape.entity.properties.enumerated() {
      guard let attribute = property.attribute, attribute.isWritable,
        case .column(let column) = shape.layout.properties[index]
      else { continue }
      let violations = attribute.violations(of: values[column], in: shape.entity.name)
      guard !violations.isEmpty else { continue }
      let id = ObjectID(entity: shape.entity, key: ObjectID.temporaryLimit)
      throw GraphError(
        .invalid(
          violations.map { ObjectViolation(object: id, label: "\(shape.entity.name) in row \(row)", violation: $0) }))
    }
  }

  private func checkNoPendingChanges(_ request: FetchRequest) throws {
    let table = table(for: request.entity)
    guard !table.changes.isEmpty else { return }
    var stored = request
    stored.includesPendingChanges = false
    let keys = Set(try store.keys(stored))
    let clashes = table.changes.keys.count { keys.contains(table.key($0)) }
    if clashes > 0 { throw GraphError(.pendingChanges(entity: request.entity.name, count: clashes)) }
  }
}

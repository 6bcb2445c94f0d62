internal import LuaRuntime
internal import Modeling
internal import ObjectGraph

// The values of the context for scripts, in which object IDs are objects.
extension BoundContext {
  /// Pushes an object of this context.
  func push(_ object: ManagedObject, on stack: LuaStack) throws {
    try objects(of: object.entity).push(object.slot, on: stack)
  }

  /// Pushes a list of objects.
  func push(_ list: [ManagedObject], on stack: LuaStack) throws {
    stack.reserve(6)
    stack.pushTable(array: Int32(clamping: list.count))
    for (number, object) in list.enumerated() {
      try push(object, on: stack)
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
  }

  /// Pushes a value; object IDs become objects.
  func push(_ value: Value, on stack: LuaStack) throws {
    if case .object(let id) = value { return try push(objectContext.object(id), on: stack) }
    engine.values.push(value, on: stack)
  }

  /// Pushes a value of an attribute or to-one relationship: object IDs become objects, composites have elements of
  /// their types.
  func push(_ value: Value, of attribute: Attribute?, on stack: LuaStack) throws {
    guard let attribute, attribute.type == .composite else { return try push(value, on: stack) }
    engine.values.push(value, of: attribute, on: stack)
  }

  /// Pushes the result of an expression; object IDs become objects, also in lists.
  func push(evaluated value: Value, on stack: LuaStack) throws {
    guard case .list(let values) = value else { return try push(value, on: stack) }
    stack.reserve(4)
    stack.pushTable(array: Int32(clamping: values.count))
    for (number, value) in values.enumerated() {
      if value.isNull { stack.push(engine.values.null) } else { try push(value, on: stack) }
      stack.rawSet(element: Int64(number + 1), at: -2)
    }
  }

  /// Pushes a row of values as a table by column.
  func push(row: [Value], _ columns: [String], on stack: LuaStack) throws {
    stack.reserve(4)
    stack.pushTable(hash: Int32(clamping: columns.count))
    for (name, value) in zip(columns, row) {
      try push(value, on: stack)
      stack.rawSet(field: name, at: -2)
    }
  }

  /// A table of properties' values, with `null` for nil, so that the field exists.
  func table(of values: [(property: String, value: Value)], in entity: Entity) -> ReturnValue {
    .record(
      values.map { name, value in
        let attribute = entity.property(named: name)?.attribute
        return (
          name, value.isNull ? .reference(engine.values.null) : .pushing { try self.push(value, of: attribute, on: $0) }
        )
      })
  }

  /// A value in a listing: an object by its title, a missing value as `nil`.
  func shown(_ value: Value) -> Value {
    switch value {
    case .null: return .string("nil")
    case .object(let id): return .string(ObjectText.title(of: objectContext.object(id)))
    default: return value
    }
  }
}

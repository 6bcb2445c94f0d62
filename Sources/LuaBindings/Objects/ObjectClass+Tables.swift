internal import LuaRuntime
internal import Modeling

// Tables of values by property: `Quake { code = "us1" }`.
extension ObjectClass {
  /// Calls `body` with each property that has a value in the table at `index`, and the value's stack index.
  ///
  /// In the entity's order. Names are asked one by one; only where the table has more keys than were found, Lua looks for
  /// the one that is no property.
  ///
  /// - Throws: the result of `unknown` for the stack index of a key that is not a property, before any call of `body`.
  func forEachValue(
    of index: Int32, on stack: LuaStack, unknown: (Int32, LuaStack) -> any Error,
    _ body: (_ property: Int, _ value: Int32) throws -> Void
  ) throws {
    let names = try propertyNameList(on: stack)
    let table = stack.absolute(index)
    let top = stack.count
    defer { stack.setCount(top) }
    guard stack.reserve(Int32(clamping: plan.count + 10)) else { throw LuaError("stack overflow") }
    if stack.pushFields(of: table, named: names.list, count: plan.count) > 0 {
      stack.push(names.findOther)
      stack.pushCopy(of: table)
      try stack.call(arguments: 1, results: 1)
      if !stack.isNil(at: -1) { throw unknown(stack.count, stack) }
    }
    let first = top + 1
    for property in plan.indices {
      let value = first + Int32(property)
      if !stack.isNil(at: value) { try body(property, value) }
    }
  }

  /// A Lua list of the property names, and the Lua function that finds unknown keys; made on first use.
  private func propertyNameList(on stack: LuaStack) throws -> (list: LuaReference, findOther: LuaReference) {
    if let names { return names }
    stack.reserve(6)
    stack.pushTable(array: Int32(clamping: entity.properties.count))
    for (index, property) in entity.properties.enumerated() {
      stack.push(property.name)
      stack.rawSet(element: Int64(index + 1), at: -2)
    }
    let list = stack.popReference()
    stack.push(engine.fieldFinder.make)
    stack.push(list)
    try stack.call(arguments: 1, results: 1)
    let made = (list, stack.popReference())
    names = made
    return made
  }
}

internal import CLuaShim

/// Slots numbered from 1 that hold Lua values without keeping them alive.
///
/// Give each object a slot to find the userdata that Lua still has for it, and to see which slots are free again:
///
/// ```swift
/// if !known.push(slot, on: stack) {
///   classes.push(object, on: stack)
///   known.store(slot, on: stack)
/// }
/// ```
public final class LuaWeakArray {
  let table: LuaReference

  /// An empty array with room for `capacity` slots; more are made as they are used.
  public init(_ state: LuaState, capacity: Int32 = 0) {
    let stack = state.stack
    stack.reserve(6)
    shim_push_weak_table(stack.pointer, capacity)
    table = stack.popReference()
  }

  /// Pushes the value in a slot; false, and nothing pushed, if it is empty or its value was collected.
  @inline(__always)
  public func push(_ slot: Int, on stack: LuaStack) -> Bool {
    shim_weak_get(stack.pointer, table.slot, Int64(slot))
  }

  /// Puts the top value, which stays there, into a slot.
  @inline(__always)
  public func store(_ slot: Int, on stack: LuaStack) {
    shim_weak_set(stack.pointer, table.slot, Int64(slot))
  }

  /// Whether a slot has a value that was not collected.
  public func isAlive(_ slot: Int, on stack: LuaStack) -> Bool {
    shim_weak_has(stack.pointer, table.slot, Int64(slot))
  }

  /// Whether no slot has a value that was not collected.
  public func isEmpty(on stack: LuaStack) -> Bool {
    stack.reserve(4)
    return shim_weak_is_empty(stack.pointer, table.slot)
  }

  /// Empties a slot.
  public func clear(_ slot: Int, on stack: LuaStack) {
    stack.pushNil()
    store(slot, on: stack)
    stack.pop()
  }
}

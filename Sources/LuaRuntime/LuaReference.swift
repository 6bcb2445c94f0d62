internal import CLua
internal import CLuaShim

/// A Lua value that Swift keeps: it is not collected while the reference lives.
///
/// It may outlive its state; then it stands for nil. Like all of the runtime it belongs to the one thread that runs Lua.
/// `@unchecked Sendable` only because errors carry references and `Error` demands it.
public final class LuaReference: @unchecked Sendable {
  private let handle: StateHandle
  let slot: Int32

  /// Whether the state of the value is still open.
  var isOpen: Bool { handle.shim != nil }

  /// Pops the top value and keeps it.
  init(popping stack: LuaStack) {
    handle = stack.state.handle
    slot = luaL_ref(stack.pointer, luaRegistryIndex)
  }

  deinit {
    guard let shim = handle.shim else { return }
    // On the running thread: its stack is the one that has room.
    let thread = shim_current_thread(shim)
    lua_checkstack(thread, 4)
    luaL_unref(thread, luaRegistryIndex, slot)
  }

  /// Pushes the value; nil if its state has been closed or is another one.
  public func push(on stack: LuaStack) {
    guard let shim = handle.shim, shim == shim_of(stack.pointer) else { return stack.pushNil() }
    lua_rawgeti(stack.pointer, luaRegistryIndex, lua_Integer(slot))
  }
}

extension LuaStack {
  /// Pops the top value and keeps it for Swift.
  public func popReference() -> LuaReference { LuaReference(popping: self) }

  /// Keeps the value at `index` for Swift.
  public func reference(at index: Int32) -> LuaReference {
    pushCopy(of: index)
    return LuaReference(popping: self)
  }

  /// Pushes the value that `reference` keeps.
  public func push(_ reference: LuaReference) { reference.push(on: self) }
}

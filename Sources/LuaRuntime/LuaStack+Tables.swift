public import CLua
internal import CLuaShim

// Raw access: without metamethods, so that nothing can fail.
extension LuaStack {
  /// Pushes a new table with room for `array` elements and `hash` fields.
  @inlinable
  public func pushTable(array: Int32 = 0, hash: Int32 = 0) { lua_createtable(pointer, array, hash) }

  /// Pushes the field of the table at `index`, nil if it is no table; returns the type of the pushed value.
  @inlinable
  @discardableResult
  public func rawGet(field: String, at index: Int32) -> LuaType {
    guard lua_type(pointer, index) == LuaType.table.rawValue else { return pushingNil() }
    let table = lua_absindex(pointer, index)
    push(field)
    return LuaType(rawValue: lua_rawget(pointer, table)) ?? .nil
  }

  /// Pushes the element of the table at `index`, nil if it is no table; returns the type of the pushed value.
  @inlinable
  @discardableResult
  public func rawGet(element: Int64, at index: Int32) -> LuaType {
    guard lua_type(pointer, index) == LuaType.table.rawValue else { return pushingNil() }
    return LuaType(rawValue: lua_rawgeti(pointer, index, element)) ?? .nil
  }

  /// Pushes the value that the table at `index` has for the address, nil if it is no table; returns the type of the pushed
  /// value.
  @inlinable
  @discardableResult
  public func rawGet(address: UnsafeRawPointer, at index: Int32) -> LuaType {
    guard lua_type(pointer, index) == LuaType.table.rawValue else { return pushingNil() }
    return LuaType(rawValue: lua_rawgetp(pointer, index, address)) ?? .nil
  }

  /// Replaces the key on the top by the value that the table at `index` has for it; returns the type of the value.
  @inlinable
  @discardableResult
  public func rawGet(at index: Int32) -> LuaType {
    guard lua_type(pointer, index) == LuaType.table.rawValue else {
      lua_settop(pointer, -2)
      return pushingNil()
    }
    return LuaType(rawValue: lua_rawget(pointer, index)) ?? .nil
  }

  /// Pops the top value into the field of the table at `index`.
  @inlinable
  public func rawSet(field: String, at index: Int32) {
    let table = requireTable(at: index)
    push(field)
    lua_rotate(pointer, -2, 1)
    lua_rawset(pointer, table)
  }

  /// Pops the top value into the element of the table at `index`.
  @inlinable
  public func rawSet(element: Int64, at index: Int32) {
    lua_rawseti(pointer, requireTable(at: index), element)
  }

  /// Pops the top value into what the table at `index` has for the address.
  @inlinable
  public func rawSet(address: UnsafeRawPointer, at index: Int32) {
    lua_rawsetp(pointer, requireTable(at: index), address)
  }

  /// Pops a value and the key below it into the table at `index`; false, and nothing set, if the key is nil or NaN.
  @discardableResult
  public func rawSet(at index: Int32) -> Bool {
    shim_rawset(pointer, requireTable(at: index))
  }

  /// Whether the two values are the same, without metamethods.
  @inlinable
  public func rawEqual(_ left: Int32, _ right: Int32) -> Bool { lua_rawequal(pointer, left, right) != 0 }

  /// Pushes the metatable of the value at `index`; false, and nothing pushed, if it has none.
  @inlinable
  public func pushMetatable(of index: Int32) -> Bool { lua_getmetatable(pointer, index) != 0 }

  /// Pops a table (or nil) and makes it the metatable of the value at `index`.
  @inlinable
  public func setMetatable(of index: Int32) { lua_setmetatable(pointer, index) }

  /// Calls `body` for each pair of the table at `index`, with the key at -2 and the value at -1.
  ///
  /// `body` leaves the stack as it found it and may assign to existing fields, as in Lua. No metamethod is asked.
  /// A value that is no table has no pairs. Throws what `body` throws, and Lua's error for a table that was given new
  /// fields meanwhile.
  public func forEachPair(at index: Int32, _ body: (LuaStack) throws -> Void) throws {
    guard type(at: index) == .table else { return }
    let table = absolute(index)
    let base = count
    reserve(6)
    pushNil()
    var hasMore = false
    do {
      while true {
        try check(shim_next(pointer, table, &hasMore))
        guard hasMore else { return }
        try body(self)
        setCount(base + 1)
      }
    } catch {
      setCount(base)
      throw error
    }
  }

  /// Pushes what the table at `index` has under each of the first `count` names of a list, nil where it has nothing.
  ///
  /// Returns how many keys it has besides, so that a table of known names is read without a look at its pairs. No
  /// metamethod is asked. The stack must have room for `count + 4` values.
  public func pushFields(of index: Int32, named names: LuaReference, count: Int) -> Int {
    Int(shim_push_fields(pointer, requireTable(at: index), names.slot, Int32(clamping: count)))
  }

  @usableFromInline
  func pushingNil() -> LuaType {
    lua_pushnil(pointer)
    return .nil
  }

  @usableFromInline
  func requireTable(at index: Int32) -> Int32 {
    precondition(lua_type(pointer, index) == LuaType.table.rawValue, "a raw assignment needs a table")
    return lua_absindex(pointer, index)
  }
}

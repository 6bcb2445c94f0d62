public import CLua
internal import CLuaShim

/// The stack of a running Lua thread: how Swift reads arguments, pushes results and handles Lua's values.
///
/// A function called by Lua gets its arguments at 1, 2, ... and returns the number of results, which are on the top:
///
/// ```swift
/// stack.pushFunction { stack in
///   stack.push(stack.integer(at: 1) ?? 0 + 1)
///   return 1
/// }
/// ```
///
/// Indices are Lua's: 1 is the bottom, -1 the top. A function may push 20 values beyond its arguments; who needs more
/// calls ``reserve(_:)`` first, as Lua does not check.
///
/// Nothing here lets a Lua error jump over a Swift frame. What may run Lua code throws a ``LuaError``; the rest cannot
/// fail, and passing the memory limit is reported when the Swift function has returned.
public struct LuaStack {
  /// The `lua_State` of the thread.
  public let pointer: OpaquePointer

  /// The stack of the thread `pointer`, as raw functions get it.
  @inlinable
  public init(_ pointer: OpaquePointer) {
    self.pointer = pointer
  }

  /// The state this thread belongs to.
  public var state: LuaState {
    Unmanaged<LuaState>.fromOpaque(shim_owner(pointer)).takeUnretainedValue()
  }

  // MARK: - Shape

  /// How many values there are, and so the index of the top one.
  @inlinable
  public var count: Int32 { lua_gettop(pointer) }

  /// The index counted from the bottom that means the same as `index`.
  @inlinable
  public func absolute(_ index: Int32) -> Int32 { lua_absindex(pointer, index) }

  /// Makes room for `count` more values; false if there cannot be that many.
  @inlinable
  @discardableResult
  public func reserve(_ count: Int32) -> Bool { lua_checkstack(pointer, count) != 0 }

  /// Drops the `count` topmost values.
  @inlinable
  public func pop(_ count: Int32 = 1) { lua_settop(pointer, -count - 1) }

  /// Drops or adds nils at the top until there are `count` values.
  @inlinable
  public func setCount(_ count: Int32) { lua_settop(pointer, count) }

  /// Moves the top value to `index`, the ones above it up.
  @inlinable
  public func insert(at index: Int32) { lua_rotate(pointer, index, 1) }

  /// Removes the value at `index`.
  @inlinable
  public func remove(at index: Int32) {
    lua_rotate(pointer, index, -1)
    lua_settop(pointer, -2)
  }

  /// Moves the top value over the one at `index`.
  @inlinable
  public func replace(at index: Int32) {
    lua_copy(pointer, -1, index)
    lua_settop(pointer, -2)
  }

  /// Copies the value at `source` over the one at `destination`.
  @inlinable
  public func copy(from source: Int32, to destination: Int32) { lua_copy(pointer, source, destination) }

  /// Turns the values from `index` to the top by `places` towards the top.
  @inlinable
  public func rotate(from index: Int32, by places: Int32) { lua_rotate(pointer, index, places) }

  /// The index of the `number`th upvalue of the running raw function, from 1.
  public static func upvalue(_ number: Int32) -> Int32 { shim_upvalue(number) }
}

extension LuaStack {
  /// Returns the source line of the Lua function at `index`: `report.lua:12`; nil for any other value.
  public func definition(at index: Int32) -> String? {
    guard type(at: index) == .function else { return nil }
    var activation = lua_Debug()
    pushCopy(of: index)
    guard lua_getinfo(pointer, ">S", &activation) != 0, activation.linedefined >= 0 else { return nil }
    let source = withUnsafeBytes(of: activation.short_src) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return "\(source):\(activation.linedefined)"
  }
}

public import CLua

/// The type of a Lua value.
public enum LuaType: Int32, Sendable {
  /// There is no such index on the stack.
  case none = -1
  case `nil` = 0
  case boolean = 1
  case lightUserdata = 2
  case number = 3
  case string = 4
  case table = 5
  case function = 6
  case userdata = 7
  case thread = 8

  /// The word Lua has for it, as in its messages; "no value" for ``none``.
  public var name: String {
    switch self {
    case .none: "no value"
    case .nil: "nil"
    case .boolean: "boolean"
    case .lightUserdata, .userdata: "userdata"
    case .number: "number"
    case .string: "string"
    case .table: "table"
    case .function: "function"
    case .thread: "thread"
    }
  }
}

extension LuaStack {
  /// The type of the value at `index`.
  @inlinable
  public func type(at index: Int32) -> LuaType { LuaType(rawValue: lua_type(pointer, index)) ?? .none }

  /// Whether the value at `index` is nil; an index beyond the top has no value and is not nil.
  @inlinable
  public func isNil(at index: Int32) -> Bool { lua_type(pointer, index) == 0 }

  /// Whether the value at `index` is nil or not there: an argument that was left out.
  @inlinable
  public func isNoneOrNil(at index: Int32) -> Bool { lua_type(pointer, index) <= 0 }

  /// Whether the value at `index` is a number of the integer subtype.
  @inlinable
  public func isInteger(at index: Int32) -> Bool { lua_isinteger(pointer, index) != 0 }

  /// Returns the type name of the value at `index` for messages: the name of its class, or else of its Lua type.
  public func typeName(at index: Int32) -> String {
    let type = type(at: index)
    guard type == .userdata || type == .table, lua_getmetatable(pointer, index) != 0 else { return type.name }
    defer { pop(2) }
    rawGet(field: "__name", at: -1)
    return string(at: -1) ?? type.name
  }
}

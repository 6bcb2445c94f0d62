internal import CLua
internal import CLuaShim

// Operations that may run Lua code: each call is protected, and a Lua error is thrown as a `LuaError`.
extension LuaStack {
  /// Pushes `value.field` of the value at `index`.
  public func get(field: String, at index: Int32) throws(LuaError) {
    let value = absolute(index)
    push(field)
    try check(shim_get(pointer, value))
  }

  /// Pushes `value[element]` of the value at `index`.
  public func get(element: Int64, at index: Int32) throws(LuaError) {
    try check(shim_get_index(pointer, index, element))
  }

  /// Replaces the key on the top by `value[key]` of the value at `index`.
  public func get(at index: Int32) throws(LuaError) {
    try check(shim_get(pointer, index))
  }

  /// Pops the top value into `value.field` of the value at `index`.
  public func set(field: String, at index: Int32) throws(LuaError) {
    let value = absolute(index)
    push(field)
    insert(at: -2)
    try check(shim_set(pointer, value))
  }

  /// Pops the top value into `value[element]` of the value at `index`.
  public func set(element: Int64, at index: Int32) throws(LuaError) {
    try check(shim_set_index(pointer, index, element))
  }

  /// Pops a value and the key below it into `value[key]` of the value at `index`.
  public func set(at index: Int32) throws(LuaError) {
    try check(shim_set(pointer, index))
  }

  /// The result of `#` for the value at `index`.
  public func length(at index: Int32) throws(LuaError) -> Int64 {
    var length: lua_Integer = 0
    try check(shim_length(pointer, index, &length))
    return length
  }

  /// Compares the values at two indices as Lua does.
  public func compare(_ left: Int32, _ comparison: LuaComparison, _ right: Int32) throws(LuaError) -> Bool {
    var result = false
    try check(shim_compare(pointer, left, right, comparison.rawValue, &result))
    return result
  }

  /// Replaces the operands on the top (two, or one for a unary operation) by the result.
  public func calculate(_ operation: LuaOperation) throws(LuaError) {
    try check(shim_arithmetic(pointer, operation.rawValue))
  }

  /// Replaces the `count` topmost values by their concatenation.
  public func concatenate(_ count: Int32) throws(LuaError) {
    guard count > 0 else { return push("") }
    try check(shim_concat(pointer, count))
  }

  /// The result of `tostring` for the value at `index`, with U+FFFD for invalid UTF-8.
  public func toDisplayString(at index: Int32) throws(LuaError) -> String {
    try check(shim_display(pointer, index))
    defer { pop() }
    return repairedString(at: -1) ?? ""
  }

  /// Replaces the function and its `arguments` arguments, which are on the top, by its results.
  ///
  /// `results` values are pushed, missing ones as nil; or all there are, for ``allResults``. On an error the function and
  /// arguments are gone.
  public func call(arguments: Int32 = 0, results: Int32 = 0) throws(LuaError) {
    try check(shim_call(pointer, arguments, results))
  }

  /// For ``call(arguments:results:)``: as many results as the function gives.
  public static let allResults: Int32 = -1

  /// Pushes the global variable `name`, without metamethods of the table of globals.
  @discardableResult
  public func pushGlobal(_ name: String) -> LuaType {
    lua_rawgeti(pointer, luaRegistryIndex, luaGlobalsSlot)
    let type = rawGet(field: name, at: -1)
    remove(at: -2)
    return type
  }

  /// Pops the top value into the global variable `name`, without metamethods of the table of globals.
  public func setGlobal(_ name: String) {
    lua_rawgeti(pointer, luaRegistryIndex, luaGlobalsSlot)
    insert(at: -2)
    rawSet(field: name, at: -2)
    pop()
  }

  /// Turns a status of the shim into a thrown error, popping the error value.
  func check(_ status: Int32) throws(LuaError) {
    guard status != LUA_OK else { return }
    throw LuaError(status: status, poppingFrom: self)
  }
}

/// How two values are compared.
public enum LuaComparison: Int32, Sendable {
  case equal = 0
  case less = 1
  case lessOrEqual = 2
}

/// Lua's arithmetic and bitwise operations.
public enum LuaOperation: Int32, Sendable {
  case add = 0
  case subtract = 1
  case multiply = 2
  case modulo = 3
  case power = 4
  case divide = 5
  case floorDivide = 6
  case bitAnd = 7
  case bitOr = 8
  case bitXor = 9
  case shiftLeft = 10
  case shiftRight = 11
  case negate = 12
  case bitNot = 13
}

/// The index of the registry: a macro that Swift does not see, -LUAI_MAXSTACK - 1000.
let luaRegistryIndex: Int32 = shim_registry_index()
/// Where the registry has the table of globals.
let luaGlobalsSlot = lua_Integer(LUA_RIDX_GLOBALS)

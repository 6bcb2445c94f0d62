internal import CLua

// Arguments of functions, with the messages that Lua's own libraries have.
extension LuaStack {
  /// The error for an unexpected argument at `index`.
  public func argumentError(at index: Int32, expected: String) -> LuaError {
    let given = type(at: index) == .none ? "no value" : typeName(at: index)
    return argumentError(at: index, "\(expected) expected, got \(given)")
  }

  /// The error that something is wrong with the argument at `index`.
  public func argumentError(at index: Int32, _ complaint: String) -> LuaError {
    let (name, isMethod) = runningFunction
    guard let name else { return LuaError("bad argument #\(index) (\(complaint))") }
    guard isMethod else { return LuaError("bad argument #\(index) to '\(name)' (\(complaint))") }
    if index == 1 { return LuaError("calling '\(name)' on bad self (\(complaint))") }
    return LuaError("bad argument #\(index - 1) to '\(name)' (\(complaint))")
  }

  /// The integer value of an argument; throws if it is not an integer.
  public func integerArgument(at index: Int32) throws(LuaError) -> Int64 {
    if let value = integer(at: index) { return value }
    if number(at: index) != nil { throw argumentError(at: index, "number has no integer representation") }
    throw argumentError(at: index, expected: "number")
  }

  /// The numeric value of an argument; throws if it is not a number.
  public func numberArgument(at index: Int32) throws(LuaError) -> Double {
    guard let value = number(at: index) else { throw argumentError(at: index, expected: "number") }
    return value
  }

  /// The string value of an argument; throws if it is not a string or not valid UTF-8.
  public func stringArgument(at index: Int32) throws(LuaError) -> String {
    if let value = string(at: index) { return value }
    if type(at: index) == .string { throw argumentError(at: index, "the string is not valid UTF-8") }
    throw argumentError(at: index, expected: "string")
  }

  /// The name of the running function as its caller has it, and whether it was called as a method.
  private var runningFunction: (name: String?, isMethod: Bool) {
    var activation = lua_Debug()
    guard lua_getstack(pointer, 0, &activation) != 0, lua_getinfo(pointer, "n", &activation) != 0,
      let name = activation.name
    else { return (nil, false) }
    return (String(cString: name), activation.namewhat.map { String(cString: $0) } == "method")
  }
}

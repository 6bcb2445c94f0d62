internal import CLua
internal import CLuaShim

extension LuaStack {
  /// Returns the result of a raw function that fails: pushes the Lua value of `error`, which is then raised.
  public func raise(_ error: any Error) -> Int32 {
    reserve(8)
    pushErrorValue(for: error)
    return Int32(SHIM_RAISE)
  }

  /// Pushes the Lua value of `error`.
  public func pushErrorValue(for error: any Error) {
    if let error = error as? LuaError {
      if let value = error.value {
        push(value)
      } else {
        push(position(level: 1) + error.message)
      }
      return
    }
    let state = state
    let base = count
    state.errorConverter(error, self)
    assert(count == base + 1, "an error converter pushes one value")
    setCount(base + 1)
    if let text = string(at: -1) { state.lastThrown = (text, error) }
  }

  /// The position `file:line: ` of the code that runs at `level`, as in Lua's messages; empty if it is not known.
  ///
  /// Level 0 is the running function, 1 the one that called it.
  public func position(level: Int32) -> String {
    luaL_where(pointer, level)
    defer { pop() }
    return repairedString(at: -1) ?? ""
  }

  /// Pushes `error` as an error object: it prints and concatenates as `description`, has the field `message`, and is the
  /// same Swift error again where it comes back to Swift.
  ///
  /// For use by an ``LuaState/errorConverter``.
  public func push(error: any Error, description: String) throws(LuaError) {
    try state.errorObjects().push(ErrorObject(error: error, description: description), on: self)
  }

  /// The Swift error behind the error value at `index`, if any.
  public func swiftError(at index: Int32) -> (any Error)? {
    let state = state
    switch type(at: index) {
    case .userdata: return (try? state.errorObjects())?.object(at: index, on: self)?.error
    case .string:
      guard let lastThrown = state.lastThrown, string(at: index) == lastThrown.text else { return nil }
      return lastThrown.error
    default: return nil
    }
  }
}

/// A Swift error as a Lua value.
final class ErrorObject {
  let error: any Error
  let description: String

  init(error: any Error, description: String) {
    self.error = error
    self.description = description
  }
}

extension LuaState {
  func errorObjects() throws(LuaError) -> LuaClass<ErrorObject> {
    try ownClass(ErrorObject.self) { () throws(LuaError) in
      try LuaClass<ErrorObject>(self, name: "error") { definition in
        definition.index { object, stack in
          guard stack.string(at: 2) == "message" else { return 0 }
          stack.push(object.description)
          return 1
        }
        definition.metamethod(.toString) { stack in
          stack.push(try stack.toDisplayText(ofErrorAt: 1))
          return 1
        }
        definition.metamethod(.concatenate) { stack in
          stack.push(try stack.toDisplayText(ofErrorAt: 1) + stack.toDisplayText(ofErrorAt: 2))
          return 1
        }
      }
    }
  }
}

extension LuaStack {
  /// An operand of a concatenation with an error object.
  fileprivate func toDisplayText(ofErrorAt index: Int32) throws(LuaError) -> String {
    if let object = try state.errorObjects().object(at: index, on: self) { return object.description }
    return try toDisplayString(at: index)
  }
}

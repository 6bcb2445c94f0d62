internal import LuaRuntime
internal import Modeling
internal import Reactive

// Common functions of reactive values.
extension Engine {
  /// Calls an observer function with these values; its error is reported at the end of the turn.
  func tell(_ function: LuaReference, _ values: [LuaReference] = []) {
    noting {
      let stack = lua.stack
      let top = stack.count
      defer { stack.setCount(top) }
      stack.reserve(Int32(clamping: values.count) + 6)
      stack.push(function)
      for value in values { stack.push(value) }
      try stack.call(arguments: Int32(clamping: values.count))
    }
  }

  /// Runs `body` with tracked reads, including those of objects' properties.
  func tracking<Result>(_ body: () throws -> Result) rethrows -> Result {
    let wasTracking = trackingFlag.pointee
    trackingFlag.pointee = true
    defer { trackingFlag.pointee = wasTracking }
    return try body()
  }

  /// Warns the user of a probable mistake.
  func warn(_ text: String) {
    if let onWarning = host.onWarning { onWarning(text) } else { notes.append(text) }
  }
}

extension Call {
  /// Returns a reference to an argument; to nil if it is missing.
  func reference(_ argument: Int32) -> LuaReference {
    if argument <= count { return stack.reference(at: index(argument)) }
    stack.pushNil()
    return stack.popReference()
  }

  /// Calls the function in an argument, without arguments, and answers its results.
  func results(of argument: Int32) throws -> ReturnValue {
    let function = try self.function(argument)
    let top = stack.count
    stack.pushCopy(of: function)
    try stack.call(results: LuaStack.allResults)
    return .pushed(stack.count - top)
  }
}

internal import LuaRuntime
internal import Modeling
internal import Reactive

// Common functions of reactive values.
extension Engine {
  /// Whether two Lua values are identical, or equal dates or numbers: then an assignment changes nothing.
  func areSame(_ left: LuaReference, _ right: LuaReference) -> Bool {
    if lua.isClosed { return true }
    let stack = lua.stack
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(6)
    stack.push(left)
    stack.push(right)
    let (first, second) = (stack.absolute(-2), stack.absolute(-1))
    if stack.rawEqual(first, second) { return true }
    guard stack.type(at: first) == .userdata, stack.type(at: second) == .userdata,
      let one = try? value(at: first, on: stack, place: ""), let other = try? value(at: second, on: stack, place: "")
    else { return false }
    return one == other
  }

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

  /// The name of an observer function in messages: `onChange (report.lua:12)`.
  func name(of function: LuaReference, as word: String) -> String {
    let stack = lua.stack
    stack.reserve(6)
    stack.push(function)
    defer { stack.pop() }
    return stack.definition(at: -1).map { "\(word) (\($0))" } ?? word
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

internal import LuaRuntime

// What the values that references keep are, have and return.
extension LuaState {
  /// A value as `tostring` shows it.
  func text(of value: LuaReference) -> String {
    stack.reserve(6)
    stack.push(value)
    defer { stack.pop() }
    return (try? stack.toDisplayString(at: -1)) ?? stack.typeName(at: -1)
  }

  /// Runs `body` with a value on the top of the stack.
  func with<Result>(_ value: LuaReference, _ body: (LuaStack) throws -> Result) rethrows -> Result {
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(8)
    stack.push(value)
    return try body(stack)
  }

  func isNil(_ value: LuaReference) -> Bool {
    stack.reserve(2)
    stack.push(value)
    defer { stack.pop() }
    return stack.isNil(at: -1)
  }

  /// The first result of a function of one argument, or none.
  func result(of function: LuaReference, _ argument: LuaReference?) throws -> LuaReference {
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(6)
    stack.push(function)
    if let argument { stack.push(argument) }
    try stack.call(arguments: argument == nil ? 0 : 1, results: 1)
    return stack.popReference()
  }

  /// `value[key]`.
  func field(_ key: LuaReference, of value: LuaReference) throws -> LuaReference {
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(6)
    stack.push(value)
    stack.push(key)
    try stack.get(at: -2)
    return stack.popReference()
  }

  /// `value[key] = new`; of a plain table a changed copy is returned.
  func setField(_ key: LuaReference, of value: LuaReference, to new: LuaReference) throws
    -> LuaReference?
  {
    let top = stack.count
    defer { stack.setCount(top) }
    stack.reserve(10)
    stack.push(value)
    let isPlain = stack.type(at: -1) == .table && !stack.pushMetatable(of: -1)
    if isPlain {
      stack.pushTable()
      let copy = stack.count
      try stack.forEachPair(at: copy - 1) { stack in
        stack.pushCopy(of: -2)
        stack.pushCopy(of: -2)
        stack.rawSet(at: copy)
      }
    } else {
      stack.setCount(top + 1)
    }
    let target = stack.count
    stack.push(key)
    stack.push(new)
    try stack.set(at: target)
    stack.setCount(target)
    return isPlain ? stack.popReference() : nil
  }

  /// The name of an observer function in messages: `onChange (report.lua:12)`.
  func name(of function: LuaReference, as word: String) -> String {
    stack.reserve(6)
    stack.push(function)
    defer { stack.pop() }
    return stack.definition(at: -1).map { "\(word) (\($0))" } ?? word
  }
}

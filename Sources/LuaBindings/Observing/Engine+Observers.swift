internal import LuaRuntime

extension BoundContext {
  /// Calls an observer with the arguments that `push` pushes; its error is reported at the end of the turn and stops
  /// nothing.
  func tell(_ function: LuaReference, _ push: (LuaStack) throws -> Int32) {
    guard !isClosed else { return }
    engine.tell(function, push)
  }
}

extension Engine {
  /// Calls an observer with the arguments that `push` pushes; its error is reported at the end of the turn and
  /// stops nothing.
  func tell(_ function: LuaReference, _ push: (LuaStack) throws -> Int32) {
    noting {
      let stack = lua.stack
      stack.reserve(10)
      let top = stack.count
      defer { stack.setCount(top) }
      stack.push(function)
      try stack.call(arguments: try push(stack))
    }
  }
}

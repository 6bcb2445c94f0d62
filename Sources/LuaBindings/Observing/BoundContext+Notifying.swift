internal import LuaRuntime

extension BoundContext {
  /// Calls an observer with the arguments that `push` pushes; its error is reported at the end of the turn and stops
  /// nothing.
  func notify(_ function: LuaReference, _ push: (LuaStack) throws -> Int32) {
    guard !isClosed else { return }
    engine.turns.notify(function, push)
  }
}

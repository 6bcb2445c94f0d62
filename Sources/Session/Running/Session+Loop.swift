internal import LuaBindings
internal import LuaRuntime

// Turns of the event loop: timers and changes that arrive while a line is typed or a script waits in `runLoop`.
extension Session {
  /// Runs due callbacks while a line is typed; Ctrl-C stops them.
  package func runLoopTurn(_ ready: [Int32]) {
    _ = guarding {
      engine.runLoopTurn(ready: ready)
      try engine.lua.checkInterrupt()
    }
    client.flush()
  }
}

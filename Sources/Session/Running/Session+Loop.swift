internal import LuaBindings
internal import LuaRuntime

// Turns of the event loop: timers and changes that arrive while a line is typed or a script waits in `runLoop`.
extension Session {
  /// Reports the errors of callbacks; the first gives the turn its status.
  func finishCallbacks(_ errors: [any Error]) {
    for status in errors.map({ finish($0, after: 0) }) where callbackStatus == 0 { callbackStatus = status }
  }

  /// Runs due callbacks while a line is typed; Ctrl-C stops them.
  package func runLoopTurn(_ ready: [Int32]) {
    _ = guarding {
      engine.loop.runTurn(ready: ready)
      try engine.lua.checkInterrupt()
    }
    client.flush()
  }
}

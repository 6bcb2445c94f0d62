internal import LuaBindings
internal import LuaRuntime

// Turns of the event loop: timers and changes that arrive while a line is typed or a script waits in `runLoop`.
extension Session {
  /// Reports errors of callbacks as they happen, and shows printed output while the loop waits.
  func attendToLoop() {
    engine.onCallbackErrors = { [unowned self] errors in
      for status in errors.map({ finish($0, after: 0) }) where callbackStatus == 0 { callbackStatus = status }
    }
    engine.willWait = { [unowned self] in client.flush() }
  }

  /// Runs due callbacks while a line is typed; Ctrl-C stops them.
  package func runLoopTurn(_ ready: [Int32]) {
    _ = guarding {
      engine.runLoopTurn(ready: ready)
      try engine.lua.checkInterrupt()
    }
    client.flush()
  }
}
